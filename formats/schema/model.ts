// A model is one table, view, topic, file or message: a name and its fields. Data contracts define
// their models in a dozen schema languages, and ingested assets in those of their platforms. All of
// them are read into the one shape below, so that pages, search, differences and exports need not
// support a dozen languages.

import type { Value } from '../text/value.ts'

export const MODEL_KINDS = ['table', 'view', 'topic', 'file', 'object'] as const

export type ModelKind = (typeof MODEL_KINDS)[number]

/**
 * The kind of a value, independent of the platform's name for it. `unknown` is a missing type, or one
 * that is in no table.
 */
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
  'vector',
  'unknown',
] as const

export type LogicalType = (typeof LOGICAL_TYPES)[number]

/**
 * Properties that only one schema language has and that consumers depend on, by names such as `protobuf.number`.
 * `unanalyzed` holds, in canonical form, the parts of a definition that are neither read nor annotations.
 */
export type Traits = Readonly<Record<string, Value>>

/** The element types of vectors in ODCS 3.2. */
export const VECTOR_ELEMENTS = [
  'bfloat16',
  'binary',
  'float16',
  'float32',
  'float64',
  'int8',
  'uint8',
] as const

type VectorElement = (typeof VECTOR_ELEMENTS)[number]

/** A list of numbers of a fixed length, such as an embedding. */
export interface Vector {
  /** The number of elements; undefined if unknown. */
  dimensions?: number
  /** Undefined if it is unknown. */
  elementType?: VectorElement
  /** Whether all vectors have the length 1. */
  normalized: boolean
  /** The embedding model that made the vectors, and its version. */
  model?: string
  modelVersion?: string
  /** The metric that the vectors are meant to be compared with: `cosine`. */
  distanceMetric?: string
}

/** The role of a field for analysis. A field without one is a column. */
export const SEMANTIC_TYPES = ['column', 'measure', 'dimension'] as const

type SemanticType = (typeof SEMANTIC_TYPES)[number]

/** Guidance for people and programs that use data: no promise about them. */
export interface Context {
  instructions?: string
  /** Questions with their verified answers. */
  statements: { question: string; answer?: string }[]
  /** Restrictions on the use of the data. */
  constraints: string[]
}

/** The parts of a model, field, product or port that announce its end. */
export interface Deprecation {
  /** True if its document announces its end; undefined otherwise. */
  deprecated?: true
  /** The id or address of the product, port or contract that replaces it, as its author wrote it. */
  replacedBy?: string
}

export interface Model extends Deprecation {
  name: string
  /** The platform's name, if it differs. */
  physicalName?: string
  kind: ModelKind
  description?: string
  /** Other names that people use for it, without repetitions. */
  synonyms?: string[]
  context?: Context
  /** The qualifier of the name: the namespace of Avro, the package of Protobuf, the schema of SQL. */
  namespace?: string
  /** The database, project or catalog of the namespace; only in models that are exported. */
  database?: string
  fields: Field[]
  /** The names of the fields of the primary key, in order; empty = no key is given. */
  primaryKey: string[]
  /** The foreign keys of several fields; each field has its own part in its references, too. */
  foreignKeys?: ForeignKey[]
  quality: QualityCheck[]
  tags: string[]
  traits?: Traits
  /** JSON pointer into the document. */
  origin: string
}

/** Names of fields that together refer to the fields of one row, `customers.id`, in the same order. */
interface ForeignKey {
  fields: string[]
  references: string[]
}

export interface Field extends Deprecation {
  name: string
  physicalName?: string
  /** The platform's own text: `varchar(10)`. */
  physicalType?: string
  logicalType: LogicalType
  required: boolean
  unique: boolean
  /** The position in the primary key, from 1. */
  primaryKeyPosition?: number
  description?: string
  /** Other names that people use for it, without repetitions. */
  synonyms?: string[]
  semanticType?: SemanticType
  /** The expression of a measure or dimension, as its author wrote it. */
  expression?: string
  /** Of a vector. */
  vector?: Vector
  /** All allowed values. */
  enum?: Value[]
  /** A regular expression in the author's dialect; never executed. */
  pattern?: string
  /** Of the characters of a text, or the bytes of a binary. */
  minLength?: number
  maxLength?: number
  /** Of the items of an array. */
  minItems?: number
  maxItems?: number
  minimum?: Value
  maximum?: Value
  exclusiveMinimum?: Value
  exclusiveMaximum?: Value
  /** The decimal digits in total, and after the decimal point. */
  precision?: number
  scale?: number
  /** Of a time or timestamp: true for a point in time, false for a local time without a zone; undefined if unknown. */
  withTimeZone?: boolean
  /** The format of a text or number: `uuid`, `email`, `int32`; of a date its pattern. */
  format?: string
  classification?: string
  tags: string[]
  /** The fields of an object. */
  fields?: Field[]
  /** The items of an array; their name has no meaning. */
  items?: Field
  /** The keys and values of a map; their names have no meaning. */
  keys?: Field
  values?: Field
  /** The types of a union, each a field named by its type; null is not among them. */
  branches?: Field[]
  /** References to other fields, `customers.id`. */
  references: string[]
  quality: QualityCheck[]
  traits?: Traits
  /** JSON pointer into the document. */
  origin: string
}

/** A rule for the data, as its author wrote it. */
export interface QualityCheck {
  name?: string
  /** `library`, `sql`, `text`, `custom`, or the tool that checks it: `dbt`, `SodaCL`. */
  type: string
  description?: string
  /** The rule itself, as it is in the document. */
  rule: Value
  origin: string
}

/** A part that another format cannot express: `path` is the model and the field, `orders.total`. */
export interface Loss {
  path: string
  message: string
}

/** Models in another format, and the parts that it cannot express. */
export interface Written {
  text: string
  losses: Loss[]
}

/** The numbers of Protobuf fields and enumeration values, by the path of their message or enumeration. */
export type Numbering = ReadonlyMap<string, ReadonlyMap<string, number>>
