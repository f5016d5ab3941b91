// JSON Schema, draft-04 to 2020-12. An object schema is a model. A field that may be null is not required. A schema that
// stands inside itself is an object without fields, which refers to it by name. What a value may be besides (a second
// type, a union) is not in the model, so its type is unknown.

import { canonicalText } from '../../shape/canonical.ts'
import { any } from '../../shape/shape.ts'
import { fieldOf, isObject, put, type Value } from '../../text/value.ts'
import { avroModels, isAvro } from '../avro/read.ts'
import { FieldBudget, REFERRED_FIELDS } from '../field-budget.ts'
import { hashText } from '../hash-text.ts'
import { modelSchemas } from './documents.ts'
import { type Part, partAt, partsIn, References, topPart } from './references.ts'
import { ModelledKeywords } from './modelled.ts'
import { listAt, Teller, type Told } from './parts.ts'
import { withoutAnnotations } from './plain.ts'
import { MARKS } from '../json-schema-marks.ts'
import { TraitReader } from './trait-reader.ts'
import { firstText, listsNull, setValue, typesOf } from './value.ts'
import type { Field, Model } from '../model.ts'
import { plainField, plainModel } from '../plain.ts'
import type { Specification } from '../specification.ts'
import { Spot } from '../spot.ts'

/**
 * Reads JSON Schema: one schema, a list of them, an object of schemas by name, or a schema that only defines others.
 * An Avro record that stands in their place is read as Avro.
 */
export function readJsonSchema(specification: Specification): Model[] {
  const value = specification.value()
  if (value === undefined) return []
  if (isAvro(value)) return avroModels(specification, value)
  let isIncomplete = false
  const models = modelSchemas(topPart(value, Spot.top(specification))).flatMap(
    ({ document, schemas }) => {
      const reader = new Reader(document)
      const models = schemas.map(({ part, name }) => reader.model(part, name))
      isIncomplete ||= reader.isIncomplete
      return models
    },
  )
  if (isIncomplete) markIncomplete(models, value)
  return models
}

// What was not read may change without a trace in any model.
function markIncomplete(models: readonly Model[], value: Value): void {
  const digest = hashText(canonicalText(withoutAnnotations(value), any))
  for (const model of models) {
    const before = model.traits?.['unanalyzed']
    const unanalyzed = before === undefined ? digest : [before, digest]
    model.traits = { ...model.traits, unanalyzed }
  }
}

/** What a schema stands in: an object or list that has a name, and what that stands in. */
interface Around {
  depth: number
  name: string
  head: Value | undefined
  /** All the schemas that together describe it. */
  schemas: ReadonlySet<Value>
  outer?: Around
}

const NOWHERE_INSIDE: Around = { depth: 0, name: '', head: undefined, schemas: new Set() }

interface Property {
  name: string
  told: Part[]
  isRequired: boolean
}

class Reader {
  readonly #teller: Teller
  readonly #budget = new FieldBudget(REFERRED_FIELDS)
  readonly #properties = new WeakMap<readonly Part[], Property[]>()
  readonly #traits: TraitReader
  #isCut = false

  constructor(top: Part) {
    const references = new References(top)
    this.#teller = new Teller(references)
    this.#traits = new TraitReader(references)
  }

  /** Some schemas were not read, because there are too many of them or they are too deep. */
  get isIncomplete(): boolean {
    return this.#isCut || this.#teller.isIncomplete || this.#traits.isIncomplete
  }

