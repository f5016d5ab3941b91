// Reads the models of an ODCS 3 document: its schema objects with their properties. A contract may have a hundred
// thousand properties, so each is read in one pass, and paths are only built for messages.

import { readContext, readDeprecation, readSynonyms } from '../../data-product/guidance.ts'
import { readReplacedBy } from '../../data-product/guidance.ts'
import { canonicalText } from '../../shape/canonical.ts'
import { any } from '../../shape/shape.ts'
import { nonBlankText, listTexts } from '../../data-product/fields.ts'
import { type Notes, PROBLEMS_MAX } from '../../text/problem.ts'
import { FieldBudget, WRITTEN_FIELDS } from '../../schema/field-budget.ts'
import { type Field, MODEL_KINDS, type Model, type ModelKind } from '../../schema/model.ts'
import { SEMANTIC_TYPES } from '../../schema/model.ts'
import { plainField, plainModel } from '../../schema/plain.ts'
import type { Platform } from '../../schema/types/native-type.ts'
import { getField, isObject, type ObjectValue, put, asText, type Value } from '../../text/value.ts'
import { customText, customValue } from '../custom-properties.ts'
import { LAST_POSITION, noteRepeatedNames, toPath, setPrimaryKey } from '../model-parts.ts'
import { parseLogicalType, readKeyPosition } from '../model-parts.ts'
import { NativeTypes } from '../native-types.ts'
import { readCustom, readEnum, readOptions, readVector } from './field.ts'
import { Relationships } from './relationships.ts'
import { moveEnumeration, readChecks } from '../quality-checks.ts'

// A trait: the logical type of a field that the standard does not name.
const UNREAD_TYPE = 'odcs.logicalType'

const KINDS: ReadonlySet<string> = new Set(MODEL_KINDS)

/** Reads the models of an ODCS 3 document; reports repeated names, and models that are too deep or too large. */
export function odcsModels(
  value: ObjectValue,
  platform: Platform | undefined,
  notes: Notes,
): Model[] {
  return new Reader(value, platform, notes).models()
}

/** Returns the kind of a model by its name, ignoring case; a table if the name is unknown. */
export function parseModelKind(name: string | undefined): ModelKind {
  const kind = name?.toLowerCase() ?? ''
  return isKind(kind) ? kind : 'table'
}

function isKind(name: string): name is ModelKind {
  return KINDS.has(name)
}

class Reader {
  readonly #value: ObjectValue
  readonly #notes: Notes
  readonly #types: NativeTypes
  readonly #relationships: Relationships
  readonly #budget = new FieldBudget(WRITTEN_FIELDS)

