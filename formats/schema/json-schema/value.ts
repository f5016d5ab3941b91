// Reads the keywords of a JSON Schema about one value: its type, its limits, its list of values.

import { ExactNumber, getField, isObject, put, asText, type Value } from '../../text/value.ts'
import { listConstants, listAt } from './parts.ts'
import { type SchemaPart, partsIn } from './references.ts'
import type { Field, LogicalType } from '../model.ts'

/** The words of `type` without null; `isNullable` if null is one of them, or one of the values. */
interface Types {
  words: string[]
  isNullable: boolean
}

const LOGICAL: ReadonlyMap<string, LogicalType> = new Map([
  ['string', 'string'],
  ['integer', 'integer'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['object', 'object'],
  ['array', 'array'],
])

const MOMENTS: ReadonlyMap<string, LogicalType> = new Map([
  ['date', 'date'],
  ['time', 'time'],
  ['date-time', 'timestamp'],
])

// Formats of OpenAPI for texts that represent bytes.
const BINARY = new Set(['byte', 'binary'])

// Keywords that imply a type if none is given.
const IMPLIED: readonly [type: string, keywords: readonly string[]][] = [
  ['object', ['properties', 'patternProperties', 'required', 'propertyNames']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'contains']],
  ['string', ['pattern', 'minLength', 'maxLength', 'contentEncoding']],
  ['number', ['minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum']],
]

/** Returns the types that all parts of a schema allow. */
export function listTypes(parts: readonly SchemaPart[]): Types {
  let words: string[] | undefined
  let isNullable = true
  let isGiven = false
  for (const { schema } of parts) {
    const type = getField(schema, 'type')
    const types = Array.isArray(type)
      ? type.map((word) => asText(word) ?? '')
      : [asText(type) ?? '']
    if (type === undefined) continue
    isGiven = true
    if (!types.includes('null')) isNullable = false
    const others = types.filter((word) => word !== 'null')
    words = words === undefined ? others : both(words, others)
  }
  return { words: words ?? impliedTypes(parts), isNullable: isGiven && isNullable }
}

function both(some: readonly string[], others: readonly string[]): string[] {
  const common = some.filter((word) => isAmong(word, others))
  return [...common, ...others.filter((word) => !common.includes(word) && isAmong(word, some))]
}

// An integer is also a number.
function isAmong(word: string, words: readonly string[]): boolean {
  return words.includes(word) || (word === 'integer' && words.includes('number'))
}

function impliedTypes(parts: readonly SchemaPart[]): string[] {
  const implied = IMPLIED.find(([, keywords]) =>
    parts.some(({ schema }) => keywords.some((keyword) => getField(schema, keyword) !== undefined)),
  )
  if (implied !== undefined) return [implied[0]]
  if (getFormat(parts) !== undefined) return ['string']
  const values = listEnumValues(parts)
  if (values === undefined || values.length === 0) return []
  if (values.every((value) => typeof value === 'string')) return ['string']
  if (values.every((value) => typeof value === 'boolean')) return ['boolean']
  const isNumeric = values.every(
    (value) => typeof value === 'number' || value instanceof ExactNumber,
  )
  if (!isNumeric) return []
  return values.every((value) => Number.isInteger(value)) ? ['integer'] : ['number']
}

/** Returns all allowed values without null; undefined if no part lists them. */
export function listEnumValues(parts: readonly SchemaPart[]): Value[] | undefined {
  return allowedValues(parts)?.filter((value) => value !== null)
}

/** Returns whether the list of values contains null. */
export function listsNull(parts: readonly SchemaPart[]): boolean {
  return allowedValues(parts)?.includes(null) === true
}

function allowedValues(parts: readonly SchemaPart[]): Value[] | undefined {
  for (const part of parts) {
    const { schema } = part
    const value = getField(schema, 'const')
    if (value !== undefined) return [value]
    const list = getField(schema, 'enum')
    if (Array.isArray(list)) return list
    for (const keyword of ['anyOf', 'oneOf']) {
      const choices = partsIn(listAt(part, keyword)).map(([, choice]) => choice)
      const values = choices.length > 1 ? listConstants(choices) : undefined
      if (values !== undefined) return values
    }
  }
  return undefined
}

function getFormat(parts: readonly SchemaPart[]): string | undefined {
  return firstText(parts, 'format')
}

/** Returns the first text of a keyword in the parts. */
export function firstText(parts: readonly SchemaPart[], keyword: string): string | undefined {
  for (const { schema } of parts) {
    const text = asText(getField(schema, keyword))
    if (text !== undefined) return text
  }
  return undefined
}

/** Returns whether one of the parts of a schema announces its end; drafts before 2019-09 take the word from OpenAPI. */
export function isDeprecated(parts: readonly SchemaPart[]): boolean {
  return parts.some(({ schema }) => getField(schema, 'deprecated') === true)
}

/** Sets type, format and limits of a field whose only type is `word`. */
export function setValue(field: Field, word: string, parts: readonly SchemaPart[]): void {
  const format = getFormat(parts)
  const encoding = firstText(parts, 'contentEncoding')
  field.logicalType = LOGICAL.get(word) ?? 'unknown'
  field.physicalType = word
  if (word === 'string') {
    const moment = MOMENTS.get(format ?? '')
    const isBinary = encoding?.toLowerCase() === 'base64' || BINARY.has(format ?? '')
    field.logicalType = isBinary ? 'binary' : (moment ?? 'string')
    if (moment === undefined && !isBinary) put(field, 'format', format)
    // RFC 3339 requires the offset from UTC.
    if (format === 'date-time' || format === 'time') field.withTimeZone = true
  } else {
    put(field, 'format', format)
  }
  put(field, 'enum', listEnumValues(parts))
  put(field, 'pattern', firstText(parts, 'pattern'))
  setCounts(field, parts)
  setBounds(field, parts)
}

const COUNTS = [
  ['minLength', Math.max],
  ['maxLength', Math.min],
  ['minItems', Math.max],
  ['maxItems', Math.min],
] as const

// The base64 text of a binary is longer than the binary, so its lengths are not those of the bytes.
function setCounts(field: Field, parts: readonly SchemaPart[]): void {
  for (const [keyword, narrower] of COUNTS) {
    if (field.logicalType === 'binary') continue
    const counts = parts
      .map(({ schema }) => getField(schema, keyword))
      .filter((count) => typeof count === 'number')
    if (counts.length > 0) field[keyword] = narrower(...counts.slice(0, 1000))
  }
}

// In draft-04 an exclusive bound is `minimum` with `exclusiveMinimum: true`.
function setBounds(field: Field, parts: readonly SchemaPart[]): void {
  for (const { schema } of parts) {
    if (!isObject(schema)) continue
    for (const [bound, exclusive, sign] of [
      ['minimum', 'exclusiveMinimum', 1],
      ['maximum', 'exclusiveMaximum', -1],
    ] as const) {
      const value = getField(schema, bound)
      const other = getField(schema, exclusive)
      narrow(field, other === true ? exclusive : bound, value, sign)
      narrow(field, exclusive, other, sign)
    }
  }
}

function narrow(
  field: Field,
  name: 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum',
  value: Value | undefined,
  sign: 1 | -1,
): void {
  if (typeof value !== 'number' && !(value instanceof ExactNumber)) return
  const before = field[name]
  if (before === undefined || sign * (getSize(value) - getSize(before)) > 0) field[name] = value
}

// Sufficient to find the narrower of two bounds, unless they only differ in digits that a double does
// not have.
function getSize(value: Value): number {
  return value instanceof ExactNumber ? Number(value.text) : Number(value)
}