  model(part: Part, name: string): Model {
    const model = plainModel(name, part.spot.origin)
    const told = this.#teller.told([part])
    const { words } = typesOf(told.parts)
    put(model, 'description', firstText(told.parts, 'description'))
    if (told.unknown !== undefined) told.unknown.part.spot.warning(told.unknown.message)
    if (words.length > 0 && !words.includes('object')) return this.#single(model, part)
    model.fields = this.#fields(told.parts, { depth: 1, name, ...headOf(told) })
    const modelled = new ModelledKeywords()
    modelled.add(told.parts, 'properties')
    const subject = words.length > 1 ? undefined : model
    put(model, 'traits', this.#traits.read({ begin: [part], told, subject, modelled }))
    return model
  }

  // A schema of a list or of a single value has one field, without which the model would say nothing.
  #single(model: Model, part: Part): Model {
    const field = this.#field('value', [part], part.spot, NOWHERE_INSIDE)
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
      if (isRequired && !field.required) field.traits = { ...field.traits, [MARKS.present]: true }
      field.required = field.required && isRequired
      fields.push(field)
    }
    return fields
  }

  /** Undefined when there are too many fields. Required unless it may be null. */
  #field(name: string, begin: readonly Part[], spot: Spot, around: Around): Field | undefined {
    if (!this.#budget.take((message) => spot.warning(message))) {
      this.#isCut = true
      return undefined
    }
    const field = plainField(name, 'unknown', spot.origin)
    const told = this.#teller.told(begin)
    const { parts } = told
    const { words, isNullable } = typesOf(parts)
    field.required = !(isNullable || told.isNullable || listsNull(parts))
    const own = firstText(parts.slice(0, 1), 'title')
    put(field, 'description', firstText(parts, 'description') ?? own)
    const word = onlyType(words)
    const modelled = new ModelledKeywords()
    const isUnknown = told.unknown !== undefined && (word === undefined || isReference(told))
    let elsewhere: ReadonlySet<Value> | undefined
    if (isUnknown) {
      told.unknown?.part.spot.warning(told.unknown.message)
    } else if (word === undefined) {
      if (words.length > 1)
        spot.warning('This may be of several types, so that its type is unknown.')
    } else {
      elsewhere = this.#typed(field, word, told, around, modelled)
    }
    const subject = isUnknown || word === undefined ? undefined : field
    const traits = this.#traits.read({ begin, told, subject, modelled, elsewhere })
    if (traits !== undefined) field.traits = { ...field.traits, ...traits }
    return field
  }

  /** Returns the schemas that are read elsewhere, when the schema is inside itself. */
  #typed(
    field: Field,
    word: string,
    told: Told,
    around: Around,
    modelled: ModelledKeywords,
  ): ReadonlySet<Value> | undefined {
    const { parts, head } = told
    setValue(field, word, parts)
    if (word === 'null') field.required = false
    if (word !== 'object' && word !== 'array') return undefined
    const itself = enclosing(around, head)
    if (itself !== undefined) {
      field.references = [itself.name]
      // What describes the whole does not describe its part.
      delete field.description
      put(field, 'description', firstText(parts.slice(0, 1), 'description'))
      return itself.schemas
    }
    const depth = around.depth + 1
    if (!this.#budget.reaches(depth, (message) => parts[0]?.spot.warning(message))) {
      this.#isCut = true
      return undefined
    }
    const inside = { depth, name: field.name, ...headOf(told), outer: around }
    if (word === 'array') this.#array(field, parts, inside, modelled)
    else this.#object(field, parts, inside, modelled)
    return undefined
  }

  #object(field: Field, parts: readonly Part[], inside: Around, modelled: ModelledKeywords): void {
    modelled.add(parts, 'properties')
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
    if (pattern !== undefined) modelled.add(parts, 'patternProperties')
    const closed = parts.filter((part) => isClosed(part, pattern, values))
    modelled.add(closed, 'additionalProperties')
    const isOpen = pattern !== undefined && closed.length === 0
    if (isOpen) field.traits = { [MARKS.otherKeys]: true }
    modelled.add(parts, 'propertyNames')
    put(field, 'values', this.#field('values', [values], values.spot, inside))
    const keys = parts.flatMap((part) => partAt(part, 'propertyNames') ?? [])
    const told = keys.length === 0 ? undefined : this.#keys(keys, values.spot, inside)
    const plain = { ...plainField('keys', 'string', values.spot.origin), required: true }
    field.keys = told === undefined ? plain : { ...told, logicalType: 'string', required: true }
    put(field.keys, 'pattern', pattern)
  }

  // Keys are always texts.
  #keys(begin: readonly Part[], spot: Spot, inside: Around): Field | undefined {
    const field = this.#field('keys', begin, spot, inside)
    if (field?.traits === undefined) return field
    const { [MARKS.null]: _null, [MARKS.untyped]: _untyped, ...traits } = field.traits
    if (Object.keys(traits).length > 0) return { ...field, traits }
    const { traits: _traits, ...plain } = field
    return plain
  }

  #array(field: Field, parts: readonly Part[], inside: Around, modelled: ModelledKeywords): void {
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
      modelled.add(parts, 'items')
      put(field, 'items', this.#field('items', items, place.spot, inside))
    }
  }
}

function headOf({ head, parts }: Told): Pick<Around, 'head' | 'schemas'> {
  return { head, schemas: new Set(parts.map(({ schema }) => schema)) }
}

// Whether a part says what the values of a map are, or that there are none beside those of its pattern.
function isClosed(part: Part, pattern: string | undefined, values: Part): boolean {
  const additional = fieldOf(part.schema, 'additionalProperties')
  if (pattern === undefined) return additional !== undefined && additional === values.schema
  const own = fieldOf(fieldOf(part.schema, 'patternProperties'), pattern)
  return additional === false && own !== undefined
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
