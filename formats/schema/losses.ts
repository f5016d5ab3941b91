// What a format cannot express. A writer reports it instead of dropping it silently.

import { REPEATED_MARKS } from './json-schema-marks.ts'
import type { Field, Loss, Model } from './model.ts'

/** The names of attributes in sentences. Every format expresses those that are missing here. */
const ATTRIBUTES = {
  physicalName: 'the physical name',
  unique: 'that the values are unique',
  primaryKeyPosition: 'the primary key',
  description: 'the description',
  enum: 'the list of values',
  pattern: 'the pattern',
  minLength: 'the shortest length',
  maxLength: 'the longest length',
  minItems: 'the fewest items',
  maxItems: 'the most items',
  minimum: 'the smallest value',
  maximum: 'the largest value',
  exclusiveMinimum: 'the lower bound',
  exclusiveMaximum: 'the upper bound',
  branches: 'that it may have one of several types',
  precision: 'the number of digits',
  scale: 'the number of digits after the decimal point',
  format: 'the format',
  classification: 'the classification',
  tags: 'the tags',
  references: 'what the field refers to',
  quality: 'the quality checks',
} as const satisfies { [name in keyof Field]?: string }

export type Attribute = keyof typeof ATTRIBUTES

const NAMES: readonly Attribute[] = [
  'physicalName',
  'unique',
  'primaryKeyPosition',
  'description',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'branches',
  'precision',
  'scale',
  'format',
  'classification',
  'tags',
  'references',
  'quality',
]

/** Properties that other parts of a model express: its names. */
const EXPRESSED: ReadonlySet<string> = new Set(['quotedNames'])

/** Properties of a language's encoding. They are listed once per model, not for each of its fields. */
const ENCODING: ReadonlySet<string> = new Set([
  'avro.aliases',
  'avro.encoding',
  'avro.logicalType',
  'avro.type',
  'protobuf.closed',
  'protobuf.encoding',
  'protobuf.enum',
  'protobuf.extensions',
  'protobuf.jsonName',
  'protobuf.legacyJson',
  'protobuf.number',
  'protobuf.packed',
  'protobuf.reserved',
])

/** Whether a language's times and timestamps have a time zone; undefined if its types express either. */
interface TimeZones {
  time?: boolean
  timestamp?: boolean
}

/** Which annotations a language has: that a part is deprecated, or also synonyms and instructions. */
type Annotations = 'none' | 'deprecated' | 'all'

/** Collects the parts of models that a language, such as Avro, cannot express. */
export class Losses {
  readonly all: Loss[] = []
  readonly #language: string
  readonly #zones: TimeZones
  readonly #annotations: Annotations
  /** The prefix of the language's own properties, which its writer expresses or reports itself. */
  readonly #ownPrefix: string

  constructor(language: string, zones: TimeZones = {}, annotations: Annotations = 'none') {
    this.#language = language
    this.#zones = zones
    this.#annotations = annotations
    this.#ownPrefix = `${language.toLowerCase().replace(' ', '-')}.`
  }

  add(path: string, message: string): void {
    this.all.push({ path, message })
  }

  /** Reports a name that the language does not accept. */
  addRename(path: string, name: string, written: string): void {
    if (written === name) return
    this.add(path, `${this.#language} does not accept this name; it is written as "${written}".`)
  }

  /** Reports each attribute of the field that is not in `covered`. */
  addUncovered(field: Field, path: string, covered: ReadonlySet<Attribute>): void {
    for (const name of NAMES) {
      if (covered.has(name) || !hasValue(field[name])) continue
      this.add(path, `${this.#language} cannot express ${ATTRIBUTES[name]}.`)
    }
    this.#timeZone(field, path)
    this.#traits(field, path)
    this.#addAnnotations(field, path)
    const made = listEmbedding(field.vector)
    if (made.length > 0) this.add(path, `${this.#language} cannot express ${made.join(', ')}.`)
  }

