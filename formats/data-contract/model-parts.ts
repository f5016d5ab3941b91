// Shared by the readers of all contract formats: processing of models after their fields were read.

import { type Notes, PROBLEMS_MAX } from '../text/problem.ts'
import type { Field, LogicalType, Model } from '../schema/model.ts'
import { clip, ExactNumber, isObject, type Path, type Value } from '../text/value.ts'

/** Returns a count (a length, a position) as a number; undefined for other values. */
export function readCount(value: Value | undefined): number | undefined {
  const count = value instanceof ExactNumber ? Number(value.text) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

/** Returns whether a value can be a bound: a number for numbers, or a text for dates. */
export function isBound(value: Value | undefined): value is Value {
  return typeof value === 'number' || typeof value === 'string' || value instanceof ExactNumber
}

/**
 * Sets the primary key of a model from the fields that have a position, and renumbers the positions from 1. Fields
 * with the same position keep their order.
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

/** The position of a key field without a position: after all others. */
export const LAST_POSITION = Number.MAX_SAFE_INTEGER

/** Reports models or fields with the same name: lookups by name return the first one. */
export function noteRepeatedNames(
  named: readonly { name: string; origin: string }[],
  what: 'model' | 'field',
  value: Value,
  notes: Notes,
): void {
  const seen = new Set<string>()
  for (const { name, origin } of named) {
    if (seen.has(name) && notes.warnings.length < PROBLEMS_MAX) {
      const message = `Another ${what} has the name “${clip(name)}”; rename one of them.`
      notes.warning(toPath(value, origin), message)
    }
    seen.add(name)
  }
}

/** Converts a JSON pointer into a value to a path. */
export function toPath(value: Value, pointer: string): Path {
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

/** Returns the logical type with a name; undefined for other names. */
export function parseLogicalType(name: Value | undefined): LogicalType | undefined {
  return typeof name === 'string' ? LOGICAL_TYPE_OF.get(name) : undefined
}
