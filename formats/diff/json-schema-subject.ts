// Represents the values of a field, or the records of a model, as a JSON Schema, from the properties of the model and
// the traits of its schema language.

import type { Field, Model } from '../schema/model.ts'
import { MARKS } from '../schema/json-schema-marks.ts'
import { JSON_SCHEMA } from '../schema/json-schema-marks.ts'
import { JSON_TYPES } from '../schema/json-schema/keywords.ts'
import type { ObjectValue, Value } from '../text/value.ts'

const known = new WeakMap<Field | Model, ObjectValue>()

const SCALARS = [
  'enum',
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
] as const

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['date', 'date'],
  ['time', 'time'],
  ['timestamp', 'date-time'],
])

// The records of a model without these marks are objects.
const ROOT_MARKS = [MARKS.untyped, MARKS.anyRoot, MARKS.singleRoot]

// A group is one trait, because its keywords only have a meaning together.
const GROUPS = ['if', 'contains']

/** Returns the schema of the values of a field, or of the records of a model, without null. */
export function toJsonSchema(subject: Field | Model): ObjectValue {
  const before = known.get(subject)
  if (before !== undefined) return before
  const schema: ObjectValue = 'logicalType' in subject ? fieldKeywords(subject) : {}
  if (!('logicalType' in subject)) {
    if (isObjects(subject)) schema['type'] = 'object'
    Object.assign(schema, toPropertyKeywords(subject.fields))
  }
  // Keywords that several parts of the schema have.
  const further: Value[] = []
  for (const [name, value] of Object.entries(subject.traits ?? {})) {
    const keyword = name.startsWith(JSON_SCHEMA) ? name.slice(JSON_SCHEMA.length) : undefined
    if (keyword === undefined || isMarkName(name) || keyword.startsWith('unevaluated')) continue
    if (keyword === 'allOf' && Array.isArray(value)) further.push(...value)
    else if (schema[keyword] !== undefined) further.push({ [keyword]: value })
    else if (GROUPS.includes(keyword)) Object.assign(schema, value)
    else schema[keyword] = value
  }
  if (further.length > 0) schema['allOf'] = further
  known.set(subject, schema)
  return schema
}

/** Returns whether a model or field has a trait that is not a keyword. */
export function isMarked({ traits }: Field | Model, mark: string): boolean {
  return traits?.[mark] === true
}

/** Returns whether a subject is a model all of whose records are objects. */
export function isObjects(subject: Field | Model): boolean {
  return !('logicalType' in subject) && !ROOT_MARKS.some((mark) => isMarked(subject, mark))
}

/** Returns whether null is a valid value. */
export function allowsNull(subject: Field | Model): boolean {
  const isNull = subject.traits?.[MARKS.null]
  if (typeof isNull === 'boolean') return isNull
  return isMarked(subject, MARKS.untyped) || isAnything(subject)
}

/** Returns whether a model or field has no type and no other keyword, so that every value is valid. */
export function isAnything(subject: Field | Model): boolean {
  if ('logicalType' in subject) return subject.logicalType === 'unknown' && !subject.traits
  return isMarked(subject, MARKS.anyRoot) && Object.keys(subject.traits ?? {}).length === 1
}

function isMarkName(name: string): boolean {
  return Object.values<string>(MARKS).includes(name)
}

function fieldKeywords(field: Field): ObjectValue {
  const keywords: ObjectValue = {}
  if (field.logicalType === 'unknown') return keywords
  const type = getType(field)
  if (type !== undefined && !isMarked(field, MARKS.untyped)) keywords['type'] = type
  for (const name of SCALARS) {
    const value = field[name]
    if (value !== undefined) keywords[name] = value
  }
  const format = FORMATS.get(field.logicalType)
  if (format !== undefined) keywords['format'] = format
  if (field.fields !== undefined) Object.assign(keywords, toPropertyKeywords(field.fields))
  const isTuple = field.traits?.[`${JSON_SCHEMA}prefixItems`] !== undefined
  if (field.items !== undefined && !isTuple) keywords['items'] = schemaWithNull(field.items)
  if (field.values !== undefined) Object.assign(keywords, mapKeywords(field, field.values))
  return keywords
}

// A map without other keys has one type for all its values; otherwise only for values whose keys match.
function mapKeywords(field: Field, values: Field): ObjectValue {
  const schema = schemaWithNull(values)
  const pattern = field.keys?.pattern
  if (pattern !== undefined && isMarked(field, MARKS.otherKeys)) {
    return { patternProperties: Object.fromEntries([[pattern, schema]]) }
  }
  const names = field.keys === undefined ? {} : { propertyNames: toJsonSchema(field.keys) }
  return { additionalProperties: schema, ...names }
}

function getType({ physicalType, logicalType }: Field): string | undefined {
  if (physicalType !== undefined && JSON_TYPES.includes(physicalType)) return physicalType
  if (logicalType === 'map') return 'object'
  return JSON_TYPES.includes(logicalType) ? logicalType : undefined
}

function toPropertyKeywords(fields: readonly Field[]): ObjectValue {
  const properties = fields.map((field) => [field.name, schemaWithNull(field)] as const)
  const required: Value[] = fields
    .filter((field) => field.required || isMarked(field, MARKS.present))
    .map(({ name }) => name)
  return {
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  }
}

function schemaWithNull(field: Field): ObjectValue {
  const schema = toJsonSchema(field)
  const isNull = field.traits?.[MARKS.null]
  if (isNull === false) return { allOf: [schema, { not: { type: 'null' } }] }
  return isNull === true ? { anyOf: [schema, { type: 'null' }] } : schema
}