  /** Reports the properties of other schema languages on a model, and the encodings of its fields. */
  addModelTraits(model: Model): void {
    this.#traits(model, model.name)
    this.#addAnnotations(model, model.name)
    const encoding = new Set<string>()
    collectEncoding(model, encoding)
    for (const field of model.fields) collectEncoding(field, encoding)
    const names = [...encoding].filter((name) => !name.startsWith(this.#ownPrefix))
    if (names.length === 0) return
    this.add(model.name, `${this.#language} has its own encoding; not kept: ${names.join(', ')}.`)
  }

  /**
   * Reports the properties of schema languages on a model and all its fields, and fields of several
   * types.
   */
  addAllTraits(model: Model): void {
    this.addModelTraits(model)
    for (const field of model.fields) this.#addAllTraits(field, `${model.name}.${field.name}`)
  }

  #addAllTraits(field: Field, path: string): void {
    this.#traits(field, path)
    if (field.branches !== undefined) {
      this.add(path, `${this.#language} cannot express ${ATTRIBUTES.branches}.`)
    }
    const { items, keys, values, fields = [] } = field
    if (items !== undefined) this.#addAllTraits(items, inside.items(path))
    if (keys !== undefined) this.#addAllTraits(keys, inside.keys(path))
    if (values !== undefined) this.#addAllTraits(values, inside.values(path))
    for (const inner of fields) this.#addAllTraits(inner, `${path}.${inner.name}`)
  }

  // What is for people and programs that choose data, and no property of the data.
  #addAnnotations(part: Model | Field, path: string): void {
    if (this.#annotations === 'all') return
    const words = [
      part.deprecated === true && this.#annotations === 'none' && 'that it is deprecated',
      part.replacedBy !== undefined && 'what replaces it',
      part.synonyms !== undefined && 'the synonyms',
      'context' in part && part.context !== undefined && 'the instructions for its use',
    ].filter((word) => typeof word === 'string')
    for (const word of words) this.add(path, `${this.#language} cannot express ${word}.`)
  }

  #traits({ traits = {} }: Model | Field, path: string): void {
    for (const name of Object.keys(traits)) {
      if (
        EXPRESSED.has(name) ||
        ENCODING.has(name) ||
        REPEATED_MARKS.has(name) ||
        name.startsWith(this.#ownPrefix)
      )
        continue
      this.add(path, `${this.#language} cannot express ${describeTrait(name)}.`)
    }
  }

  #timeZone({ logicalType, withTimeZone }: Field, path: string): void {
    if (withTimeZone === undefined) return
    if (logicalType !== 'time' && logicalType !== 'timestamp') return
    const written = this.#zones[logicalType]
    if (written === undefined || written === withTimeZone) return
    const [has, but] = withTimeZone ? ['a', 'has none'] : ['no', 'has one']
    this.add(
      path,
      `The values have ${has} time zone, but a ${logicalType} of ${this.#language} ${but}.`,
    )
  }

  /** Reports that a language has no foreign keys of several fields. */
  addForeignKeys({ name, foreignKeys = [] }: Model): void {
    for (const { fields } of foreignKeys) {
      const words = fields.join(', ')
      this.add(name, `${this.#language} cannot express that ${words} are one foreign key.`)
    }
  }

  /** Reports the parts of a model that a language of nested fields cannot express. */
  addModelLosses(model: Model, covered: { namespace: boolean }): void {
    const { name, kind, physicalName, namespace, quality, tags } = model
    this.addModelTraits(model)
    if (kind !== 'object') this.add(name, `${this.#language} cannot express that it is a ${kind}.`)
    if (physicalName !== undefined) {
      this.add(name, `${this.#language} cannot express ${ATTRIBUTES.physicalName}.`)
    }
    if (namespace !== undefined && !covered.namespace) {
      this.add(name, `${this.#language} cannot express the namespace "${namespace}".`)
    }
    if (model.primaryKey.length > 0) {
      this.add(name, `${this.#language} cannot express ${ATTRIBUTES.primaryKeyPosition}.`)
    }
    this.addForeignKeys(model)
    if (quality.length > 0)
      this.add(name, `${this.#language} cannot express ${ATTRIBUTES.quality}.`)
    if (tags.length > 0) this.add(name, `${this.#language} cannot express ${ATTRIBUTES.tags}.`)
  }
}

/** Builds the paths of items, keys and values in losses. */
export const inside = {
  items: (path: string): string => `${path}[]`,
  keys: (path: string): string => `${path}{key}`,
  values: (path: string): string => `${path}{}`,
}

function listEmbedding(vector: Field['vector']): string[] {
  const { normalized = false, model, modelVersion, distanceMetric } = vector ?? {}
  return [
    ...(normalized ? ['that the vectors are normalized'] : []),
    ...(model === undefined && modelVersion === undefined ? [] : ['the embedding model']),
    ...(distanceMetric === undefined ? [] : ['the metric of the vectors']),
  ]
}

function hasValue(value: unknown): boolean {
  if (value === undefined || value === false) return false
  return !Array.isArray(value) || value.length > 0
}

/** Returns the name of a schema language's property in a sentence. */
function describeTrait(name: string): string {
  return name === 'unanalyzed' ? 'parts of the definition that are not analyzed' : `"${name}"`
}

/**
 * Returns whether a field has properties of one language that others cannot express, apart from its
 * encoding.
 */
export function hasForeignTraits({ traits = {} }: Field): boolean {
  return Object.keys(traits).some(
    (name) => !EXPRESSED.has(name) && !ENCODING.has(name) && !REPEATED_MARKS.has(name),
  )
}

function collectEncoding(part: Model | Field, encoding: Set<string>): void {
  for (const name of Object.keys(part.traits ?? {})) if (ENCODING.has(name)) encoding.add(name)
  if (!('logicalType' in part)) return
  const { items, keys, values, fields = [], branches = [] } = part
  for (const inner of [items, keys, values, ...fields, ...branches]) {
    if (inner !== undefined) collectEncoding(inner, encoding)
  }
}
