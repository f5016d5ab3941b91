// Reads JSON Schema, draft-04 to 2020-12. An object schema is a model. A nullable field is not
// required. A recursive schema is an object without fields that refers to it by name. Further types of
// a value (a second type, a union) are not in the model, so its type is unknown.

import { canonicalText } from '../../shape/canonical.ts'
import { any } from '../../shape/shape.ts'
import { getField, isObject, put, type Value } from '../../text/value.ts'
import { avroModels, isAvro } from '../avro/read.ts'
import { FieldBudget, REFERRED_FIELDS } from '../field-budget.ts'
import { hashText } from '../hash-text.ts'
import { modelSchemas } from './documents.ts'
import { type SchemaPart, partAt, partsIn, References, topPart } from './references.ts'
import { ModelledKeywords } from './modelled.ts'
import { listAt, SchemaResolver, type ResolvedSchema } from './parts.ts'
import { withoutAnnotations } from './plain.ts'
import { MARKS } from '../json-schema-marks.ts'
import { TraitReader } from './trait-reader.ts'
import { firstText, isDeprecated, listsNull, setValue, listTypes } from './value.ts'
import type { Field, Model } from '../model.ts'
import { plainField, plainModel } from '../plain.ts'
import type { Specification } from '../specification.ts'
import { Spot } from '../spot.ts'

/**
 * Reads JSON Schema: one schema, a list of them, an object of schemas by name, or a schema that only
 * defines others. An Avro record in their place is read as Avro.
 */
export function readJsonSchema(specification: Specification): Model[] {
  const value = specification.value()
  if (value === undefined) return []
  if (isAvro(value)) return avroModels(specification, value)
  const parts = modelSchemas(topPart(value, Spot.top(specification)))
  let isIncomplete = false
  const models = parts.flatMap(({ document, schemas }) => {
    const reader = new Reader(document)
    const models = schemas.map(({ part, name }) => reader.model(part, name))
    isIncomplete ||= reader.isIncomplete
    return models
  })
  const unread = parts.flatMap((part) => part.unread ?? [])
  if (isIncomplete) addUnread(models, value)
  else if (unread.length > 0) addUnread(models, unread)
  return models
}

// Changes of unread parts must change every model.
function addUnread(models: readonly Model[], value: Value): void {
  const digest = hashText(canonicalText(withoutAnnotations(value), any))
  for (const model of models) {
    const before = model.traits?.['unanalyzed']
    const unanalyzed = before === undefined ? digest : [before, digest]
    model.traits = { ...model.traits, unanalyzed }
  }
}

/** The surroundings of a schema: an object or list with a name, and its own surroundings. */
interface Around {
  depth: number
  name: string
  head: Value | undefined
  /** All the schemas that define it. */
  schemas: ReadonlySet<Value>
  outer?: Around
}

const OUTERMOST: Around = { depth: 0, name: '', head: undefined, schemas: new Set() }

interface Property {
  name: string
  parts: SchemaPart[]
  isRequired: boolean
}

class Reader {
  readonly #resolver: SchemaResolver
  readonly #budget = new FieldBudget(REFERRED_FIELDS)
  readonly #properties = new WeakMap<readonly SchemaPart[], Property[]>()
  readonly #traits: TraitReader
  #isCut = false

  constructor(top: SchemaPart) {
    const references = new References(top)
    this.#resolver = new SchemaResolver(references)
    this.#traits = new TraitReader(references)
  }

  /** Some schemas were not read, because there are too many of them or they are too deep. */
  get isIncomplete(): boolean {
    return this.#isCut || this.#resolver.isIncomplete || this.#traits.isIncomplete
  }

  model(part: SchemaPart, name: string): Model {
    const model = plainModel(name, part.spot.origin)
    const resolved = this.#resolver.resolve([part])
    const { words } = listTypes(resolved.parts)
    put(model, 'description', firstText(resolved.parts, 'description'))
    if (isDeprecated(resolved.parts)) model.deprecated = true
    if (resolved.unknown !== undefined) resolved.unknown.part.spot.warning(resolved.unknown.message)
    if (words.length > 0 && !words.includes('object')) return this.#single(model, part)
    model.fields = this.#fields(resolved.parts, { depth: 1, name, ...toSurroundings(resolved) })
    const modelled = new ModelledKeywords()
    modelled.add(resolved.parts, 'properties')
    const isObjects = words.length === 1
    const subject = isObjects ? model : undefined
    const traits = this.#traits.read({ begin: [part], resolved, subject, modelled })
    put(model, 'traits', isObjects ? traits : { ...traits, [MARKS.anyRoot]: true })
    return model
  }

