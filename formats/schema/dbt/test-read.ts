// The tests of dbt. Four of them correspond to common properties, the others are dbt's own rules.

import { getField, isObject, jsonText, put, asText, type Value } from '../../text/value.ts'
import type { Field, Model, QualityCheck } from '../model.ts'

/** The fields with tests; `tests` is the older name. */
export const DBT_TESTS = ['data_tests', 'tests'] as const

/** Reads one test of a column, or of a model where there is no field. */
export function readTest(
  test: Value,
  { field, model }: { field: Field | undefined; model: Model },
): void {
  const { name, given } = getParts(test)
  if (field !== undefined && readKnown(name, given, field)) return
  const check: QualityCheck = { type: 'dbt', rule: test, origin: (field ?? model).origin }
  put(check, 'name', name)
  ;(field ?? model).quality.push(check)
}

/** Returns whether a test corresponds to a property of fields. */
export function isKnownTest(test: Value): boolean {
  return ['not_null', 'unique', 'accepted_values', 'relationships'].includes(
    getParts(test).name ?? '',
  )
}

// `not_null`, `{not_null: {severity: warn}}` or `{test_name: not_null}`; younger versions keep what a test is given
// under `arguments`.
function getParts(test: Value): { name: string | undefined; given: Value | undefined } {
  if (typeof test === 'string') return { name: test, given: undefined }
  if (!isObject(test)) return { name: undefined, given: undefined }
  const named = asText(getField(test, 'test_name'))
  const [first] = Object.entries(test)
  const [name, inner] = named === undefined ? (first ?? []) : [named, test]
  return { name, given: getField(inner, 'arguments') ?? inner }
}

function readKnown(name: string | undefined, given: Value | undefined, field: Field): boolean {
  // A test for some of the rows, or one that only warns, is not a promise about the field.
  if (isConditional(given)) return false
  if (name === 'not_null') field.required = true
  else if (name === 'unique') field.unique = true
  else if (name === 'accepted_values') {
    const values = getField(given, 'values')
    if (!Array.isArray(values)) return false
    // The type may list the same words.
    if (field.enum !== undefined) return jsonText(field.enum) === jsonText(values)
    field.enum = values
  } else if (name === 'relationships') {
    const target = getTarget(asText(getField(given, 'to')) ?? '')
    const column = asText(getField(given, 'field'))
    if (target === undefined || column === undefined) return false
    field.references.push(`${target}.${column}`)
  } else return false
  return true
}

function isConditional(given: Value | undefined): boolean {
  const where = getField(given, 'where') ?? getField(getField(given, 'config'), 'where')
  const severity = getField(given, 'severity') ?? getField(getField(given, 'config'), 'severity')
  return where !== undefined || asText(severity)?.toLowerCase() === 'warn'
}

// The last name of `ref('project', 'customers')`, `source('shop', 'customers')`.
function getTarget(to: string): string | undefined {
  if (!/^\s*(?:ref|source)\s*\(/.test(to)) return undefined
  return [...to.matchAll(/'([^']*)'|"([^"]*)"/g)].map((match) => match[1] ?? match[2]).at(-1)
}
