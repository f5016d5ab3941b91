// The canonical form of a document: the same text for all documents with the same meaning. It ignores the order of
// fields, white space, the notation of numbers and the order of sets, but distinguishes null from absent.

import { canonicalNumber } from '../text/number.ts'
import { compareText } from '../text/problem.ts'
import {
  any,
  resolveShape,
  fieldShape,
  type ListShape,
  type PlainShape,
  type Shape,
} from './shape.ts'
import { ExactNumber, isObject, type ObjectValue, type Value } from '../text/value.ts'

// Cached, because the same parts are requested with the document, with their port, and at each step of a comparison.
// Values are immutable.
const cache = new WeakMap<object, { shape: Shape; text: string }>()

/** Returns a text that is equal for two values if and only if they mean the same under a shape. */
export function canonicalText(value: Value, shape: Shape): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number' || value instanceof ExactNumber) return canonicalNumber(value)
  if (value === null || typeof value === 'boolean') return String(value)
  const before = cache.get(value)
  if (before?.shape === shape) return before.text
  const text = JSON.stringify(new Canonical().value(value, shape))
  cache.set(value, { shape, text })
  return text
}

// The order and the shapes of an object's fields.
interface Order {
  names: readonly string[]
  sorted: readonly string[]
  shapes: readonly Shape[]
}

// Sorts fields and sets. `JSON.stringify` then writes the text, several times as fast as code here could.
class Canonical {
  // Most objects with the same shape have the same fields in the same order.
  readonly #orders = new Map<PlainShape, Order>()

  value(value: Value, shape: Shape): Value {
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof ExactNumber) return new ExactNumber(canonicalNumber(value))
    const rule = resolveShape(shape, value)
    return isObject(value) ? this.#object(value, rule) : this.#list(value, rule)
  }

  #list(items: readonly Value[], rule: PlainShape): Value[] {
    const shape: ListShape | undefined = rule.kind === 'list' ? rule : undefined
    const inside = shape?.items ?? any
    const values = items.map((item) => this.value(item, inside))
    if (shape?.set !== true || values.length < 2) return values
    return values
      .map((item) => ({ item, text: JSON.stringify(item) }))
      .toSorted((a, b) => compareText(a.text, b.text))
      .map(({ item }) => item)
  }

  #object(value: ObjectValue, rule: PlainShape): ObjectValue {
    const { sorted, shapes } = this.#getOrder(Object.keys(value), rule)
    const object: ObjectValue = {}
    for (let at = 0; at < sorted.length; at += 1) {
      const name = sorted[at] ?? ''
      const member = this.value(value[name] ?? null, shapes[at] ?? any)
      if (name === '__proto__') defineField(object, name, member)
      else object[name] = member
    }
    return object
  }

  #getOrder(names: readonly string[], rule: PlainShape): Order {
    const before = this.#orders.get(rule)
    if (before !== undefined && isSame(before.names, names)) return before
    const sorted = names.toSorted(compareText)
    const shapes = sorted.map((name) => fieldShape(rule, name) ?? any)
    const order = { names, sorted, shapes }
    this.#orders.set(rule, order)
    return order
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at += 1) {
    if (a[at] !== b[at]) return false
  }
  return true
}

// `__proto__` is a built-in setter, which a plain assignment would call.
function defineField(object: ObjectValue, name: string, value: Value): void {
  Object.defineProperty(object, name, { value, enumerable: true })
}
