// The canonical text of a document, equal for documents with equal meaning. It ignores the order of fields,
// white space, the notation of numbers and the order in sets; null differs from absent.

import { canonicalNumber } from '../text/number.ts'
import { compareText } from '../text/problem.ts'
import { any, chosen, fieldShape, type ListShape, type PlainShape, type Shape } from './shape.ts'
import { ExactNumber, isObject, type ObjectValue, type Value } from '../text/value.ts'

// A part is asked for again with the whole, with its port, and at each step of a comparison; values never change.
const known = new WeakMap<object, { shape: Shape; text: string }>()

/** Writes a value so that two values give the same text exactly when they mean the same by a shape. */
export function canonicalText(value: Value, shape: Shape): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number' || value instanceof ExactNumber) return canonicalNumber(value)
  if (value === null || typeof value === 'boolean') return String(value)
  const before = known.get(value)
  if (before?.shape === shape) return before.text
  const text = JSON.stringify(new Canonical().value(value, shape))
  known.set(value, { shape, text })
  return text
}

// How the fields of an object are written: in which order, and by which shapes.
interface Order {
  names: readonly string[]
  sorted: readonly string[]
  shapes: readonly Shape[]
}

// Puts fields and sets into order. The language itself then writes the text, several times as fast as one could here.
class Canonical {
  // Objects of one shape mostly have the same fields in the same order.
  readonly #orders = new Map<PlainShape, Order>()

  value(value: Value, shape: Shape): Value {
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof ExactNumber) return new ExactNumber(canonicalNumber(value))
    const rule = chosen(shape, value)
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
    const { sorted, shapes } = this.#orderOf(Object.keys(value), rule)
    const object: ObjectValue = {}
    for (let at = 0; at < sorted.length; at += 1) {
      const name = sorted[at] ?? ''
      const member = this.value(value[name] ?? null, shapes[at] ?? any)
      if (name === '__proto__') define(object, name, member)
      else object[name] = member
    }
    return object
  }

  #orderOf(names: readonly string[], rule: PlainShape): Order {
    const before = this.#orders.get(rule)
    if (before !== undefined && isSame(before.names, names)) return before
    const sorted = names.toSorted(compareText)
    const shapes = sorted.map((name) => shapeOfField(rule, name))
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

// The name is that of the language's own setter, which a plain assignment would call.
function define(object: ObjectValue, name: string, value: Value): void {
  Object.defineProperty(object, name, { value, enumerable: true })
}

function shapeOfField(shape: PlainShape, name: string): Shape {
  if (shape.kind === 'map') return shape.known?.get(name) ?? shape.values
  return (shape.kind === 'object' ? fieldShape(shape, name) : undefined) ?? any
}