  // A schema of a list or of a single value has one field, because the model would otherwise be empty.
  #single(model: Model, part: SchemaPart): Model {
    const field = this.#field('value', [part], part.spot, OUTERMOST)
    model.fields = field === undefined ? [] : [{ ...field, required: true }]
    model.traits = { [MARKS.singleRoot]: true }
    return model
  }

  #fields(parts: readonly SchemaPart[], around: Around): Field[] {
    const before = this.#properties.get(parts)
    const properties = before ?? listProperties(parts)
    this.#properties.set(parts, properties)
    const fields: Field[] = []
    for (const { name, parts: propertyParts, isRequired } of properties) {
      const [first] = propertyParts
      const field = first && this.#field(name, propertyParts, first.spot, around)
      if (field === undefined) break
      if (isRequired && !field.required) field.traits = { ...field.traits, [MARKS.present]: true }
      field.required = field.required && isRequired
      fields.push(field)
    }
    return fields
  }

  /** Returns undefined if there are too many fields. A field is required unless it is nullable. */
  #field(
    name: string,
    begin: readonly SchemaPart[],
    spot: Spot,
    around: Around,
  ): Field | undefined {
    if (!this.#budget.take((message) => spot.warning(message))) {
      this.#isCut = true
      return undefined
    }
    const field = plainField(name, 'unknown', spot.origin)
    const resolved = this.#resolver.resolve(begin)
    const { parts } = resolved
    const { words, isNullable } = listTypes(parts)
    field.required = !(isNullable || resolved.isNullable || listsNull(parts))
    const own = firstText(parts.slice(0, 1), 'title')
    put(field, 'description', firstText(parts, 'description') ?? own)
    if (isDeprecated(parts)) field.deprecated = true
    const word = onlyType(words)
    const modelled = new ModelledKeywords()
    const isUnknown =
      resolved.unknown !== undefined && (word === undefined || isReference(resolved))
    let elsewhere: ReadonlySet<Value> | undefined
    if (isUnknown) {
      resolved.unknown?.part.spot.warning(resolved.unknown.message)
    } else if (word === undefined) {
      if (words.length > 1) spot.warning('This may have several types, so its type is unknown.')
    } else {
      elsewhere = this.#typed(field, word, resolved, around, modelled)
    }
    const subject = isUnknown || word === undefined ? undefined : field
    const traits = this.#traits.read({ begin, resolved, subject, modelled, elsewhere })
    if (traits !== undefined) field.traits = { ...field.traits, ...traits }
    return field
  }

  /** Returns the schemas that are read elsewhere, if the schema is recursive. */
  #typed(
    field: Field,
    word: string,
    resolved: ResolvedSchema,
    around: Around,
    modelled: ModelledKeywords,
  ): ReadonlySet<Value> | undefined {
    const { parts, head } = resolved
    setValue(field, word, parts)
    if (word === 'null') field.required = false
    if (word !== 'object' && word !== 'array') return undefined
    const itself = enclosing(around, head)
    if (itself !== undefined) {
      field.references = [itself.name]
      // The description of the whole does not describe its part.
      delete field.description
      put(field, 'description', firstText(parts.slice(0, 1), 'description'))
      return itself.schemas
    }
    const depth = around.depth + 1
    if (!this.#budget.reaches(depth, (message) => parts[0]?.spot.warning(message))) {
      this.#isCut = true
      return undefined
    }
    const inside = { depth, name: field.name, ...toSurroundings(resolved), outer: around }
    if (word === 'array') this.#array(field, parts, inside, modelled)
    else this.#object(field, parts, inside, modelled)
    return undefined
  }

  #object(
    field: Field,
    parts: readonly SchemaPart[],
    inside: Around,
    modelled: ModelledKeywords,
  ): void {
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
    const keyField = keys.length === 0 ? undefined : this.#keys(keys, values.spot, inside)
    const plain = { ...plainField('keys', 'string', values.spot.origin), required: true }
    field.keys =
      keyField === undefined ? plain : { ...keyField, logicalType: 'string', required: true }
    put(field.keys, 'pattern', pattern)
  }

  // Keys are always texts.
  #keys(begin: readonly SchemaPart[], spot: Spot, inside: Around): Field | undefined {
    const field = this.#field('keys', begin, spot, inside)
    if (field?.traits === undefined) return field
    const { [MARKS.null]: _null, [MARKS.untyped]: _untyped, ...traits } = field.traits
    if (Object.keys(traits).length > 0) return { ...field, traits }
    const { traits: _traits, ...plain } = field
    return plain
  }

  #array(
    field: Field,
    parts: readonly SchemaPart[],
    inside: Around,
    modelled: ModelledKeywords,
  ): void {
    const items = parts.flatMap((part) => partAt(part, 'items') ?? [])
    const tuple = parts.flatMap((part) => [
      ...partsIn(listAt(part, 'prefixItems')),
      ...partsIn(listAt(part, 'items')),
    ])
    const [first, second] = tuple
    const [place] = items
    if (second !== undefined) {
      second[1].spot.warning('The items of this list differ by position, so their type is unknown.')
    } else if (first !== undefined) {
      put(field, 'items', this.#field('items', [first[1]], first[1].spot, inside))
    } else if (place !== undefined) {
      modelled.add(parts, 'items')
      put(field, 'items', this.#field('items', items, place.spot, inside))
    }
  }
}

function toSurroundings({ head, parts }: ResolvedSchema): Pick<Around, 'head' | 'schemas'> {
  return { head, schemas: new Set(parts.map(({ schema }) => schema)) }
}

// Returns whether a part defines the values of a map, or allows none except those of its pattern.
function isClosed(part: SchemaPart, pattern: string | undefined, values: SchemaPart): boolean {
  const additional = getField(part.schema, 'additionalProperties')
  if (pattern === undefined) return additional !== undefined && additional === values.schema
  const own = getField(getField(part.schema, 'patternProperties'), pattern)
  return additional === false && own !== undefined
}

function listProperties(parts: readonly SchemaPart[]): Property[] {
  const required = new Set(
    parts.flatMap((part) => partsIn(listAt(part, 'required')).map(([, { schema }]) => schema)),
  )
  const properties = new Map<string, SchemaPart[]>()
  for (const part of parts) {
    for (const [name, property] of partsIn(partAt(part, 'properties'))) {
      const before = properties.get(name)
      if (before === undefined) properties.set(name, [property])
      else before.push(property)
      // In draft-03, and by mistake later, a property itself contains `required`.
      if (getField(property.schema, 'required') === true) required.add(name)
    }
  }
  return [...properties].map(([name, propertyParts]) => ({
    name,
    parts: propertyParts,
    isRequired: required.has(name),
  }))
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

function isReference({ unknown, parts }: ResolvedSchema): boolean {
  return unknown !== undefined && typeof unknown.part.schema === 'string' && parts.length <= 1
}
