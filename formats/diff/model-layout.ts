// Layouts of models in the contract formats: which parts of a document a change of a model explains.

import { getField, asText, type Value } from '../text/value.ts'
import type { Aspect } from './model-changes.ts'

/** The layout of a model or field. */
interface PartLayout {
  /** The field that contains its fields as a list or map. */
  fields: string
  /** Fields that contain one field each. */
  single: readonly string[]
  /** Fields with parts that are fields: `map` with `key` and `value`. */
  holders?: ReadonlyMap<string, readonly string[]>
  /** The aspects that explain a field of the document; changes of other fields are reported separately. */
  aspects: ReadonlyMap<string, readonly Aspect[]>
}

/** The layout of the models of a format. */
export interface ModelLayout {
  /** Returns the name of a member of a list of models or fields. */
  getName: (item: Value) => string | undefined
  model: PartLayout
  field: PartLayout
}

type Aspects = { readonly [name: string]: readonly Aspect[] }

const MODEL: Aspects = {
  name: ['name'],
  physicalName: ['physicalName', 'name'],
  description: ['description'],
  tags: ['tags'],
  quality: ['quality'],
  deprecated: ['deprecated'],
}

const FIELD: Aspects = {
  name: ['name'],
  physicalName: ['physicalName', 'name'],
  physicalType: ['type'],
  logicalType: ['type', 'traits'],
  description: ['description'],
  tags: ['tags'],
  classification: ['classification'],
  required: ['required'],
  unique: ['unique'],
  primaryKey: ['primaryKey'],
  primaryKeyPosition: ['primaryKey'],
  enum: ['enum'],
  quality: ['quality', 'enum'],
  relationships: ['references'],
  deprecated: ['deprecated'],
  semanticType: ['semanticType'],
  transformLogic: ['semanticType'],
}

// The contents of `logicalTypeOptions` (ODCS), which are properties of the field in DCS.
const OPTIONS: Aspects = {
  minLength: ['length', 'type'],
  maxLength: ['length', 'type'],
  minItems: ['items'],
  maxItems: ['items'],
  pattern: ['pattern'],
  format: ['format', 'type'],
  minimum: ['range'],
  maximum: ['range'],
  exclusiveMinimum: ['range'],
  exclusiveMaximum: ['range'],
  dimensions: ['vector', 'type'],
  elementType: ['vector', 'type'],
  normalized: ['vector', 'type'],
  embeddingModel: ['vector', 'type'],
  embeddingModelVersion: ['vector', 'type'],
  distanceMetric: ['vector', 'type'],
}

/** The options of a logical type in ODCS. */
export const OPTION_ASPECTS: ReadonlyMap<string, readonly Aspect[]> = new Map(
  Object.entries(OPTIONS),
)

function part(fields: string, single: readonly string[], aspects: Aspects): PartLayout {
  return { fields, single, aspects: new Map(Object.entries(aspects)) }
}

/** ODCS 3: `schema[]` with `properties[]`. */
export const ODCS_LAYOUT: ModelLayout = {
  getName: (item) => asText(getField(item, 'name')),
  model: part('properties', [], {
    ...MODEL,
    physicalType: ['kind'],
    relationships: ['references'],
  }),
  field: {
    ...part('properties', ['items'], FIELD),
    holders: new Map([['map', ['key', 'value']]]),
  },
}

/** ODCS 2: `dataset[]` with `columns[]`. */
export const ODCS_2_LAYOUT: ModelLayout = {
  getName: (item) => asText(getField(item, 'table')) ?? asText(getField(item, 'column')),
  model: part('columns', [], { ...MODEL, table: ['name'] }),
  field: part('columns', [], {
    ...FIELD,
    column: ['name'],
    isNullable: ['required'],
    isUnique: ['unique'],
    isPrimaryKey: ['primaryKey'],
  }),
}

/** DCS: `models` with `fields`, both by name. */
export const DCS_LAYOUT: ModelLayout = {
  getName: () => undefined,
  model: part('fields', [], {
    ...MODEL,
    type: ['kind'],
    primaryKey: ['primaryKey'],
    config: ['physicalName', 'namespace'],
  }),
  field: part('fields', ['items', 'keys', 'values'], {
    ...FIELD,
    ...OPTIONS,
    type: ['type'],
    precision: ['type'],
    scale: ['type'],
    primary: ['primaryKey'],
    references: ['references'],
    config: ['type', 'physicalName'],
  }),
}
