// The canonical form of a document: one text for all documents that say the same. Order of fields, white space,
// spelling of numbers and order in sets do not show in it; null, which is not the same as absent, does.

import { canonicalNumber } from './number.ts'
import { compareText } from './problem.ts'
import {
  any,
  chosen,
  fieldShape,
  type ListShape,
  type MapShape,
  type ObjectShape,
  type Shape,
} from './shape.ts'
import { ExactNumber, type ObjectValue, type Value } from './value.ts'

// A part is asked for again with the whole, with its port, and at each step of a comparison; values never change.
const known = new WeakMap<object, { shape: Shape; text: string }>()

/** Writes a value so that two values give the same text exactly when they mean the same by a shape. */
export function canonicalText(value: Value, shape: Shape): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number' || value instanceof ExactNumber) return canonicalNumber(value)
  if (value === null || typeof value === 'boolean') return String(value)
  const before = known.get(value)
  if (before?.shape === shape) return before.text
  const rule = chosen(shape, value)
  const text = Array.isArray(value)
    ? canonicalList(value, rule.kind === 'list' ? rule : undefined)
    : canonicalObject(value, rule.kind === 'object' || rule.kind === 'map' ? rule : undefined)
  known.set(value, { shape, text })
  return text
}

function canonicalList(items: readonly Value[], shape: ListShape | undefined): string {
  const texts = items.map((item) => canonicalText(item, shape?.items ?? any))
  return `[${(shape?.set === true ? texts.toSorted(compareText) : texts).join(',')}]`
}

function canonicalObject(value: ObjectValue, shape: ObjectShape | MapShape | undefined): string {
  let text = ''
  for (const name of Object.keys(value).toSorted(compareText)) {
    const member = canonicalText(value[name] ?? null, shapeOfField(shape, name))
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${member}`
  }
  return `{${text}}`
}

function shapeOfField(shape: ObjectShape | MapShape | undefined, name: string): Shape {
  if (shape === undefined) return any
  return (shape.kind === 'map' ? shape.values : fieldShape(shape, name)) ?? any
}
