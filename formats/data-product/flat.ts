// Represents a document as a flat table from path to value, for conversion: `info.title` → "Orders". Only the objects
// that a conversion maps by field are flattened, all others are single values. Every field name can be written in a
// path.

import { isObject, type ObjectValue, type Value } from '../text/value.ts'

export type Flat = Map<string, Value>

/** Writes a field name as a step of a path; its dots and percent signs are percent-encoded. */
export function toPathStep(name: string): string {
  return name.replaceAll('%', '%25').replaceAll('.', '%2E')
}

/** Returns the field names of a path. */
export function splitPath(path: string): string[] {
  return path.split('.').map((step) => step.replaceAll('%2E', '.').replaceAll('%25', '%'))
}

/** Returns whether a text is a path of a field, or of a field inside a flattened object. */
export function isPath(text: string, opened: readonly string[]): boolean {
  const [name = '', inner, ...more] = splitPath(text)
  if (more.length > 0 || (inner !== undefined && !opened.includes(name))) return false
  return text === (inner === undefined ? toPathStep(name) : `${name}.${toPathStep(inner)}`)
}

/** Flattens an object; the objects in the fields of `opened` are flattened too, unless they are empty. */
export function flatten(value: Value, opened: readonly string[]): Flat {
  const flat: Flat = new Map()
  if (!isObject(value)) return flat
  for (const [name, member] of Object.entries(value)) {
    const fields = opened.includes(name) && isObject(member) ? Object.entries(member) : []
    if (fields.length === 0) flat.set(toPathStep(name), member)
    for (const [inner, innerMember] of fields) {
      flat.set(`${name}.${toPathStep(inner)}`, innerMember)
    }
  }
  return flat
}

/** Reverses `flatten`. */
export function unflatten(flat: Flat): ObjectValue {
  const fields = new Map<string, Value | Map<string, Value>>()
  for (const [path, value] of flat) {
    const [name = '', inner] = splitPath(path)
    if (inner === undefined) {
      fields.set(name, value)
      continue
    }
    const opened = fields.get(name)
    if (opened instanceof Map) opened.set(inner, value)
    else fields.set(name, new Map([[inner, value]]))
  }
  return Object.fromEntries(
    Array.from(fields, ([name, value]): [string, Value] => [
      name,
      value instanceof Map ? Object.fromEntries(value) : value,
    ]),
  )
}

/** Removes a value from a table and returns it. */
export function take(flat: Flat, path: string): Value | undefined {
  const value = flat.get(path)
  flat.delete(path)
  return value
}
