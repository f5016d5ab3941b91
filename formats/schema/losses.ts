// What a format cannot say. A writer names it instead of dropping it silently.

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

/** Collects what a language, `Avro`, cannot say of models. */
export class Losses {
  readonly all: Loss[] = []
  readonly #language: string

  constructor(language: string) {
    this.#language = language
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
  }

  /** Names what the model has and a language of nested fields cannot say. */
  unsaidOfModel(model: Model, said: { namespace: boolean }): void {
    const { name, kind, physicalName, namespace, quality, tags } = model
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
