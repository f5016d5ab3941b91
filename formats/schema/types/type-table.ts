// The types of a platform as data: one row for each type, with its aliases and its values.

import type { LogicalType } from '../model.ts'
import type { Platform } from './native-type.ts'

export interface TypeRow {
  /** The platform's usual spelling, with its usual case. */
  name: string
  /** Other names of the same type, in lower case. */
  aliases?: readonly string[]
  logicalType: LogicalType
  format?: string
  bits?: number
  unsigned?: true
  withTimeZone?: boolean
  isZoneAmbiguous?: true
  /** The maximum length of a type without a length parameter, in characters or bytes. */
  maxLength?: number
  /**
   * Has a length parameter: `otherwise` is the length without it, `unlimited` the parameter for no
   * limit.
   */
  length?: { otherwise?: number; unlimited?: number }
  /**
   * Has parameters for the decimal digits in total and after the decimal point, or (`fixed`) a fixed
   * number of them.
   */
  digits?: { precision?: number; scale?: number; fixed?: true }
  /** Has a parameter for the fractional digits of a second, with the default without it. */
  seconds?: number
  /** Has a parameter for binary digits; with at most 24 of them it is the type with this name. */
  single?: string
  /** The parameters and following words are part of the type and change its values. */
  open?: true
  /** The parameters define the display of the type, not its values. */
  shown?: true
  /** Contains other types: `ARRAY<…>`, `MAP<…>`, `STRUCT<…>`. */
  holds?: 'items' | 'entries' | 'fields'
}

export interface TypeTable {
  platform: Platform
  rows: readonly TypeRow[]
}
