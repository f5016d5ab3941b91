// JSON Schema, draft-04 to 2020-12. An object schema is a model. A field that may be null is not required. A schema that
// stands inside itself is an object without fields, which refers to it by name. What a value may be besides (a second
// type, a union) is not in the model, so its type is unknown.

import { fieldOf, isObject, put, textOf, type Value } from '../value.ts'
import { avroModels, isAvro } from './avro.ts'
import { FieldBudget, REFERRED_FIELDS } from './field-budget.ts'
import { type Part, partAt, partsIn, References, tailOfId, topPart } from './json-schema-index.ts'
import { listAt, Teller, type Told } from './json-schema-parts.ts'
import { firstText, listsNull, setValue, typesOf } from './json-schema-value.ts'
import type { Field, Model } from './model.ts'
import { plainField, plainModel } from './plain.ts'
import type { Specification } from './specification.ts'
import { Spot } from './spot.ts'

/**
 * Reads JSON Schema: one schema, a list of them, an object of schemas by name, or a schema that only defines others.
 * An Avro record that stands in their place is read as Avro.
 */
export function readJsonSchema(specification: Specification): Model[] {
  const value = specification.value()
  if (value === undefined) return []
  if (isAvro(value)) return avroModels(specification, value)
  const top = topPart(value, Spot.top(specification))
  return Array.isArray(value)
    ? partsIn(top).flatMap(([at, part]) => modelsIn(part, `schema${Number(at) + 1}`, top))
    : modelsIn(top, 'schema', top)
}

// References lead from the top of each schema of a list, and from the top of an object of schemas.
function modelsIn(part: Part, name: string, top: Part): Model[] {
  const { schema } = part
  if (!isObject(schema)) {
    part.spot.warning('A JSON Schema is an object; write “type: object” and its properties.')
    return []
  }
  const reader = new Reader(part)
  if (isSchema(schema)) return reader.models(part, name)
  const named = partsIn(part)
  if (named.length === 0 || !named.every(([, { schema }]) => isObject(schema))) {
    part.spot.warning('This is no JSON Schema; write “type: object” and its properties.')
    return []
  }
  const isTop = part === top
  return named.map(([key, inner]) => reader.model(inner, isTop ? key : `${name}.${key}`))
}

const SCHEMA_KEYWORDS: readonly [name: string, isFit: (value: Value) => boolean][] = [
  ['$schema', isText],
  ['$id', isText],
  ['$ref', isText],
  ['type', (type) => isText(type) || Array.isArray(type)],
  ['properties', isObject],
  ['$defs', isObject],
  ['definitions', isObject],
  ['allOf', Array.isArray],
  ['anyOf', Array.isArray],
  ['oneOf', Array.isArray],
  ['enum', Array.isArray],
]

function isText(value: Value): boolean {
  return typeof value === 'string'
}

function isSchema(schema: Value): boolean {
  return SCHEMA_KEYWORDS.some(([name, isFit]) => {
    const value = fieldOf(schema, name)
    return value !== undefined && isFit(value)
  })
}

const DEFINING = ['$defs', 'definitions']
const SAYING = ['type', 'properties', '$ref', 'allOf', 'anyOf', 'oneOf', 'items', 'enum']

/** What a schema stands in: an object or list that has a name, and what that stands in. */
interface Around {
  depth: number
  name: string
  head: Value | undefined
  outer?: Around
}

interface Property {
  name: string
  told: Part[]
  isRequired: boolean
}

class Reader {
  readonly #teller: Teller
  readonly #budget = new FieldBudget(REFERRED_FIELDS)
  readonly #properties = new WeakMap<readonly Part[], Property[]>()

  constructor(top: Part) {
    this.#teller = new Teller(new References(top))
  }

  models(part: Part, name: string): Model[] {
    const isOnlyDefining = !SAYING.some((keyword) => fieldOf(part.schema, keyword) !== undefined)
    const defined = DEFINING.flatMap((keyword) => partsIn(partAt(part, keyword)))
    if (isOnlyDefining && defined.length > 0)
      return defined.map(([key, inner]) => this.model(inner, key))
    const told = textOf(fieldOf(part.schema, 'title')) || tailOfId(part.schema)
    return [this.model(part, told ?? name)]
  }

  model(part: Part, name: string): Model {
    const model = plainModel(name, part.spot.origin)
    const told = this.#teller.told([part])
    const { words } = typesOf(told.parts)
    put(model, 'description', firstText(told.parts, 'description'))
    if (told.unknown !== undefined) told.unknown.part.spot.warning(told.unknown.message)
    if (words.length > 0 && !words.includes('object')) return this.#single(model, part)
    model.fields = this.#fields(told.parts, { depth: 1, name, head: told.head })
    return model
  }

