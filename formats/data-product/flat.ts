// A document as a flat table from path to value, for conversion: `info.title` → “Orders”. Only the objects that a
// conversion takes apart are opened, everything else is one value. Paths are written so that any field name has one.

import { isObject, type ObjectValue, type Value } from '../text/value.ts'

export type Flat = Map<string, Value>

/** Writes a field name as one step of a path: its dots and percent signs are percent-encoded. */
export function stepOf(name: string): string {
  return name.replaceAll('%', '%25').replaceAll('.', '%2E')
}

/** Gives the field names that a path consists of. */
export function namesOf(path: string): string[] {
  return path.split('.').map((step) => step.replaceAll('%2E', '.').replaceAll('%25', '%'))
}

/**
 * Returns whether a text is a path of a field, or of a field in an opened object, in the notation used here.
 */
export function isPath(text: string, opened: readonly string[]): boolean {
  const [name = '', inner, ...more] = namesOf(text)
  if (more.length > 0 || (inner !== undefined && !opened.includes(name))) return false
  return text === (inner === undefined ? stepOf(name) : `${name}.${stepOf(inner)}`)
}

/** Spreads an object out; the objects in the fields named by `opened` are spread out too, unless they are empty. */
export function flatten(value: Value, opened: readonly string[]): Flat {
  const flat: Flat = new Map()
  if (!isObject(value)) return flat
  for (const [name, member] of Object.entries(value)) {
    const fields = opened.includes(name) && isObject(member) ? Object.entries(member) : []
    if (fields.length === 0) flat.set(stepOf(name), member)
    for (const [inner, innerMember] of fields) {
      flat.set(`${name}.${stepOf(inner)}`, innerMember)
    }
  }
  return flat
}

/** Builds the object again that was spread out. */
export function unflatten(flat: Flat): ObjectValue {
  const fields = new Map<string, Value | Map<string, Value>>()
  for (const [path, value] of flat) {
    const [name = '', inner] = namesOf(path)
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

/** Takes a value out of a table. */
export function take(flat: Flat, path: string): Value | undefined {
  const value = flat.get(path)
  flat.delete(path)
  return value
}