  constructor(value: ObjectValue, platform: Platform | undefined, notes: Notes) {
    this.#value = value
    this.#notes = notes
    this.#types = new NativeTypes(platform, this.#budget, (origin, message) =>
      this.#warn(origin, message),
    )
    this.#relationships = new Relationships(value, notes)
  }

  models(): Model[] {
    const list = getField(this.#value, 'schema')
    if (!Array.isArray(list)) return []
    const models: Model[] = []
    list.forEach((item, at) => {
      if (isObject(item)) models.push(this.#model(item, at))
    })
    noteRepeatedNames(models, 'model', this.#value, this.#notes)
    return models
  }

  #model(raw: ObjectValue, at: number): Model {
    const origin = `/schema/${at}`
    const physicalName = nonBlankText(getField(raw, 'physicalName'))
    const custom = getField(raw, 'customProperties')
    const name = nonBlankText(getField(raw, 'name')) ?? physicalName ?? `schema[${at}]`
    const model = plainModel(name, origin)
    const isBlob = getField(raw, 'logicalType') === 'blob'
    model.kind = isBlob ? 'file' : parseModelKind(asText(getField(raw, 'physicalType')))
    if (physicalName !== name) put(model, 'physicalName', physicalName)
    put(model, 'description', nonBlankText(getField(raw, 'description')))
    put(model, 'synonyms', readSynonyms(getField(raw, 'synonyms')))
    put(model, 'context', readContext(getField(raw, 'context')))
    Object.assign(model, readDeprecation(raw))
    put(model, 'namespace', customText(custom, 'namespace') ?? customText(custom, 'avroNamespace'))
    model.tags = listTexts(getField(raw, 'tags'))
    model.quality = readChecks(getField(raw, 'quality'), `${origin}/quality`, 'library')
    model.fields = this.#fields(getField(raw, 'properties'), `${origin}/properties`, 1)
    setPrimaryKey(model)
    this.#relate(model, getField(raw, 'relationships'))
    return model
  }

  // A relationship of the model names its own fields in `from`.
  #relate(model: Model, relationships: Value | undefined): void {
    if (!Array.isArray(relationships)) return
    const fields = new Map(model.fields.map((field) => [field.name, field]))
    relationships.forEach((relationship, place) => {
      const read = (end: 'from' | 'to') =>
        this.#relationships.read(getField(relationship, end), () =>
          toPath(this.#value, `${model.origin}/relationships/${place}/${end}`),
        )
      this.#noteLengths(relationship, `${model.origin}/relationships/${place}/to`)
      const to = read('to')
      const names: string[] = []
      read('from').forEach((from, at) => {
        const target = to[at]
        const start = from.startsWith(`${model.name}.`) ? model.name.length : from.indexOf('.')
        const field = fields.get(from.slice(start + 1))
        // The field may already have the same reference.
        if (field === undefined || target === undefined) return
        names.push(field.name)
        if (!field.references.includes(target)) field.references.push(target)
      })
      if (names.length > 1 && names.length === to.length) {
        model.foreignKeys = [...(model.foreignKeys ?? []), { fields: names, references: to }]
      }
    })
  }

  #noteLengths(relationship: Value, origin: string): void {
    const [from, to] = [getField(relationship, 'from'), getField(relationship, 'to')]
    if (!Array.isArray(from) || !Array.isArray(to) || from.length === to.length) return
    const message = `"to" has ${to.length} fields, and "from" has ${from.length}; give each field its counterpart.`
    this.#warn(origin, message)
  }

  // What the text of the standard demands beyond its schema.
  #noteDemands(field: Field, raw: ObjectValue): void {
    if (field.vector !== undefined && field.vector.dimensions === undefined) {
      // The schema requires the member of the options, but not the options.
      if (getField(raw, 'logicalTypeOptions') === undefined) {
        this.#warn(field.origin, 'The vector has no dimensions; set logicalTypeOptions.dimensions.')
      }
    }
    if (field.enum === undefined || field.enum.length < 2) return
    const seen = new Set<string>()
    field.enum.forEach((value, at) => {
      const text = canonicalText(value, any)
      const message = 'Another entry has an equal value; remove one of them.'
      if (seen.has(text) && Array.isArray(raw['enum'])) {
        this.#warn(`${field.origin}/enum/${at}`, message)
      }
      seen.add(text)
    })
  }

  #refer(field: Field, relationships: Value | undefined): void {
    if (!Array.isArray(relationships)) return
    const targets = relationships.flatMap((relationship, at) =>
      this.#relationships.read(getField(relationship, 'to'), () =>
        toPath(this.#value, `${field.origin}/relationships/${at}/to`),
      ),
    )
    field.references = [...new Set(targets)]
  }

  #fields(list: Value | undefined, origin: string, depth: number): Field[] {
    if (!Array.isArray(list) || list.length === 0) return []
    if (!this.#budget.reaches(depth, (message) => this.#warn(origin, message))) return []
    const fields: Field[] = []
    for (let at = 0; at < list.length; at += 1) {
      const raw = list[at]
      if (!isObject(raw)) continue
      const name = asText(getField(raw, 'name')) ?? `properties[${at}]`
      const field = this.#field(raw, name, `${origin}/${at}`, depth)
      if (field === undefined) break
      fields.push(field)
    }
    noteRepeatedNames(fields, 'field', this.#value, this.#notes)
    return fields
  }

  // Undefined if there are too many fields.
  #field(raw: ObjectValue, name: string, origin: string, depth: number): Field | undefined {
    if (!this.#budget.take((message) => this.#warn(origin, message))) return undefined
    const field = plainField(name, 'unknown', origin)
    const custom = getField(raw, 'customProperties')
    readPlain(field, raw, origin)
    this.#refer(field, getField(raw, 'relationships'))
    if (depth > 1) delete field.primaryKeyPosition
    const customType = parseLogicalType(customValue(custom, 'dcs.logicalType'))
    const logicalType = parseLogicalType(getField(raw, 'logicalType'))
    if (customType === undefined) this.#types.apply(field, logicalType)
    else field.logicalType = customType
    if (logicalType === undefined && field.logicalType === 'unknown') keepUnread(field, raw)
    const options = getField(raw, 'logicalTypeOptions')
    if (field.logicalType === 'vector') field.vector = readVector(options, field.vector)
    else readOptions(field, options)
    if (field.vector !== undefined || field.enum !== undefined) this.#noteDemands(field, raw)
    if (custom !== undefined) {
      readCustom(field, custom)
      put(field, 'replacedBy', readReplacedBy(custom))
    }
    if (isNested(field)) this.#nested(field, raw, custom, depth)
    return field
  }

  #nested(field: Field, raw: ObjectValue, custom: Value | undefined, depth: number): void {
    const { origin } = field
    if (field.logicalType === 'object') {
      const fields = this.#fields(getField(raw, 'properties'), `${origin}/properties`, depth + 1)
      if (fields.length > 0) field.fields = fields
      requireListed(field, getField(raw, 'logicalTypeOptions'))
    } else if (field.logicalType === 'array') {
      this.#part(field, 'items', getField(raw, 'items'), `${origin}/items`, depth)
    } else {
      const map = getField(raw, 'map')
      const key = getField(map, 'key') ?? readMapPart(custom, 'mapKey')
      const value = getField(map, 'value') ?? readMapPart(custom, 'mapValue')
      this.#part(field, 'keys', key, `${origin}/map/key`, depth)
      this.#part(field, 'values', value, `${origin}/map/value`, depth)
    }
  }

  #part(
    field: Field,
    part: 'items' | 'keys' | 'values',
    raw: Value | undefined,
    origin: string,
    depth: number,
  ): void {
    if (!isObject(raw)) return
    if (!this.#budget.reaches(depth + 1, (message) => this.#warn(origin, message))) return
    put(field, part, this.#field(raw, asText(getField(raw, 'name')) ?? part, origin, depth + 1))
  }

  #warn(origin: string, message: string): void {
    if (this.#notes.warnings.length >= PROBLEMS_MAX) return
    this.#notes.warning(toPath(this.#value, origin), message)
  }
}

function isNested({ logicalType }: Field): boolean {
  return logicalType === 'object' || logicalType === 'array' || logicalType === 'map'
}

// The type of the keys or values of a map, if the version cannot represent it: a property, or the name of a type.
function readMapPart(
  custom: Value | undefined,
  property: 'mapKey' | 'mapValue',
): Value | undefined {
  const whole = customValue(custom, property)
  if (whole !== undefined) return whole
  const physicalType = customText(custom, `${property}Type`)
  return physicalType === undefined ? undefined : { physicalType }
}

function requireListed(field: Field, options: Value | undefined): void {
  const names = new Set(listTexts(getField(options, 'required')))
  if (names.size === 0) return
  for (const nested of field.fields ?? []) {
    if (names.has(nested.name)) nested.required = true
  }
}

// One pass over the existing fields is several times faster than looking up every possible field.
function readPlain(field: Field, raw: ObjectValue, origin: string): void {
  let isKey = false
  let position = LAST_POSITION
  for (const name of Object.keys(raw)) {
    const value = raw[name] ?? null
    if (value === null || value === '') continue
    if (name === 'physicalType') put(field, 'physicalType', nonBlankText(value))
    else if (name === 'description') put(field, 'description', nonBlankText(value))
    else if (name === 'required') field.required = value === true
    else if (name === 'unique') field.unique = value === true
    else if (name === 'primaryKey') isKey = value === true
    else if (name === 'primaryKeyPosition') position = readKeyPosition(value)
    else if (name === 'classification') put(field, 'classification', nonBlankText(value))
    else if (name === 'tags') field.tags = listTexts(value)
    else if (name === 'enum') put(field, 'enum', readEnum(value))
    else if (name === 'quality') field.quality = readChecks(value, `${origin}/quality`, 'library')
    else if (name === 'deprecated' && value === true) field.deprecated = true
    else if (name === 'synonyms') put(field, 'synonyms', readSynonyms(value))
    else if (name === 'semanticType') readSemanticType(field, value, raw)
    else if (name === 'physicalName' && value !== field.name) {
      put(field, 'physicalName', nonBlankText(value))
    }
  }
  if (isKey) field.primaryKeyPosition = position
  moveEnumeration(field)
}

// A type that is not read can only be equal to itself.
function keepUnread(field: Field, raw: ObjectValue): void {
  const text = nonBlankText(getField(raw, 'logicalType'))
  if (text !== undefined) field.traits = { ...field.traits, [UNREAD_TYPE]: text }
}

// The expression of a column describes how its data are made; that of a measure or dimension is the data.
function readSemanticType(field: Field, value: Value, raw: ObjectValue): void {
  const type = SEMANTIC_TYPES.find((word) => word === value)
  if (type === undefined || type === 'column') return
  field.semanticType = type
  put(field, 'expression', nonBlankText(getField(raw, 'transformLogic')))
}
