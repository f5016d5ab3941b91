// What a format cannot say. A writer names it instead of dropping it silently.

import { REPEATED_MARKS } from './json-schema-marks.ts'
import type { Field, Loss, Model } from './model.ts'

/** What each attribute of a field is called in a sentence. Those that are left out are said by every format. */
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
  scale: 'the number of digits behind the point',
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

/** Properties that define how a language encodes data. A model lists them once, not at each of its fields. */
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
export interface TimeZones {
  time?: boolean
  timestamp?: boolean
}

/** Collects what a language, such as Avro, cannot express of models. */
export class Losses {
  readonly all: Loss[] = []
  readonly #language: string
  readonly #zones: TimeZones
  /** Properties of the language itself, which its writer expresses or lists on its own. */
  readonly #ownPrefix: string

  constructor(language: string, zones: TimeZones = {}) {
    this.#language = language
    this.#zones = zones
    this.#ownPrefix = `${language.toLowerCase().replace(' ', '-')}.`
  }

  add(path: string, message: string): void {
    this.all.push({ path, message })
  }

  /** Names each attribute that the field has and that is not among those said. */
  unsaid(field: Field, path: string, said: ReadonlySet<Attribute>): void {
    for (const name of NAMES) {
      if (said.has(name) || !isTold(field[name])) continue
      this.add(path, `${this.#language} cannot say ${ATTRIBUTES[name]}.`)
    }
    this.#timeZone(field, path)
    this.#traits(field, path)
  }

  /** Lists the properties of other schema languages that a model has, and those of its fields' encoding. */
  traitsOfModel(model: Model): void {
    this.#traits(model, model.name)
    const encoding = new Set<string>()
    collectEncoding(model, encoding)
    for (const field of model.fields) collectEncoding(field, encoding)
    const names = [...encoding].filter((name) => !name.startsWith(this.#ownPrefix))
    if (names.length === 0) return
    this.add(model.name, `${this.#language} has its own encoding; not kept: ${names.join(', ')}.`)
  }

  /** Lists the properties of schema languages that a model and its fields have, and fields of several types. */
  traitsWithin(model: Model): void {
    this.traitsOfModel(model)
    for (const field of model.fields) this.#traitsWithin(field, `${model.name}.${field.name}`)
  }

  #traitsWithin(field: Field, path: string): void {
    this.#traits(field, path)
    if (field.branches !== undefined) {
      this.add(path, `${this.#language} cannot say ${ATTRIBUTES.branches}.`)
    }
    const { items, keys, values, fields = [] } = field
    if (items !== undefined) this.#traitsWithin(items, inside.items(path))
    if (keys !== undefined) this.#traitsWithin(keys, inside.keys(path))
    if (values !== undefined) this.#traitsWithin(values, inside.values(path))
    for (const inner of fields) this.#traitsWithin(inner, `${path}.${inner.name}`)
  }

  #traits({ traits = {} }: Model | Field, path: string): void {
    for (const name of Object.keys(traits)) {
      if (ENCODING.has(name) || REPEATED_MARKS.has(name) || name.startsWith(this.#ownPrefix))
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

  /** Names what the model has and a language of nested fields cannot say. */
  unsaidOfModel(model: Model, said: { namespace: boolean }): void {
    const { name, kind, physicalName, namespace, quality, tags } = model
    this.traitsOfModel(model)
    if (kind !== 'object') this.add(name, `${this.#language} cannot say that it is a ${kind}.`)
    if (physicalName !== undefined) {
      this.add(name, `${this.#language} cannot say ${ATTRIBUTES.physicalName}.`)
    }
    if (namespace !== undefined && !said.namespace) {
      this.add(name, `${this.#language} cannot say the namespace “${namespace}”.`)
    }
    if (model.primaryKey.length > 0) {
      this.add(name, `${this.#language} cannot say ${ATTRIBUTES.primaryKeyPosition}.`)
    }
    if (quality.length > 0) this.add(name, `${this.#language} cannot say ${ATTRIBUTES.quality}.`)
    if (tags.length > 0) this.add(name, `${this.#language} cannot say ${ATTRIBUTES.tags}.`)
  }
}

/** Gives the paths of what an array or a map holds, as losses name them. */
export const inside = {
  items: (path: string): string => `${path}[]`,
  keys: (path: string): string => `${path}{key}`,
  values: (path: string): string => `${path}{}`,
}

function isTold(value: unknown): boolean {
  if (value === undefined || value === false) return false
  return !Array.isArray(value) || value.length > 0
}

/** Returns how a sentence calls a property that only one schema language has. */
export function describeTrait(name: string): string {
  return name === 'unanalyzed' ? 'parts of the definition that are not analyzed' : `“${name}”`
}

/** Tells whether a field has properties that no other language expresses, apart from its encoding. */
export function hasForeignTraits({ traits = {} }: Field): boolean {
  return Object.keys(traits).some((name) => !ENCODING.has(name) && !REPEATED_MARKS.has(name))
}

function collectEncoding(part: Model | Field, encoding: Set<string>): void {
  for (const name of Object.keys(part.traits ?? {})) if (ENCODING.has(name)) encoding.add(name)
  if (!('logicalType' in part)) return
  const { items, keys, values, fields = [], branches = [] } = part
  for (const inner of [items, keys, values, ...fields, ...branches]) {
    if (inner !== undefined) collectEncoding(inner, encoding)
  }
}
