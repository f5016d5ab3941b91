// Defaults of Avro's fields. One that does not fit its type makes the whole schema illegal for most libraries.
// https://avro.apache.org/docs/1.12.0/specification/, section on records

import { ExactNumber, getField, isObject, asText, type Value } from '../../text/value.ts'
import { getFullName, getNamespace, isNamedType, type NamedTypes } from './names.ts'

/** The rules of a check. */
interface DefaultRules {
  /** The types that are used by name; without them, each name may have any type. */
  types?: NamedTypes
  /** The namespace of names without one. */
  namespace?: string | undefined
  /** Whether the default of a union may fit any branch, as since Avro 1.12, or must fit the first one. */
  isAnyBranch?: boolean
}

/** The range of each type of integers. */
const RANGES: ReadonlyMap<string, bigint> = new Map([
  ['int', 2n ** 31n],
  ['long', 2n ** 63n],
])

// Defaults of fields may need those of other fields, without an end in recursive records.
const DEPTH_MAX = 64

/** Returns whether a value may be the default of a field of a type. */
export function fitsType(
  type: Value | undefined,
  value: Value,
  rules: DefaultRules = {},
  depth = 0,
): boolean {
  if (depth > DEPTH_MAX) return true
  const fits = (inner: Value | undefined, item: Value, namespace = rules.namespace): boolean =>
    fitsType(inner, item, { ...rules, namespace }, depth + 1)
  if (Array.isArray(type)) {
    const branches = rules.isAnyBranch === true ? type : type.slice(0, 1)
    return branches.some((branch) => fits(branch, value))
  }
  const inner = getField(type, 'type')
  if (isObject(inner) || Array.isArray(inner)) return fits(inner, value)
  const name = asText(type) ?? asText(inner) ?? ''
  switch (name) {
    case 'null':
      return value === null
    case 'boolean':
      return typeof value === 'boolean'
    case 'int':
    case 'long':
      return isInteger(value, RANGES.get(name) ?? 0n)
    case 'float':
    case 'double':
      return typeof value === 'number' || value instanceof ExactNumber
    case 'string':
      return typeof value === 'string'
    case 'bytes':
      return isBytes(value)
    case 'fixed':
      return isBytes(value) && value.length === getField(type, 'size')
    case 'enum':
      return isAmong(getField(type, 'symbols'), value)
    case 'array':
      return Array.isArray(value) && value.every((item) => fits(getField(type, 'items'), item))
    case 'map': {
      const values = getField(type, 'values')
      return isObject(value) && Object.values(value).every((item) => fits(values, item))
    }
    case 'record':
    case 'error': {
      const isNamed = isNamedType(type)
      const namespace = isNamed ? getNamespace(getFullName(type, rules.namespace)) : undefined
      return isObject(value) && fitsFields(getField(type, 'fields'), value, namespace, fits)
    }
    default: {
      const definition = rules.types?.find(name, rules.namespace)
      if (definition !== undefined) return fits(definition.schema, value, definition.outer)
      // A type that is defined elsewhere in the text, or not at all.
      return rules.types !== undefined || typeof value === 'string' || isObject(value)
    }
  }
}

function isInteger(value: Value, limit: bigint): boolean {
  if (typeof value === 'number' && !Number.isInteger(value)) return false
  const text = value instanceof ExactNumber ? value.text : typeof value === 'number' ? value : ''
  if (typeof text === 'string' && !/^-?\d+$/.test(text)) return false
  const number = BigInt(text)
  return -limit <= number && number < limit
}

// Each character is a byte.
function isBytes(value: Value): value is string {
  return typeof value === 'string' && !/[^\0-\u00ff]/.test(value)
}

function isAmong(symbols: Value | undefined, value: Value): boolean {
  return Array.isArray(symbols) && symbols.includes(value)
}

function fitsFields(
  fields: Value | undefined,
  value: Value,
  namespace: string | undefined,
  fits: (type: Value | undefined, item: Value, namespace?: string) => boolean,
): boolean {
  if (!Array.isArray(fields)) return false
  return fields.every((field) => {
    const given = getField(value, asText(getField(field, 'name')) ?? '')
    if (given === undefined) return getField(field, 'default') !== undefined
    return fits(getField(field, 'type'), given, namespace)
  })
}
