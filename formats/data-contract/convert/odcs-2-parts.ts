// Converts parts of an ODCS 2.2 document to v3.1.0 field by field: under the new name if there is one, and only if
// that version accepts the value.

import { listObjects } from '../../data-product/fields.ts'
import { conforms } from '../../shape/inspect.ts'
import { resolveShape, fieldShape, type Shape } from '../../shape/shape.ts'
import { isObject, type ObjectValue, type Value } from '../../text/value.ts'

/** Preserves a value that has no equivalent; `path` is its position: `price.discount`. */
type Keep = (path: string, value: Value) => void

/** The fields that were renamed in v3. */
type Names = ReadonlyMap<string, string>

/**
 * Converts an object. If the new version requires more than the object has, the whole object is preserved and the
 * result is undefined.
 */
export function fitObject(
  raw: ObjectValue,
  shape: Shape,
  place: { path: string; names?: Names },
  keep: Keep,
): ObjectValue | undefined {
  const plain = resolveShape(shape, raw)
  const fields = new Map<string, Value>()
  const rest: [string, Value][] = []
  for (const [name, value] of Object.entries(raw)) {
    const target = place.names?.get(name) ?? name
    const isOwn = target === name || !Object.hasOwn(raw, target)
    const known = isOwn ? fieldShape(plain, target) : undefined
    if (known !== undefined && conforms(value, known)) fields.set(target, value)
    else rest.push([name, value])
  }
  const result: ObjectValue = Object.fromEntries(fields)
  if (plain.kind !== 'object' || !conforms(result, shape)) {
    keep(place.path, raw)
    return undefined
  }
  for (const [name, value] of rest) keep(`${place.path}.${name}`, value)
  return result
}

/** Converts the objects of a list; undefined if there are none. */
export function fitObjects(
  list: Value,
  shape: Shape,
  place: { path: string; names?: Names },
  keep: Keep,
): ObjectValue[] | undefined {
  if (!Array.isArray(list)) {
    keep(place.path, list)
    return undefined
  }
  keepNonObjects(list, place.path, keep)
  const items = listObjects(list).flatMap(({ item, at }) => {
    const one = fitObject(item, shape, { ...place, path: `${place.path}[${at}]` }, keep)
    return one === undefined ? [] : [one]
  })
  return items.length === 0 ? undefined : items
}

/** Preserves the members of a list of objects that are not objects. */
export function keepNonObjects(list: readonly Value[], path: string, keep: Keep): void {
  list.forEach((item, at) => {
    if (!isObject(item)) keep(`${path}[${at}]`, item)
  })
}
