// The parts of a table: columns and constraints.

import type { SqlToken } from './scan.ts'
import type { ColumnType } from './script-types.ts'

/** A column. Constraints refer to it, so it can be renamed without looking for them. */
export interface SqlColumn {
  name: string
  type: ColumnType | undefined
  isRequired: boolean
  isDropped: boolean
  description?: string
  /** Clauses that the model cannot express, in canonical form. */
  unanalyzed: string[]
}

/** A condition as the script states it; `start` is the offset of `text`. */
export interface SqlCondition {
  text: string
  tokens: readonly SqlToken[]
  start: number
}

/** A promise about the values of one or more columns. */
export type SqlConstraint = {
  name: string | undefined
  isDropped?: boolean
} & (
  | { kind: 'primaryKey' | 'unique'; names: readonly string[]; columns?: SqlColumn[] }
  | {
      kind: 'foreignKey'
      names: readonly string[]
      columns?: SqlColumn[]
      table: readonly string[]
      references: readonly string[]
    }
  | {
      kind: 'check'
      condition: SqlCondition
      owner: SqlColumn | undefined
      columns?: SqlColumn[]
      /** The names of the columns in the condition. */
      written?: string[]
    }
  | { kind: 'rule'; text: string; names: readonly string[]; columns?: SqlColumn[] }
)
