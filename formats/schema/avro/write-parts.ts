// Parts of the Avro that is written: what a field's properties come to, without regard to where the field is.

import { getField, isObject, type ObjectValue, asText, type Value } from '../../text/value.ts'
import { AVRO } from './traits.ts'
import { NAME_PROPERTY } from './read.ts'
import { isIdentifier } from '../identifier.ts'
import type { Field } from '../model.ts'

// Timestamps and times keep the unit that they have in Avro already; others are in microseconds.
const UNITS = new Set([
  'time-millis',
  'timestamp-millis',
  'timestamp-nanos',
  'local-timestamp-millis',
  'local-timestamp-micros',
  'local-timestamp-nanos',
])

/** Returns the size of the fixed that holds a decimal or a UUID; undefined when none does. */
export function fixedSize({ traits }: Field): number | undefined {
  const size = /^fixed\((\d+)\)$/.exec(asText(traits?.[AVRO.encoding]) ?? '')?.[1]
  return size === undefined ? undefined : Number(size)
}

/** Returns the name of a type in a union. */
export function branchKey(type: Value): string {
  if (!isObject(type)) return asText(type) ?? ''
  const name = asText(getField(type, 'name'))
  const kind = asText(getField(type, 'type')) ?? ''
  return name === undefined ? kind : `${asText(getField(type, 'namespace')) ?? ''}.${name}`
}

/** Returns a record with these members. */
export function record(members: { [name: string]: Value }): ObjectValue {
  return { type: 'record', ...members }
}

/** Returns the members that name a type or field. */
export function nameMembers(
  written: string,
  name: string,
  namespace: string | undefined,
): { [name: string]: Value } {
  return {
    name: written,
    ...(namespace === undefined ? {} : { namespace }),
    ...(written === name ? {} : { [NAME_PROPERTY]: name }),
  }
}

/** Returns the type of a time or a timestamp. */
export function instant({ logicalType, physicalType = '', withTimeZone }: Field): Value {
  const isTime = logicalType === 'time'
  const isLocal = physicalType.startsWith('local-')
  const isSameZone = withTimeZone === undefined || isTime || isLocal !== withTimeZone
  const isKept = UNITS.has(physicalType) && physicalType.startsWith('time-') === isTime
  const local = withTimeZone === false && !isTime ? 'local-' : ''
  const unit = isKept && isSameZone ? physicalType : `${local}${logicalType}-micros`
  return { type: unit === 'time-millis' ? 'int' : 'long', logicalType: unit }
}

/** Returns the symbols of an enum, which are different names; undefined when the values are others. */
export function listSymbols(values: readonly Value[] | undefined): string[] | undefined {
  const symbols = (values ?? []).filter((value) => typeof value === 'string')
  const isAllowed = symbols.every(isIdentifier) && new Set(symbols).size === symbols.length
  return isAllowed && symbols.length > 0 && symbols.length === values?.length ? symbols : undefined
}
