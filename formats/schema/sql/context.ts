// What the statements of one script share while they are read.

import type { SqlTable } from './table.ts'
import type { SqlTypes } from './script-types.ts'
import type { Platform } from '../types/native-type.ts'

export interface SqlContext {
  text: string
  platform: Platform | undefined
  /** Backticks may enclose a name with its dots. */
  isBigQuery: boolean
  types: SqlTypes
  /** Counts one more column; false if there are too many. */
  takeColumn: () => boolean
  /** Counts one more part of a type that the script defines; false if there are too many. */
  takePart: () => boolean
  /** Finds a table that the script created before. */
  find: (parts: readonly string[]) => SqlTable | undefined
  /** Qualifies the name of a table by the place of the script. */
  qualify: (parts: readonly string[]) => readonly string[]
  /** Warns at an offset of the script. */
  warn: (offset: number, message: string) => void
}
