// Defaults of Avro's fields. One that does not fit its type makes the whole schema illegal for most libraries.

import { ExactNumber, getField, isObject, asText, type Value } from '../../text/value.ts'

/** Returns whether a value may be the default of a field of a type; that of a union fits its first branch. */
export function fitsType(type: Value | undefined, value: Value): boolean {
  if (Array.isArray(type)) return fitsType(type[0], value)
  const name = asText(type) ?? asText(getField(type, 'type')) ?? ''
  switch (name) {
    case 'null':
      return value === null
    case 'boolean':
      return typeof value === 'boolean'
    case 'int':
    case 'long':
      return Number.isSafeInteger(value)
    case 'float':
    case 'double':
      return typeof value === 'number' || value instanceof ExactNumber
    case 'string':
    case 'bytes':
      return typeof value === 'string'
    case 'fixed':
      return typeof value === 'string' && value.length === getField(type, 'size')
    case 'enum':
      return isAmong(getField(type, 'symbols'), value)
    case 'array':
      return Array.isArray(value) && value.every((item) => fitsType(getField(type, 'items'), item))
    case 'map':
      return (
        isObject(value) &&
        Object.values(value).every((item) => fitsType(getField(type, 'values'), item))
      )
    case 'record':
      return isObject(value) && fitsFields(getField(type, 'fields'), value)
    default:
      // A type that is defined elsewhere in the text.
      return typeof value === 'string' || isObject(value)
  }
}

function isAmong(symbols: Value | undefined, value: Value): boolean {
  return Array.isArray(symbols) && symbols.includes(value)
}

function fitsFields(fields: Value | undefined, value: Value): boolean {
  if (!Array.isArray(fields)) return false
  return fields.every((field) => {
    const given = getField(value, asText(getField(field, 'name')) ?? '')
    if (given === undefined) return getField(field, 'default') !== undefined
    return fitsType(getField(field, 'type'), given)
  })
}
