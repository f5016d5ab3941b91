import { getField, isObject, type Value } from '../../../formats/text/value.ts'

/** The attributes of a span or resource, by their keys. */
type Attributes = ReadonlyMap<string, Value | undefined>

/** Reads a list of OTLP attributes; undefined if it is not one. If keys are equal, the last one counts. */
export function readAttributes(list: Value | undefined, countMax: number): Attributes | undefined {
  if (list === undefined || list === null) return new Map()
  if (!Array.isArray(list) || list.length > countMax) return undefined
  const attributes = new Map<string, Value | undefined>()
  for (const item of list) {
    const key = getField(item, 'key')
    if (typeof key !== 'string') return undefined
    attributes.set(key, getField(item, 'value'))
  }
  return attributes
}

/** Returns the text of an attribute: of a number its digits, of a list its texts; undefined if it is blank. */
export function getAttribute(attributes: Attributes, key: string): string | undefined {
  const text = toText(attributes.get(key))?.trim()
  return text === '' ? undefined : text
}

const SCALARS = ['stringValue', 'intValue', 'doubleValue', 'boolValue']

function toText(value: Value | undefined): string | undefined {
  if (!isObject(value)) return undefined
  const list = getField(getField(value, 'arrayValue'), 'values')
  if (Array.isArray(list)) {
    const texts = list.map((one) => toText(one))
    return texts.filter((text) => text !== undefined).join(', ')
  }
  const scalar = SCALARS.map((name) => getField(value, name)).find((one) => one !== undefined)
  return typeof scalar === 'string' || typeof scalar === 'number' || typeof scalar === 'boolean'
    ? String(scalar)
    : undefined
}
