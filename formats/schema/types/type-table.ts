// A platform's types as data: one row for each type, with the other names that it has and what its values are.

import type { LogicalType } from '../model.ts'
import type { Platform } from './native-type.ts'

export interface TypeRow {
  /** The platform's usual spelling, in the case in which the platform shows it. */
  name: string
  /** Other names of the very same type, in lower case. */
  aliases?: readonly string[]
  logicalType: LogicalType
  format?: string
  bits?: number
  unsigned?: true
  withTimeZone?: boolean
  isZoneAmbiguous?: true
  /** Characters or bytes at most, of a type that takes no length. */
  maxLength?: number
  /** Takes a length: `otherwise` is the one that stands for none given, `unlimited` the one that limits nothing. */
  length?: { otherwise?: number; unlimited?: number }
  /** Takes decimal digits in all and behind the point, or (`fixed`) has them without saying so. */
  digits?: { precision?: number; scale?: number; fixed?: true }
  /** Takes the digits of the fraction of a second; how many there are when none are given. */
  seconds?: number
  /** Takes how many binary digits it holds, and with at most 24 of them it is the type of this name. */
  single?: string
  /** Whatever stands in its parentheses or behind its name belongs to it and changes its values. */
  open?: true
  /** What stands in its parentheses says how it is shown, not which values it has. */
  shown?: true
  /** Holds other types: `ARRAY<…>`, `MAP<…>`, `STRUCT<…>`. */
  holds?: 'items' | 'entries' | 'fields'
}

export interface TypeTable {
  platform: Platform
  rows: readonly TypeRow[]
}
