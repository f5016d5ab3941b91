// Shared by the readers of all contract formats: processing of models after their fields were read.

import { type Notes, PROBLEMS_MAX } from '../text/problem.ts'
import { type Field, LOGICAL_TYPES, type LogicalType, type Model } from '../schema/model.ts'
import { nonBlankText } from '../data-product/fields.ts'
import { clip, ExactNumber, isObject, type Path, put, type Value } from '../text/value.ts'

/** Returns a count (a length, a position) as a number; undefined for other values. */
export function readCount(value: Value | undefined): number | undefined {
  const count = value instanceof ExactNumber ? Number(value.text) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

// A bound of numbers is a number, a bound of dates is a text.
function isBound(value: Value | undefined): value is Value {
  return typeof value === 'number' || typeof value === 'string' || value instanceof ExactNumber
}

/** Reads a restriction of the values of a field, which all formats write alike; ignores other names. */
export function readRestriction(field: Field, name: string, value: Value): void {
  switch (name) {
    case 'pattern':
    case 'format':
      put(field, name, nonBlankText(value))
      break
    case 'minLength':
    case 'maxLength':
      put(field, name, readCount(value))
      break
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      if (isBound(value)) field[name] = value
      break
    default:
  }
}

/** Returns the position of a field in the primary key; a missing one is after all others. */
export function readKeyPosition(value: Value | undefined): number {
  return readCount(value) || LAST_POSITION
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
      const message = `Another ${what} has the name "${clip(name)}"; rename one of them.`
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

/** Returns the logical type with a name; undefined for other names. */
export function parseLogicalType(name: Value | undefined): LogicalType | undefined {
  return LOGICAL_TYPES.find((type) => type === name)
}
