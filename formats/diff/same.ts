// Compares two values by meaning. Most values in two versions of a document are equal, so equal values are visited
// only once and nothing is allocated for them.

import { canonicalText } from '../shape/canonical.ts'
import { canonicalNumber } from '../text/number.ts'
import { any, resolveShape, fieldShape, type PlainShape, type Shape } from '../shape/shape.ts'
import { ExactNumber, isObject, type ObjectValue, type Value } from '../text/value.ts'

/** Returns whether two values mean the same under a shape, that is, whether their canonical texts are equal. */
export function isSame(before: Value, after: Value, shape: Shape): boolean {
  if (before === after) return true
  if (typeof before !== 'object' && typeof after !== 'object') return false
  if (isNumber(before) && isNumber(after)) {
    return canonicalNumber(before) === canonicalNumber(after)
  }
  if (Array.isArray(before) && Array.isArray(after)) return isSameList(before, after, shape)
  return (
    isObject(before) && isObject(after) && isSameObject(before, after, resolveShape(shape, after))
  )
}

function isNumber(value: Value): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber
}

function isSameList(before: readonly Value[], after: Value[], shape: Shape): boolean {
  if (before.length !== after.length) return false
  const rule = resolveShape(shape, after)
  const items = rule.kind === 'list' ? rule.items : any
  if (before.every((item, at) => isSame(item, after[at] ?? null, items))) return true
  if (rule.kind !== 'list' || !rule.set || after.length < 2) return false
  return isSameSet(before, after, items)
}

// Stops at the first member that is missing.
function isSameSet(before: readonly Value[], after: readonly Value[], items: Shape): boolean {
  const counts = new Map<string, number>()
  for (const item of before) {
    const text = canonicalText(item, items)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return after.every((item) => {
    const text = canonicalText(item, items)
    const count = counts.get(text) ?? 0
    counts.set(text, count - 1)
    return count > 0
  })
}

function isSameObject(before: ObjectValue, after: ObjectValue, rule: PlainShape): boolean {
  const names = Object.keys(before)
  if (names.length !== Object.keys(after).length) return false
  for (const name of names) {
    const [one, other] = [before[name], after[name]]
    if (one === other && other !== undefined && Object.hasOwn(after, name)) continue
    if (typeof one !== 'object' && typeof other !== 'object') return false
    if (one === undefined || other === undefined || !Object.hasOwn(after, name)) return false
    if (!isSame(one, other, fieldShape(rule, name) ?? any)) return false
  }
  return true
}
