// The traits of Protobuf: what readers of the wire form and of the JSON form depend on beside names and types.

import protobuf from 'protobufjs'
import { canonicalText } from '../../shape/canonical.ts'
import { any } from '../../shape/shape.ts'
import { put, type Value } from '../../text/value.ts'
import type { Features } from './features.ts'
import { isHarmlessOption } from './tokens.ts'

/** The traits of a declaration while they are collected. */
export type TraitRecord = Record<string, Value>

/** Returns the traits of a field that belong to its place in the message: number, JSON name, oneof. */
export function readPlaceTraits(field: protobuf.Field): TraitRecord {
  const traits: TraitRecord = { 'protobuf.number': field.id }
  const jsonName = textOption(field, 'json_name')
  if (jsonName !== undefined && jsonName !== defaultJsonName(field.name)) {
    traits['protobuf.jsonName'] = jsonName
  }
  const isSynthetic = field.options?.['proto3_optional'] === true
  if (!isSynthetic) put(traits, 'protobuf.oneof', field.partOf?.name)
  put(traits, 'unanalyzed', readUnknownOptions(field))
  return traits
}

/** Writes the name that a field has in JSON unless `json_name` replaces it. */
export function defaultJsonName(name: string): string {
  return name.replaceAll(/_+(.?)/g, (_, letter: string) => letter.toUpperCase())
}

const ENCODINGS: ReadonlyMap<string, string> = new Map([
  ['bool', 'varint'],
  ['int32', 'varint'],
  ['uint32', 'varint'],
  // JSON has no integers of 64 bits: they are texts there.
  ['int64', 'varint, a text in JSON'],
  ['uint64', 'varint, a text in JSON'],
  ['sint32', 'zigzag'],
  ['sint64', 'zigzag, a text in JSON'],
  ['fixed32', '32 bits'],
  ['sfixed32', '32 bits'],
  ['float', '32 bits, floating point'],
  ['fixed64', '64 bits, a text in JSON'],
  ['sfixed64', '64 bits, a text in JSON'],
  ['double', '64 bits, floating point'],
])

/** Returns the traits of a value: its encoding, its default, the numbers of its enumeration. */
export function readValueTraits(
  field: protobuf.Field,
  type: protobuf.Type | protobuf.Enum | undefined,
  { ownFeatures, typeFeatures }: { ownFeatures: Features; typeFeatures: Features | undefined },
): TraitRecord {
  const traits: TraitRecord = {}
  const encoding = ENCODINGS.get(field.type)
  put(traits, 'protobuf.encoding', encoding)
  const isEnum = type instanceof protobuf.Enum
  if (field.repeated && (isEnum || encoding !== undefined)) {
    const packed = field.options?.['packed']
    const isPacked = packed === true || ownFeatures.repeated_field_encoding === 'PACKED'
    traits['protobuf.packed'] = packed === false ? false : isPacked
  }
  if (field.type === 'string' && ownFeatures.utf8_validation === 'NONE') {
    traits['protobuf.utf8'] = 'unchecked'
  }
  if (type instanceof protobuf.Type && isGroup(type, ownFeatures)) {
    traits['protobuf.encoding'] = 'group'
  }
  put(traits, 'protobuf.default', readDefault(field, isEnum ? type : undefined, ownFeatures))
  if (isEnum && typeFeatures !== undefined)
    Object.assign(traits, readEnumTraits(type, typeFeatures))
  return traits
}

/** Returns the traits of the keys of a map. */
export function readKeyTraits(keyType: string): TraitRecord {
  const encoding = ENCODINGS.get(keyType)
  return encoding === undefined ? {} : { 'protobuf.encoding': encoding }
}

function isGroup(type: protobuf.Type, features: Features): boolean {
  return ('group' in type && type.group === true) || features.message_encoding === 'DELIMITED'
}

