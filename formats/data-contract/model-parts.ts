// What the readers of all contract formats do with models once their fields are read.

import { type Notes, PROBLEMS_MAX } from '../text/problem.ts'
import type { Field, LogicalType, Model } from '../schema/model.ts'
import { clip, ExactNumber, isObject, type Path, type Value } from '../text/value.ts'

/** Gives a count (a length, a position) as a number; undefined for what is none. */
export function countOf(value: Value | undefined): number | undefined {
  const count = value instanceof ExactNumber ? Number(value.text) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

/** Returns whether a value may bound values of a type: numbers bound numbers, texts bound dates. */
export function isBound(value: Value | undefined): value is Value {
  return typeof value === 'number' || typeof value === 'string' || value instanceof ExactNumber
}

/**
 * Sets the primary key of a model from the positions of its fields, starting at 1. Fields of equal position
 * keep their order.
 */
export function setPrimaryKey(model: Model): void {
  let keys: Field[] | undefined
  for (const field of model.fields) {
    if (field.primaryKeyPosition === undefined) continue
    keys ??= []
    keys.push(field)
  }
  if (keys === undefined) return
  const sorted = keys.toSorted((a, b) => (a.primaryKeyPosition ?? 0) - (b.primaryKeyPosition ?? 0))
  sorted.forEach((field, at) => {
    field.primaryKeyPosition = at + 1
  })
  model.primaryKey = sorted.map(({ name }) => name)
}

/** The position of a key field without one: after all others. */
export const LAST_POSITION = Number.MAX_SAFE_INTEGER

/** Reports models or fields with the same name, of which only the first can be found. */
export function noteRepeatedNames(
  named: readonly { name: string; origin: string }[],
  what: 'model' | 'field',
  value: Value,
  notes: Notes,
): void {
  const seen = new Set<string>()
  for (const { name, origin } of named) {
    if (seen.has(name) && notes.warnings.length < PROBLEMS_MAX) {
      const message = `Another ${what} is called “${clip(name)}” as well; rename one of them.`
      notes.warning(pathOf(value, origin), message)
    }
    seen.add(name)
  }
}

/** Returns the path of a JSON pointer into a value. */
export function pathOf(value: Value, pointer: string): Path {
  let here: Value | undefined = value
  return pointer
    .split('/')
    .slice(1)
    .map((written) => {
      const name = written.replaceAll('~1', '/').replaceAll('~0', '~')
      if (Array.isArray(here)) {
        const at = Number(name)
        here = here[at]
        return at
      }
      here = isObject(here) && Object.hasOwn(here, name) ? here[name] : undefined
      return name
    })
}

const LOGICAL_TYPE_OF: ReadonlyMap<string, LogicalType> = new Map([
  ['string', 'string'],
  ['date', 'date'],
  ['time', 'time'],
  ['timestamp', 'timestamp'],
  ['integer', 'integer'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['object', 'object'],
  ['array', 'array'],
  ['map', 'map'],
  ['binary', 'binary'],
  ['unknown', 'unknown'],
])

/** Gives a logical type by its name; undefined for other words. */
export function logicalTypeOf(name: Value | undefined): LogicalType | undefined {
  return typeof name === 'string' ? LOGICAL_TYPE_OF.get(name) : undefined
}
