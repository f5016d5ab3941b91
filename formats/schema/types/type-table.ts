// The types of a platform as data: one row for each type, with its aliases and its values.

import type { LogicalType, Vector } from '../model.ts'
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
  /** The length of a text is in bytes. */
  inBytes?: true
  /** Its texts have no characters of four bytes. */
  isBasic?: true
  /** All values have the maximum length. */
  isExact?: true
  /**
   * Has parameters for the decimal digits in total and after the decimal point, or (`fixed`) a fixed
   * number of them.
   */
  digits?: { precision?: number; scale?: number; fixed?: true }
  /** The size of the integer that the digits are stored as, in bits. */
  storedBits?: number
  /** Has a parameter for the fractional digits of a second, with the default without it. */
  seconds?: number
  /** The fractional digits of a second of a type without a parameter for them. */
  fraction?: number
  /** Has a parameter for binary digits; with at most 24 of them it is the type with this name. */
  single?: string
  /** Has a parameter for binary digits; with more than 24 of them it is the type with this name. */
  double?: string
  /** A property of the values that is only compared for equality: the unit of a stored number. */
  detail?: string
  /** The parameters and following words are part of the type and change its values. */
  open?: true
  /** The parameters define the display of the type, not its values. */
  shown?: true
  /** Has the length of a vector as a parameter, and may have its elements, which are these otherwise. */
  elements?: NonNullable<Vector['elementType']>
  /** Contains other types: `ARRAY<…>`, `MAP<…>`, `STRUCT<…>`. */
  holds?: 'items' | 'entries' | 'fields'
}

export interface TypeTable {
  platform: Platform
  rows: readonly TypeRow[]
}