// Without presence the default is always zero. The default of an enumeration is its first value.
function readDefault(
  field: protobuf.Field,
  type: protobuf.Enum | undefined,
  features: Features,
): Value | undefined {
  if (field.repeated || field instanceof protobuf.MapField) return undefined
  const value: unknown = field.options?.['default']
  if (value === undefined) {
    if (type === undefined || features.enum_type !== 'CLOSED') return undefined
    const [first] = Object.keys(type.values)
    return first
  }
  if (value === 0 || value === false || value === '') return undefined
  if (typeof value === 'number') return String(value)
  return typeof value === 'boolean' || typeof value === 'string' ? value : undefined
}

/** Returns the traits of an enumeration. */
export function readEnumTraits(type: protobuf.Enum, features: Features): TraitRecord {
  const traits: TraitRecord = { 'protobuf.enum': Object.fromEntries(Object.entries(type.values)) }
  if (features.enum_type === 'CLOSED') traits['protobuf.closed'] = true
  if (features.json_format !== 'ALLOW') traits['protobuf.legacyJson'] = true
  put(traits, 'protobuf.reserved', readRanges(type.reserved))
  const values = Object.entries(type.valuesOptions ?? {})
    .map(([name, options]) => [name, keepUnknown(options)] as const)
    .filter(([, options]) => options !== undefined)
  const unknown = [readUnknownOptions(type), Object.fromEntries(values)]
  if (unknown[0] !== undefined || values.length > 0) {
    traits['unanalyzed'] = canonicalText(toValue(unknown), any)
  }
  return traits
}

/** Returns the traits of a message. */
export function readMessageTraits(message: protobuf.Type, features: Features): TraitRecord {
  const traits: TraitRecord = {}
  put(traits, 'protobuf.reserved', readRanges(message.reserved))
  put(traits, 'protobuf.extensions', readRanges(message.extensions))
  if (features.json_format !== 'ALLOW') traits['protobuf.legacyJson'] = true
  put(traits, 'unanalyzed', readUnknownOptions(message))
  return traits
}

// Ranges of numbers that touch or overlap are merged, because `1, 2` and `1 to 2` reserve the same numbers.
function readRanges(given: readonly unknown[] | undefined): Value | undefined {
  if (!Array.isArray(given) || given.length === 0) return undefined
  const names = given.filter((name) => typeof name === 'string')
  const pairs = given.filter(isRange).toSorted(([one], [other]) => one - other)
  const merged: [number, number][] = []
  for (const [from, to] of pairs) {
    const last = merged.at(-1)
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return [...merged, ...new Set(names.toSorted())]
}

function isRange(value: unknown): value is [number, number] {
  return Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'number'
}

function textOption({ options }: protobuf.ReflectionObject, name: string): string | undefined {
  const value: unknown = options?.[name]
  return typeof value === 'string' ? value : undefined
}

/** Writes the options of a declaration that are not known here, in canonical form. */
export function readUnknownOptions(declaration: protobuf.ReflectionObject): string | undefined {
  // A list of all options where the parser keeps one: an option may be given several times.
  const parsed: unknown = declaration.parsedOptions
  const lists: unknown[] = Array.isArray(parsed) ? parsed : [declaration.options ?? {}]
  const unknown = lists.map(keepUnknown).filter((options) => options !== undefined)
  return unknown.length === 0 ? undefined : canonicalText(unknown, any)
}

const RECORDED = new Set(['default', 'idempotency_level'])

function keepUnknown(options: unknown): Value | undefined {
  if (typeof options !== 'object' || options === null) return undefined
  const kept = Object.entries(options).filter(
    ([name, value]) => value !== undefined && !isHarmlessOption(name) && !RECORDED.has(name),
  )
  return kept.length === 0 ? undefined : toValue(Object.fromEntries(kept))
}

// JSON has no infinite numbers.
function toValue(given: unknown): Value {
  const text = JSON.stringify(given, (_, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  )
  return JSON.parse(text)
}
