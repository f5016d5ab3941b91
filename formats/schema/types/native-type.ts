// The types of platforms. Each platform has a table of its types with their aliases. The text of a type
// is read into the shape below, so that `int4`, `integer` and `INT` compare as equal and `bigint` as
// wider.

import type { LogicalType, Vector } from '../model.ts'

/** Databases, table formats, schema languages and standards with types of their own. */
export const PLATFORMS = [
  'postgresql',
  'mysql',
  'sqlserver',
  'snowflake',
  'bigquery',
  'databricks',
  'hive',
  'iceberg',
  'avro',
  'json-schema',
  'protobuf',
  'dcs',
] as const

export type Platform = (typeof PLATFORMS)[number]

/** A parsed type of a platform. */
export interface NativeType {
  /**
   * The platform's usual spelling: `integer` for `int4`; the unchanged text of types that are in no
   * table.
   */
  text: string
  logicalType: LogicalType
  /** `uuid`, `json`, `int32`: the details that the logical type does not have. */
  format?: string
  /** The size of an integer or a binary floating point number in bits. */
  bits?: number
  unsigned?: true
  /**
   * The digits of a decimal in total and after the decimal point; undefined = the platform's maximum.
   */
  precision?: number
  scale?: number
  /** The size of the integer that a decimal of a fixed number of digits is stored as, in bits: of `money`. */
  storedBits?: number
  /**
   * The maximum length of a text in characters, or of a binary in bytes; undefined = no limit is given.
   */
  maxLength?: number
  /** The length of a text is in bytes. */
  inBytes?: true
  /** Its texts have no characters of four bytes. */
  isBasic?: true
  /** All values have the maximum length: `bit(3)`. */
  isExact?: true
  /** Whether a time or timestamp has a time zone. */
  withTimeZone?: boolean
  /** Platforms disagree about the time zone of this type, and the platform is unknown. */
  isZoneAmbiguous?: true
  /** Parameters and words that define the values in a way that is not read: `point,4326` of a geometry. */
  detail?: string
  /**
   * The type as each SQL platform reads it, in the order of their tables, if the platform is unknown and they disagree
   * about its values.
   */
  readings?: readonly NativeType[]
  vector?: Pick<Vector, 'dimensions' | 'elementType'>
  /** The words of an enumeration. */
  enum?: string[]
  items?: NativeType
  keys?: NativeType
  values?: NativeType
  fields?: { name: string; type: NativeType; required: boolean; description?: string }[]
}
