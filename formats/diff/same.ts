// Whether two values mean the same. Nearly all of two versions of a document does, so what is equal is gone through once,
// and nothing is written down for it.

import { canonicalText } from '../canonical.ts'
import { canonicalNumber } from '../number.ts'
import { any, chosen, fieldShape, type PlainShape, type Shape } from '../shape.ts'
import { ExactNumber, isObject, type ObjectValue, type Value } from '../value.ts'

/** Tells whether two values mean the same by a shape: whether their canonical texts are equal. */
export function isSame(before: Value, after: Value, shape: Shape): boolean {
  if (before === after) return true
  if (typeof before !== 'object' && typeof after !== 'object') return false
  if (isNumber(before) && isNumber(after)) {
    return canonicalNumber(before) === canonicalNumber(after)
  }
  if (Array.isArray(before) && Array.isArray(after)) return isSameList(before, after, shape)
  return isObject(before) && isObject(after) && isSameObject(before, after, chosen(shape, after))
}

function isNumber(value: Value): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber
}

function isSameList(before: readonly Value[], after: Value[], shape: Shape): boolean {
  if (before.length !== after.length) return false
  const rule = chosen(shape, after)
  const items = rule.kind === 'list' ? rule.items : any
  if (before.every((item, at) => isSame(item, after[at] ?? null, items))) return true
  if (rule.kind !== 'list' || !rule.set || after.length < 2) return false
  const texts = [before, after].map((list) => list.map((item) => canonicalText(item, items)))
  const [one, other] = texts.map((list) => list.toSorted().join('\n'))
  return one === other
}

function isSameObject(before: ObjectValue, after: ObjectValue, rule: PlainShape): boolean {
  const names = Object.keys(before)
  if (names.length !== Object.keys(after).length) return false
  for (const name of names) {
    const [one, other] = [before[name], after[name]]
    if (one === other && other !== undefined && Object.hasOwn(after, name)) continue
    if (typeof one !== 'object' && typeof other !== 'object') return false
    if (one === undefined || other === undefined || !Object.hasOwn(after, name)) return false
    if (!isSame(one, other, shapeOfField(rule, name))) return false
  }
  return true
}

function shapeOfField(rule: PlainShape, name: string): Shape {
  if (rule.kind === 'map') return rule.known?.get(name) ?? rule.values
  return (rule.kind === 'object' ? fieldShape(rule, name) : undefined) ?? any
}
