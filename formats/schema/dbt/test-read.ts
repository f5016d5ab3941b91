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
  const config = getField(given, 'config')
  const setting = (name: string) => getField(given, name) ?? getField(config, name) ?? undefined
  return (
    setting('where') !== undefined ||
    setting('error_if') !== undefined ||
    setting('enabled') === false ||
    asText(setting('severity'))?.toLowerCase() === 'warn'
  )
}

function getTarget(to: string): string | undefined {
  return /^\s*(?:ref|source)\s*\(/.test(to) ? refersTo(to)?.at(-1) : undefined
}

/**
 * Returns the names in a call of `ref` (of the model, with its version) or `source` (of the source and its table):
 * `orders_v2` of `{{ ref('project', 'orders', v=2) }}`; undefined if there is none.
 */
export function refersTo(text: string): string[] | undefined {
  const [, call, inner = ''] = /\b(ref|source)\s*\(([^)]*)\)/.exec(text) ?? []
  const [, version] = /\bv(?:ersion)?\s*=\s*['"]?([^'",\s)]+)/.exec(inner) ?? []
  const names = [...inner.matchAll(/(=\s*)?(?:'([^']*)'|"([^"]*)")/g)].flatMap(
    ([, assigned, single, double]) => (assigned === undefined ? [single ?? double ?? ''] : []),
  )
  const name = names.at(-1)
  if (name === undefined) return undefined
  if (call === 'source') return names.slice(-2)
  return [version === undefined ? name : `${name}_v${version}`]
}
