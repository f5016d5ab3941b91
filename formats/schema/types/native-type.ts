// The platforms' own types. Every platform has a table of its types with their aliases; what a type's text says is read
// into the one shape below, so that `int4`, `integer` and `INT` can be told to be the same and `bigint` to hold more.

import type { LogicalType } from '../model.ts'

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
] as const

export type Platform = (typeof PLATFORMS)[number]

/** A type as a platform spells it, read. */
export interface NativeType {
  /** The platform's usual spelling: `integer` for `int4`; the text as it is when no table knows it. */
  text: string
  logicalType: LogicalType
  /** `uuid`, `json`, `int32`: what the logical type alone does not tell. */
  format?: string
  /** Of an integer or a binary floating point number, its size. */
  bits?: number
  unsigned?: true
  /** Of a decimal, digits in all and behind the point; undefined = as many as the platform can. */
  precision?: number
  scale?: number
  /** Of a text or binary, characters or bytes at most; undefined = no limit is told. */
  maxLength?: number
  /** A time or timestamp that knows its time zone. */
  withTimeZone?: boolean
  /** Platforms disagree about the time zone of this type, and the platform is unknown. */
  isZoneAmbiguous?: true
  /** The words of an enumeration. */
  enum?: string[]
  items?: NativeType
  keys?: NativeType
  values?: NativeType
  fields?: { name: string; type: NativeType; required: boolean; description?: string }[]
}
