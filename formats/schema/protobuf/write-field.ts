// The parts of Protobuf texts that follow from one field: its name, its integer type, its options.

import { isIdentifier, Scope } from '../identifier.ts'
import type { Losses } from '../losses.ts'
import type { Field, Model } from '../model.ts'
import { defaultJsonName } from './traits.ts'

/** The names that no message or enumeration may have. */
export const OWN_TYPES =
  'double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes google'.split(
    ' ',
  )

/** The types of integers by their formats. */
export const INTEGERS: ReadonlyMap<string, string> = new Map([
  ['int32', 'int32'],
  ['uint32', 'uint32'],
  ['uint64', 'uint64'],
])

// Only Protobuf has types of these names, so a field that was read from it keeps its encoding.
const ENCODED = new Set(['sint32', 'sint64', 'fixed32', 'fixed64', 'sfixed32', 'sfixed64'])

// What of a definition proto3 cannot express.
const LOST_TRAITS: readonly (readonly [string, string])[] = [
  ['protobuf.default', 'the default'],
  ['protobuf.closed', 'that the enum is closed'],
  ['protobuf.extensions', 'the extension ranges'],
  ['unanalyzed', 'the custom options'],
]

/** Returns the type of an integer. */
export function integerType({ format = '', physicalType = '' }: Field): string {
  return ENCODED.has(physicalType) ? physicalType : (INTEGERS.get(format) ?? 'int64')
}

/** Returns the type of the keys of a map. */
export function keyType(keys: Field): string {
  if (keys.logicalType === 'integer') return integerType(keys)
  return keys.logicalType === 'boolean' ? 'bool' : 'string'
}

/** Lists the properties of a Protobuf field that proto3 cannot express. */
export function addTraitLosses(losses: Losses, { traits = {} }: Field, path: string): void {
  for (const [trait, words] of LOST_TRAITS) {
    if (traits[trait] !== undefined) losses.add(path, `Protobuf 3 cannot express ${words}.`)
  }
  if (traits['protobuf.encoding'] === 'group') {
    losses.add(path, 'A group is written as a message, which is encoded differently.')
  }
}

/** Returns a name for each field that Protobuf accepts; no two are the same in JSON, where `a_b` is `aB`. */
export function fieldNames(fields: readonly Field[]): string[] {
  const jsonNames = new Set<string>()
  const scope = new Scope(fields.map(({ name }) => name).filter(isIdentifier))
  const isNew = (name: string): boolean => {
    const json = name.replaceAll('_', '').toLowerCase()
    return jsonNames.size < jsonNames.add(json).size
  }
  const kept = fields.map(({ name }) => (isIdentifier(name) && isNew(name) ? name : undefined))
  return fields.map(({ name }, at) => {
    let written = kept[at] ?? scope.identifier(name)
    while (kept[at] === undefined && !isNew(written)) written = scope.identifier(name)
    return written
  })
}

/** Returns the oneof of a field. Lists and maps cannot be in one. */
export function getOneof({ traits, logicalType }: Field): string | undefined {
  const oneof = traits?.['protobuf.oneof']
  const isHolder = logicalType === 'array' || logicalType === 'map'
  return typeof oneof === 'string' && !isHolder ? oneof : undefined
}

/** Writes the options of a field: its JSON name, if it has one of its own, and that it is deprecated. */
export function writeOptions({ traits, deprecated }: Field, written: string): string {
  const name = traits?.['protobuf.jsonName']
  const isOwn = typeof name === 'string' && name !== defaultJsonName(written)
  const options = isOwn ? [`json_name = ${JSON.stringify(name)}`] : []
  if (deprecated === true) options.push('deprecated = true')
  return options.length === 0 ? '' : ` [${options.join(', ')}]`
}

/** Returns the package of a text: the first namespace that Protobuf accepts. */
export function findCommonPackage(models: readonly Model[]): string | undefined {
  return models
    .map(({ namespace }) => namespace)
    .find((namespace) => namespace !== undefined && namespace.split('.').every(isIdentifier))
}
