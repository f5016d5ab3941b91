// A model is one table, view, topic, file or message: a name and its fields. Data contracts tell their models in a dozen
// schema languages, and ingested assets in their platform's own. All of them are read into the one shape below, which
// pages, search, differences and exports use, so that none of these knows a dozen languages.

import type { Value } from '../text/value.ts'

export const MODEL_KINDS = ['table', 'view', 'topic', 'file', 'object'] as const

export type ModelKind = (typeof MODEL_KINDS)[number]

/** What a value is, whatever the platform calls it. `unknown` is a type that no table knows, or that is not told. */
export const LOGICAL_TYPES = [
  'string',
  'integer',
  'number',
  'boolean',
  'date',
  'time',
  'timestamp',
  'object',
  'array',
  'map',
  'binary',
  'unknown',
] as const

export type LogicalType = (typeof LOGICAL_TYPES)[number]

/**
 * Properties that only one schema language has and that consumers depend on, by names such as `protobuf.number`.
 * `unanalyzed` holds, in canonical form, the parts of a definition that are neither read nor annotations.
 */
export type Traits = Readonly<Record<string, Value>>

export interface Model {
  name: string
  /** What the platform calls it, when that is another name. */
  physicalName?: string
  kind: ModelKind
  description?: string
  /** What qualifies the name: the namespace of Avro, the package of Protobuf, the schema of SQL. */
  namespace?: string
  fields: Field[]
  /** The names of the fields of the primary key, in its order; empty = none is told. */
  primaryKey: string[]
  quality: QualityCheck[]
  tags: string[]
  traits?: Traits
  /** JSON pointer into the document. */
  origin: string
}

export interface Field {
  name: string
  physicalName?: string
  /** The platform's own text: `varchar(10)`. */
  physicalType?: string
  logicalType: LogicalType
  required: boolean
  unique: boolean
  /** Counts from 1. */
  primaryKeyPosition?: number
  description?: string
  /** All the values that there are. */
  enum?: Value[]
  /** A regular expression in the author's dialect; never executed. */
  pattern?: string
  /** The characters of a text, the bytes of a binary. */
  minLength?: number
  maxLength?: number
  /** The items of an array. */
  minItems?: number
  maxItems?: number
  minimum?: Value
  maximum?: Value
  exclusiveMinimum?: Value
  exclusiveMaximum?: Value
  /** Decimal digits in all, and behind the point. */
  precision?: number
  scale?: number
  /** Of a time or timestamp: true for a point in time, false for a local time without a zone; undefined if unknown. */
  withTimeZone?: boolean
  /** What a text or number looks like: `uuid`, `email`, `int32`; of a date its pattern. */
  format?: string
  classification?: string
  tags: string[]
  /** The fields of an object. */
  fields?: Field[]
  /** What an array holds; its name says nothing. */
  items?: Field
  /** What a map holds; their names say nothing. */
  keys?: Field
  values?: Field
  /** The types of a union, each a field named by its type; null is not among them. */
  branches?: Field[]
  /** What it refers to, `customers.id`. */
  references: string[]
  quality: QualityCheck[]
  traits?: Traits
  /** JSON pointer into the document. */
  origin: string
}

/** A rule that the data keeps, as its author tells it. */
export interface QualityCheck {
  name?: string
  /** `library`, `sql`, `text`, `custom`, or the tool that checks it: `dbt`, `SodaCL`. */
  type: string
  description?: string
  /** The rule itself, as it stands in the document. */
  rule: Value
  origin: string
}

/** What could not be said in another format: `path` names the model and the field, `orders.total`. */
export interface Loss {
  path: string
  message: string
}

/** Models in another format, and what of them it cannot say. */
export interface Written {
  text: string
  losses: Loss[]
}
