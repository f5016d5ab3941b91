// Writes JSON Schema, 2020-12. One model is one schema; several are definitions under `$defs`.

import { ExactNumber, type ObjectValue, pointerStep, type Value } from '../../text/value.ts'
import { Scope } from '../identifier.ts'
import { type Attribute, inside, Losses } from '../losses.ts'
import { JSON_SCHEMA, REPEATED_MARKS } from '../json-schema-marks.ts'
import type { Field, Model, Written } from '../model.ts'

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'

/** Writes models as JSON Schema: a schema for one, `$defs` by name for several or none. */
export function writeJsonSchema(models: readonly Model[]): Written {
  const writer = new Writer()
  const schema = models.length === 1 ? writer.single(models) : writer.several(models)
  return {
    text: `${JSON.stringify({ $schema: DRAFT, ...schema }, null, 2)}\n`,
    losses: writer.losses.all,
  }
}

const ALWAYS_COVERED: readonly Attribute[] = [
  'description',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]
const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const

// Formats that would change the type of a text when it is read.
const TAKEN_FORMATS = new Set(['date', 'time', 'date-time', 'byte', 'binary'])

/** The model of a field: its name, and a reference to it. */
interface Whole {
  name: string
  reference: string
}

class Writer {
  readonly losses = new Losses('JSON Schema', { time: true, timestamp: true }, 'deprecated')

  single(models: readonly Model[]): ObjectValue {
    const schemas = models.map((model) => ({
      title: model.name,
      ...this.#model(model, { name: model.name, reference: '#' }),
    }))
    return Object.assign({}, ...schemas)
  }

  several(models: readonly Model[]): ObjectValue {
    const scope = new Scope()
    const definitions = models.map((model): [string, Value] => {
      const key = scope.unique(model.name)
      if (key !== model.name) {
        this.losses.add(
          model.name,
          `Another model has this name already; it is written as "${key}".`,
        )
      }
      const reference = `#/$defs/${encodeURIComponent(pointerStep(key))}`
      return [key, this.#model(model, { name: model.name, reference })]
    })
    return { $defs: Object.fromEntries(definitions) }
  }

  #model(model: Model, whole: Whole): ObjectValue {
    this.losses.addModelLosses(model, { namespace: false })
    this.#listTraits(model, model.name)
    const description = model.description === undefined ? {} : { description: model.description }
    const fields = this.#fields(model.fields, model.name, whole)
    return { ...description, ...deprecation(model), type: 'object', ...fields }
  }