  // A schema of a list or of a single value has one field, without which the model would say nothing.
  #single(model: Model, part: Part): Model {
    const field = this.#field('value', [part], part.spot, { depth: 0, name: '', head: undefined })
    model.fields = field === undefined ? [] : [{ ...field, required: true }]
    return model
  }

  #fields(parts: readonly Part[], around: Around): Field[] {
    const before = this.#properties.get(parts)
    const properties = before ?? propertiesOf(parts)
    this.#properties.set(parts, properties)
    const fields: Field[] = []
    for (const { name, told, isRequired } of properties) {
      const [first] = told
      const field = first && this.#field(name, told, first.spot, around)
      if (field === undefined) break
      field.required = field.required && isRequired
      fields.push(field)
    }
    return fields
  }

  /** Undefined when there are too many fields. Required unless it may be null. */
  #field(name: string, begin: readonly Part[], spot: Spot, around: Around): Field | undefined {
    if (!this.#budget.take((message) => spot.warning(message))) return undefined
    const field = plainField(name, 'unknown', spot.origin)
    const told = this.#teller.told(begin)
    const { parts } = told
    const { words, isNullable } = typesOf(parts)
    field.required = !(isNullable || told.isNullable || listsNull(parts))
    const own = firstText(parts.slice(0, 1), 'title')
    put(field, 'description', firstText(parts, 'description') ?? own)
    const word = onlyType(words)
    if (told.unknown !== undefined && (word === undefined || isReference(told))) {
      told.unknown.part.spot.warning(told.unknown.message)
    } else if (word === undefined) {
      if (words.length > 1)
        spot.warning('This may be of several types, so that its type is unknown.')
    } else {
      this.#typed(field, word, told, around)
    }
    return field
  }

  #typed(field: Field, word: string, { parts, head }: Told, around: Around): void {
    setValue(field, word, parts)
    if (word === 'null') field.required = false
    if (word !== 'object' && word !== 'array') return
    const itself = enclosing(around, head)
    if (itself !== undefined) {
      field.references = [itself.name]
      // What describes the whole does not describe its part.
      delete field.description
      put(field, 'description', firstText(parts.slice(0, 1), 'description'))
      return
    }
    const depth = around.depth + 1
    if (!this.#budget.reaches(depth, (message) => parts[0]?.spot.warning(message))) return
    const inside = { depth, name: field.name, head, outer: around }
    if (word === 'array') this.#array(field, parts, inside)
    else this.#object(field, parts, inside)
  }

  #object(field: Field, parts: readonly Part[], inside: Around): void {
    const fields = this.#fields(parts, inside)
    if (fields.length > 0) {
      field.fields = fields
      return
    }
    const patterns = parts.flatMap((part) => partsIn(partAt(part, 'patternProperties')))
    const additional = parts.flatMap((part) => partAt(part, 'additionalProperties') ?? [])
    const [pattern, values] = patterns[0] ?? [
      undefined,
      additional.find(({ schema }) => isObject(schema)),
    ]
    if (values === undefined || patterns.length > 1) return
    field.logicalType = 'map'
    put(field, 'values', this.#field('values', [values], values.spot, inside))
    const keys = parts.flatMap((part) => partAt(part, 'propertyNames') ?? [])
    const told = keys.length === 0 ? undefined : this.#field('keys', keys, values.spot, inside)
    const plain = { ...plainField('keys', 'string', values.spot.origin), required: true }
    field.keys = told === undefined ? plain : { ...told, logicalType: 'string', required: true }
    put(field.keys, 'pattern', pattern)
  }

  #array(field: Field, parts: readonly Part[], inside: Around): void {
    const items = parts.flatMap((part) => partAt(part, 'items') ?? [])
    const tuple = parts.flatMap((part) => [
      ...partsIn(listAt(part, 'prefixItems')),
      ...partsIn(listAt(part, 'items')),
    ])
    const [first, second] = tuple
    const [place] = items
    if (second !== undefined) {
      second[1].spot.warning('The items of this list differ by position; what they are is unknown.')
    } else if (first !== undefined) {
      put(field, 'items', this.#field('items', [first[1]], first[1].spot, inside))
    } else if (place !== undefined) {
      put(field, 'items', this.#field('items', items, place.spot, inside))
    }
  }
}

function propertiesOf(parts: readonly Part[]): Property[] {
  const required = new Set(
    parts.flatMap((part) => partsIn(listAt(part, 'required')).map(([, { schema }]) => schema)),
  )
  const properties = new Map<string, Part[]>()
  for (const part of parts) {
    for (const [name, property] of partsIn(partAt(part, 'properties'))) {
      const before = properties.get(name)
      if (before === undefined) properties.set(name, [property])
      else before.push(property)
      // In draft-03, and by mistake later, a property itself says that it is required.
      if (fieldOf(property.schema, 'required') === true) required.add(name)
    }
  }
  return [...properties].map(([name, told]) => ({ name, told, isRequired: required.has(name) }))
}

function enclosing(around: Around, head: Value | undefined): Around | undefined {
  let here: Around | undefined = around
  while (here !== undefined && here.head !== head) here = here.outer
  return here
}

function onlyType(words: readonly string[]): string | undefined {
  if (words.length === 2 && words.includes('integer') && words.includes('number')) return 'number'
  return words.length === 1 ? words[0] : undefined
}

function isReference({ unknown, parts }: Told): boolean {
  return unknown !== undefined && typeof unknown.part.schema === 'string' && parts.length <= 1
}
