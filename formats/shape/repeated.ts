// Items that repeat others of their list.

import { getField, type Value } from '../text/value.ts'
import { canonicalText } from './canonical.ts'
import { any } from './shape.ts'

/** Returns the positions of items that are equal to an earlier one. */
export function listRepeated(items: readonly Value[]): number[] {
  const before = new Set<string>()
  return items.flatMap((item, at) => {
    const text = canonicalText(item, any)
    const isRepeated = before.has(text)
    before.add(text)
    return isRepeated ? [at] : []
  })
}

/** Returns the items that have the `id` of an earlier one: references use the id, so that they are ambiguous. */
export function listRepeatedIds(items: readonly Value[]): { at: number; id: string }[] {
  const repeated: { at: number; id: string }[] = []
  // Most lists have no ids, and a list may have a hundred thousand items.
  let before: Set<string> | undefined
  for (let at = 0; at < items.length; at += 1) {
    const id = getField(items[at], 'id')
    if (typeof id !== 'string') continue
    if (before?.has(id) === true) repeated.push({ at, id })
    before ??= new Set()
    before.add(id)
  }
  return repeated
}
