// Fields with a logical and a physical type. Where the two disagree, the physical type decides what a column is, so
// exports write it and list what that drops of the logical type.

import type { Field, LogicalType } from '../model.ts'
import type { NativeType, Platform } from './native-type.ts'
import { readNativeType } from './read-type.ts'
import { SPELLINGS } from './spellings.ts'
import { collectLosses } from './type-losses.ts'
import { typedField } from './typed-field.ts'

/** The properties of a field that its type determines. */
const TYPE_PROPERTIES = [
  'logicalType',
  'format',
  'maxLength',
  'precision',
  'scale',
  'withTimeZone',
  'vector',
] as const

const INNER = ['items', 'keys', 'values', 'fields'] as const

/** The platform of the physical types, and that of the export if it declares columns. */
interface PhysicalTypes {
  source: Platform | undefined
  target: Platform | undefined
}

/** A field as it is exported; `losses` are sentences about its types. */
interface PhysicalField {
  field: Field
  losses: string[]
}

/**
 * Applies the physical type of a field. A type of the target platform is written as it is, so the field gets exactly
 * its properties. For other targets, the field gets the meaning of a physical type that contradicts the logical type.
 * Nested fields are not changed, except that they get the type that the physical type of the field has for them.
 */
export function applyPhysicalType(field: Field, { source, target }: PhysicalTypes): PhysicalField {
  if (field.physicalType === undefined) return { field, losses: [] }
  const own = readNativeType(field.physicalType, source ?? target)
  const isOwn = target !== undefined && (source ?? target) === target && isKnown(own)
  const native = isOwn || source !== undefined ? own : readNativeType(field.physicalType)
  if (!isKnown(native)) {
    const message = `The physical type "${native.text}" is unknown, so the logical type is written.`
    return { field, losses: target === undefined ? [] : [message] }
  }
  if (isOwn && (!holdsOthers(native) || native.logicalType !== field.logicalType)) {
    return writeAsItIs(field, native, target)
  }
  if (native.logicalType === field.logicalType)
    return { field: withInner(field, native), losses: [] }
  return translate(field, native, target !== undefined)
}

function isKnown({ logicalType }: NativeType): boolean {
  return logicalType !== 'unknown'
}

function holdsOthers({ items, keys, fields }: NativeType): boolean {
  return items !== undefined || keys !== undefined || fields !== undefined
}

function writeAsItIs(field: Field, native: NativeType, target: Platform): PhysicalField {
  const written = withType(field, native)
  const losses: string[] = []
  const spellings = SPELLINGS.get(target)
  const { text } = native
  // A field without a logical type promises only its physical type.
  if (spellings !== undefined && field.logicalType !== 'unknown') {
    collectLosses('', field, written, { text, spellings, losses })
  }
  return { field: written, losses }
}

function translate(field: Field, native: NativeType, declaresColumns: boolean): PhysicalField {
  const { logicalType } = field
  if (logicalType === 'unknown') return { field: withType(field, native), losses: [] }
  // JSON in a text column is still an object for those who read the value.
  if (!declaresColumns && isStructured(logicalType) && isOpaque(native))
    return { field, losses: [] }
  if (logicalType === 'integer' && native.logicalType === 'number' && native.scale === 0) {
    const { precision } = native
    return { field: precision === undefined ? field : { ...field, precision }, losses: [] }
  }
  const message = `The logical type is ${logicalType}, but the physical type "${native.text}" is ${native.logicalType}, which is written.`
  const losses = [message]
  if (INNER.some((name) => field[name] !== undefined) && !holdsOthers(native)) {
    losses.push(`What is inside cannot be expressed in "${native.text}".`)
  }
  return { field: withType(field, native), losses }
}

function isStructured(logicalType: LogicalType): boolean {
  return logicalType === 'object' || logicalType === 'array' || logicalType === 'map'
}

function isOpaque({ logicalType, format }: NativeType): boolean {
  return logicalType === 'string' || logicalType === 'binary' || format === 'json'
}

function withType(field: Field, native: NativeType): Field {
  const written: Field = { ...field }
  for (const name of [...TYPE_PROPERTIES, ...INNER]) {
    if (name !== 'logicalType') delete written[name]
  }
  Object.assign(written, typedField(native, field.origin))
  // A type has only the length and the elements of a vector.
  if (native.vector !== undefined && field.vector !== undefined) {
    written.vector = { ...field.vector, ...native.vector }
  }
  return written
}

/** Returns a field whose nested fields without a physical type have those that its own type has for them. */
export function withInner(field: Field, native: NativeType): Field {
  const { items, keys, values } = field
  const typed = { ...field }
  if (items !== undefined && native.items) typed.items = withText(items, native.items)
  if (keys !== undefined && native.keys) typed.keys = withText(keys, native.keys)
  if (values !== undefined && native.values) typed.values = withText(values, native.values)
  if (field.fields !== undefined && native.fields) {
    const types = new Map(native.fields.map(({ name, type }) => [name, type]))
    typed.fields = field.fields.map((inner) => withText(inner, types.get(inner.name)))
  }
  return typed
}

function withText(field: Field, native: NativeType | undefined): Field {
  const isTyped = field.physicalType !== undefined || native === undefined || !isKnown(native)
  return isTyped ? field : { ...field, physicalType: native.text }
}
