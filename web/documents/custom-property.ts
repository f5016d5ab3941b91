import { getField, asText, valueAt, type Path, type Value } from '../../formats/text/value.ts'
import type { TextEdit } from '../../formats/text/edit/text-edit.ts'

/**
 * Returns the path of the value of a custom property of the object at `owner`; of one that is missing,
 * the path that it would get.
 */
export function getCustomPath(value: Value, owner: Path, property: string): Path {
  const list = valueAt(value, [...owner, 'customProperties'])
  const items = Array.isArray(list) ? list : []
  const at = items.findIndex((item) => asText(getField(item, 'property')) === property)
  return [...owner, 'customProperties', at === -1 ? items.length : at, 'value']
}

/**
 * Returns the edits that write a custom property, or with `inner` a field of the object that is its
 * value. An empty text removes it, and with it what would be left empty.
 */
export function customPropertyEdits(
  value: Value,
  place: { owner: Path; property: string; inner?: string; order: readonly string[] },
  text: string,
): TextEdit[] {
  const { owner, property, inner, order } = place
  const path = getCustomPath(value, owner, property)
  const there = valueAt(value, path)
  const list = [...owner, 'customProperties']
  if (there === undefined) {
    if (text === '') return []
    const content = inner === undefined ? text : { [inner]: text }
    return [{ kind: 'add', path: list, value: { property, value: content }, order }]
  }
  if (text !== '') {
    return [{ kind: 'set', path: inner === undefined ? path : [...path, inner], value: text }]
  }
  if (inner !== undefined) {
    const others = Object.keys(Object(there)).filter((name) => name !== inner)
    if (others.length > 0) return [{ kind: 'remove', path: [...path, inner] }]
  }
  const items = valueAt(value, list)
  const isLast = Array.isArray(items) && items.length === 1
  return [{ kind: 'remove', path: isLast ? list : path.slice(0, -1) }]
}