  #fields(fields: readonly Field[], path: string, whole: Whole): ObjectValue {
    const properties = fields.map((field): [string, Value] => [
      field.name,
      this.#schema(field, `${path}.${field.name}`, whole),
    ])
    const required = fields.filter((field) => field.required).map(({ name }) => name)
    return {
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
    }
  }

  // They are only in the original specification.
  #listTraits({ traits = {} }: Model | Field, path: string): void {
    const keywords = Object.keys(traits).filter(
      (name) => name.startsWith(JSON_SCHEMA) && !REPEATED_MARKS.has(name),
    )
    for (const name of keywords) {
      this.losses.add(path, `"${name.slice(JSON_SCHEMA.length)}" is not written.`)
    }
  }

  #schema(field: Field, path: string, whole: Whole): ObjectValue {
    this.#listTraits(field, path)
    const { references, fields = [] } = field
    const isItself = field.logicalType === 'object' && fields.length === 0
    const description = field.description === undefined ? {} : { description: field.description }
    if (isItself && references.length === 1 && references[0] === whole.name) {
      this.losses.addUncovered(field, path, new Set(['description', 'references']))
      return { $ref: whole.reference, ...description, ...deprecation(field) }
    }
    const type = this.#type(field, path, whole)
    const covered = new Set([...ALWAYS_COVERED, ...this.#format(field, type), ...bounds(field)])
    if (field.enum?.length === 0 || field.logicalType === 'unknown') covered.delete('enum')
    if (field.logicalType === 'binary') {
      covered.delete('minLength')
      covered.delete('maxLength')
    }
    this.losses.addUncovered(field, path, covered)
    return { ...description, ...deprecation(field), ...type, ...limits(field, covered) }
  }

  #format(field: Field, type: ObjectValue): Attribute[] {
    const { format } = field
    if (format === undefined || type['type'] === undefined || type['format'] !== undefined)
      return []
    return TAKEN_FORMATS.has(format) || field.logicalType === 'binary' ? [] : ['format']
  }

  #type(field: Field, path: string, whole: Whole): ObjectValue {
    const { logicalType, format } = field
    switch (logicalType) {
      case 'integer':
      case 'number':
      case 'boolean':
        return { type: logicalType }
      case 'string':
        return { type: 'string' }
      case 'date':
      case 'time':
        return { type: 'string', format: logicalType }
      case 'timestamp':
        return { type: 'string', format: 'date-time' }
      case 'binary':
        return { type: 'string', contentEncoding: 'base64' }
      case 'object':
        if (field.items !== undefined) {
          this.losses.add(path, `The items of the ${format ?? 'object'} cannot be expressed.`)
        }
        return {
          type: 'object',
          ...(field.fields?.length ? this.#fields(field.fields, path, whole) : {}),
        }
      case 'array':
        return { type: 'array', ...this.#held('items', field.items, inside.items(path), whole) }
      case 'map':
        return { type: 'object', ...this.#map(field, path, whole) }
      case 'vector':
        return { type: 'array', items: { type: 'number' } }
      case 'unknown':
        if (format !== undefined)
          this.losses.add(path, 'The type is unknown, so its format is not written.')
        return {}
    }
  }

  #map({ keys, values }: Field, path: string, whole: Whole): ObjectValue {
    const written = this.#held('additionalProperties', values, inside.values(path), whole)
    if (values === undefined) written['additionalProperties'] = {}
    if (keys === undefined) return written
    const keysPath = inside.keys(path)
    if (keys.logicalType !== 'string' || !keys.required) {
      this.losses.add(keysPath, 'The keys of a map are texts in JSON.')
    }
    this.losses.addUncovered(keys, keysPath, new Set([...ALWAYS_COVERED, 'format']))
    const names = {
      ...(keys.format === undefined ? {} : { format: keys.format }),
      ...limits(keys, new Set(ALWAYS_COVERED)),
    }
    const description = keys.description === undefined ? {} : { description: keys.description }
    const propertyNames = { ...description, ...names }
    return Object.keys(propertyNames).length === 0
      ? written
      : { ...written, propertyNames: { type: 'string', ...propertyNames } }
  }

  // A field that is not required may be missing; an item cannot be missing, but it can be null.
  #held(keyword: string, held: Field | undefined, path: string, whole: Whole): ObjectValue {
    if (held === undefined) return {}
    const schema = this.#schema(held, path, whole)
    const isPlain = held.required || typeof schema['type'] !== 'string'
    if (isPlain)
      return { [keyword]: held.required ? schema : { anyOf: [schema, { type: 'null' }] } }
    const values = schema['enum']
    const withNull = Array.isArray(values) ? { enum: [...values, null] } : {}
    return { [keyword]: { ...schema, type: [schema['type'] ?? 'string', 'null'], ...withNull } }
  }
}

function deprecation({ deprecated }: Model | Field): ObjectValue {
  return deprecated === true ? { deprecated } : {}
}

function bounds(field: Field): Attribute[] {
  return BOUNDS.filter((name) => isNumber(field[name]))
}

function isNumber(value: Value | undefined): boolean {
  return typeof value === 'number' || value instanceof ExactNumber
}

const LIMITS = [
  'format',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  ...BOUNDS,
] as const

function limits(field: Field, covered: ReadonlySet<Attribute>): ObjectValue {
  const entries = LIMITS.flatMap((name) => {
    const value = field[name]
    return covered.has(name) && value !== undefined ? [[name, value] as const] : []
  })
  return Object.fromEntries(entries)
}
