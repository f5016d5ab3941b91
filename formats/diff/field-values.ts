// The values that the type of a field promises, as one type that can be ordered with others. It depends on the field and
// its platform only, never on the field that it is compared with: a detail that a field does not define is not taken
// from another one, so the order of fields is as transitive as that of types.

import type { Field, LogicalType } from '../schema/model.ts'
import { ANY_TYPE, isUnread } from '../schema/types/compare-types.ts'
import type { NativeType, Platform } from '../schema/types/native-type.ts'
import { isNumeric } from '../schema/types/number-order.ts'
import type { KnownTypes } from './known-types.ts'

/** The promise of the type of a field. */
export interface FieldValues {
  /** The type of the platform, if its table has it. */
  native: NativeType | undefined
  /** The text of the type, in lower case, if the platform's table does not have it. */
  unread: string | undefined
  /** The values; undefined if the field has no type, and if its type is not read. */
  type: NativeType | undefined
  /** The kind of the values, by which consumers choose how to read them; undefined if the field does not define it. */
  kind: LogicalType | 'numeric' | undefined
}

/** Returns the promise of the type of a field. */
export function getFieldValues(
  field: Field,
  platform: Platform | undefined,
  types: KnownTypes,
): FieldValues {
  const read = isLogicalWord(field) ? undefined : types.readField(field, platform)
  const isKnown = read !== undefined && read.logicalType !== 'unknown'
  const native = isKnown ? withDigits(read, field) : undefined
  return {
    native,
    unread: isKnown ? undefined : read && normalizeText(read.text),
    type:
      native === undefined
        ? toType(field, platform, types)
        : withParts(native, field, platform, types),
    kind: getKind(field, native),
  }
}

/** Returns whether nothing is known about the values of a field that has a type. */
export function isFieldUnread(
  field: Field,
  platform: Platform | undefined,
  types: KnownTypes,
): boolean {
  const type = toPart(field, platform, types)
  return type !== undefined && isUnread(type)
}

// Contracts repeat the logical type in place of a native type; that adds nothing to it.
const LOGICAL_WORDS: ReadonlyMap<string, LogicalType> = new Map([
  ['object', 'object'],
  ['record', 'object'],
  ['struct', 'object'],
  ['array', 'array'],
  ['map', 'map'],
  ['number', 'number'],
])

function isLogicalWord({ physicalType, logicalType }: Field): boolean {
  if (physicalType === undefined) return false
  return LOGICAL_WORDS.get(physicalType.trim().toLowerCase()) === logicalType
}

function normalizeText(text: string): string {
  return text.trim().toLowerCase().replaceAll(/\s+/g, ' ')
}

// Integers are numbers, and the order of numbers decides between them.
function getKind(
  { logicalType }: Field,
  native: NativeType | undefined,
): LogicalType | 'numeric' | undefined {
  const kind = logicalType === 'unknown' ? native?.logicalType : logicalType
  return kind === 'integer' || kind === 'number' ? 'numeric' : kind
}

// Some formats give the digits in separate fields: `type: decimal`, `precision: 10`.
function withDigits(
  native: NativeType,
  { physicalType = '', precision, scale }: Field,
): NativeType {
  const isExact = isNumeric(native) && native.bits === undefined && native.storedBits === undefined
  if (!isExact || physicalType.includes('(') || (precision ?? scale) === undefined) return native
  const { readings: _, ...read } = native
  if (precision === undefined && read.precision !== undefined) return native
  return {
    ...read,
    ...(precision === undefined ? {} : { precision, scale: 0 }),
    ...(scale === undefined ? {} : { scale }),
  }
}

// Represents the logical type of a field as a type, with the details that the field defines; undefined if it has none.
function toType(
  field: Field,
  platform: Platform | undefined,
  types: KnownTypes,
): NativeType | undefined {
  const { logicalType, precision, scale, maxLength, withTimeZone, vector } = field
  if (logicalType === 'unknown') return undefined
  return types.cacheField(field, platform, () => {
    const type: NativeType = { text: `[${logicalType}]`, logicalType }
    if (isNumeric(type)) {
      if (precision !== undefined) type.precision = precision
      if (scale !== undefined) type.scale = scale
    }
    if (maxLength !== undefined) type.maxLength = maxLength
    if (withTimeZone !== undefined) type.withTimeZone = withTimeZone
    if (vector !== undefined) type.vector = vector
    return addParts(type, field, platform, types)
  })
}

const CONTAINERS: ReadonlySet<string> = new Set(['array', 'map', 'object'])

// The contents of an `ARRAY` of Snowflake are described by the field.
function withParts(
  native: NativeType,
  field: Field,
  platform: Platform | undefined,
  types: KnownTypes,
): NativeType {
  const { logicalType, format, items, keys, fields } = native
  const isOpen = CONTAINERS.has(logicalType) && format === undefined
  if (!isOpen || logicalType !== field.logicalType || (items ?? keys ?? fields) !== undefined) {
    return native
  }
  return (
    types.cacheField(field, platform, () => addParts({ ...native }, field, platform, types)) ??
    native
  )
}

const PARTS = ['items', 'keys', 'values'] as const

function addParts(
  type: NativeType,
  field: Field,
  platform: Platform | undefined,
  types: KnownTypes,
): NativeType {
  for (const name of PARTS) {
    const part = field[name] && toPart(field[name], platform, types)
    if (part !== undefined) type[name] = part
  }
  if (field.fields !== undefined) {
    type.fields = field.fields.map((inner) => ({
      name: inner.name,
      type: toPart(inner, platform, types) ?? ANY_TYPE,
      required: inner.required,
    }))
  }
  return type
}

function toPart(
  field: Field,
  platform: Platform | undefined,
  types: KnownTypes,
): NativeType | undefined {
  const { unread, type } = getFieldValues(field, platform, types)
  return unread === undefined ? type : { text: unread, logicalType: 'unknown' }
}
