// Converts a platform's type to the properties of a field.

import type { Field } from '../model.ts'
import { put } from '../../text/value.ts'
import type { NativeType } from './native-type.ts'

/**
 * Returns the properties that a native type defines. `origin` is the JSON pointer of the field, and
 * also that of all nested fields. The usual types, integers of 64 bits and decimals, have no format.
 */
export function typedField(
  native: NativeType,
  origin = '',
): Pick<Field, 'logicalType'> & Partial<Field> {
  const typed: Pick<Field, 'logicalType'> & Partial<Field> = { logicalType: native.logicalType }
  const isMoment = native.logicalType === 'time' || native.logicalType === 'timestamp'
  put(typed, 'format', native.format ?? getFormat(native))
  put(typed, 'maxLength', native.maxLength)
  if (native.isZoneAmbiguous !== true) put(typed, 'withTimeZone', native.withTimeZone)
  // In Snowflake every integer is a decimal of 38 digits, so its precision has no meaning.
  const isWide = native.logicalType === 'integer' && native.precision === 38
  if (!isMoment && !isWide) {
    put(typed, 'precision', native.precision)
    put(typed, 'scale', native.scale)
  }
  put(typed, 'vector', native.vector && { ...native.vector, normalized: false })
  put(typed, 'enum', native.enum && [...native.enum])
  put(typed, 'items', native.items && nestedField('items', native.items, origin))
  put(typed, 'keys', native.keys && nestedField('keys', native.keys, origin))
  put(typed, 'values', native.values && nestedField('values', native.values, origin))
  put(
    typed,
    'fields',
    native.fields?.map(({ name, type, required, description }) => ({
      ...nestedField(name, type, origin),
      required,
      ...(description === undefined ? {} : { description }),
    })),
  )
  return typed
}

function getFormat({ logicalType, bits, unsigned }: NativeType): string | undefined {
  if (bits === undefined) return undefined
  if (logicalType === 'number') return bits === 32 ? 'float' : 'double'
  if (unsigned === true) return `uint${bits}`
  return bits === 64 ? undefined : `int${bits}`
}

function nestedField(name: string, native: NativeType, origin: string): Field {
  return {
    name,
    physicalType: native.text,
    required: false,
    unique: false,
    tags: [],
    references: [],
    quality: [],
    origin,
    ...typedField(native, origin),
  }
}
