// Properties that only Avro has and on which readers of the data depend. They are traits of models and fields; their
// rules are in `formats/diff/avro-traits.ts`.

import { getField, type ObjectValue, asText, type Value } from '../../text/value.ts'
import { getFullName, isNamedType, getNamespace } from './names.ts'
import { isLogicalType, isUsedLogicalType, storedType } from './scalar.ts'
import type { Field } from '../model.ts'

export const AVRO = {
  /** Other names of a model, or of a field. */
  aliases: 'avro.aliases',
  /** The value of a field that the data does not have. */
  default: 'avro.default',
  /** A field whose only value is null. */
  onlyNull: 'avro.onlyNull',
  /** The full name of a record, an enum or a fixed; with its aliases, if there are any. */
  type: 'avro.type',
  /** The symbol that readers put for symbols that they do not know. */
  symbolDefault: 'avro.symbolDefault',
  /** The type that holds a decimal or a UUID, unless it is the usual one: `fixed(8)`. */
  encoding: 'avro.encoding',
  /** A logical type that is not one of the specification. */
  logicalType: 'avro.logicalType',
} as const

/** Properties of a type. All others are properties of the field that has the type. */
export const AVRO_TYPE_TRAITS: ReadonlySet<string> = new Set([
  AVRO.type,
  AVRO.symbolDefault,
  AVRO.encoding,
  AVRO.logicalType,
])

/** The name of a type and its aliases, all of them full names. */
interface TypeName {
  name: string
  aliases: readonly string[]
}

/** Returns the aliases of a named type as full names, sorted. */
export function readTypeAliases(schema: ObjectValue, fullName: string): string[] {
  const namespace = getNamespace(fullName)
  const fullNames = readAliases(schema).map((alias) => {
    const isFull = alias.includes('.') || namespace === undefined
    return isFull ? alias : `${namespace}.${alias}`
  })
  return [...new Set(fullNames)].toSorted()
}

/** Returns the aliases of a field, sorted. */
export function readAliases(schema: Value | undefined): string[] {
  const aliases = getField(schema, 'aliases')
  if (!Array.isArray(aliases)) return []
  const names = aliases.filter((alias) => typeof alias === 'string')
  return [...new Set(names)].toSorted()
}

/** Adds a trait to a model or field. */
export function addTrait(
  to: { traits?: Readonly<Record<string, Value>> },
  name: string,
  value: Value | undefined,
): void {
  if (value !== undefined) to.traits = { ...to.traits, [name]: value }
}

/** Adds the properties of a field itself: its default and its aliases. */
export function addFieldTraits(field: Field, member: Value): void {
  addTrait(field, AVRO.default, getField(member, 'default'))
  const aliases = readAliases(member)
  if (aliases.length > 0) addTrait(field, AVRO.aliases, aliases)
}

/** Adds the properties of a field's type. */
export function addTypeTraits(
  field: Field,
  schema: ObjectValue,
  namespace: string | undefined,
): void {
  const type = asText(getField(schema, 'type'))
  if (isNamedType(schema)) addTypeName(field, schema, getFullName(schema, namespace))
  if (type === 'enum') addTrait(field, AVRO.symbolDefault, getField(schema, 'default'))
  const logical = asText(getField(schema, 'logicalType'))
  if (logical === undefined || type === undefined) return
  if (!isLogicalType(logical)) addTrait(field, AVRO.logicalType, logical)
  else if ((logical === 'decimal' || logical === 'uuid') && isUsedLogicalType(schema)) {
    const size = getField(schema, 'size')
    if (type === 'fixed') {
      addTrait(field, AVRO.encoding, typeof size === 'number' ? `fixed(${size})` : 'fixed')
    }
  }
}

/** Adds the full name of a field's type, with the aliases of the type. */
export function addTypeName(field: Field, schema: ObjectValue, fullName: string): void {
  const aliases = readTypeAliases(schema, fullName)
  addTrait(field, AVRO.type, aliases.length === 0 ? fullName : { name: fullName, aliases })
}

/** Returns the name and aliases in a trait `avro.type`. */
export function readTypeName(trait: Value | undefined): TypeName | undefined {
  if (typeof trait === 'string') return { name: trait, aliases: [] }
  const name = asText(getField(trait, 'name'))
  return name === undefined ? undefined : { name, aliases: readAliases(trait) }
}

/** Returns the name that a type has in a union: its full name, or that of Avro's own type. */
export function getBranchName(field: Field): string {
  return readTypeName(field.traits?.[AVRO.type])?.name ?? storedType(field.physicalType ?? '')
}
