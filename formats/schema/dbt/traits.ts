// The parts of a dbt properties file beyond its models: constraints without a field, conditions of tests, and
// everything that is not read.

import { canonicalText } from '../../shape/canonical.ts'
import { any } from '../../shape/shape.ts'
import { getField, isObject, type ObjectValue, asText, type Value } from '../../text/value.ts'
import { DBT_TESTS, isKnownTest } from './test-read.ts'
import type { Field, Model, Traits } from '../model.ts'
import { addTrait, pickOtherMembers } from '../unanalyzed.ts'

/** Constraints that are neither read into fields nor into quality checks, in canonical form. */
export const DBT_CONSTRAINTS = 'dbt.constraints'

// `versions` are read as models of their own.
const SHARED = [
  'config',
  'constraints',
  'data_tests',
  'description',
  'docs',
  'meta',
  'name',
  'tags',
  'tests',
]
const MODEL_NAMES: ReadonlySet<string> = new Set([
  ...SHARED,
  'access',
  'columns',
  'defined_in',
  'deprecation_date',
  'group',
  'identifier',
  'latest_version',
  'loader',
  'time_spine',
  'v',
  'version',
  'versions',
])
const COLUMN_NAMES: ReadonlySet<string> = new Set([...SHARED, 'data_type', 'include', 'exclude'])
const SOURCE_NAMES: ReadonlySet<string> = new Set([
  'description',
  'loader',
  'meta',
  'name',
  'overrides',
  'schema',
  'tables',
  'tags',
])

/**
 * Fields that explain a model, or how dbt builds it; `access` and `group` restrict references inside the
 * project.
 */
export const DBT_ANNOTATIONS: readonly string[] = [
  'access',
  'cluster_by',
  'description',
  'docs',
  'full_refresh',
  'group',
  'incremental_strategy',
  'loader',
  'materialized',
  'meta',
  'on_schema_change',
  'overrides',
  'persist_docs',
  'post-hook',
  'post_hook',
  'pre-hook',
  'pre_hook',
]
const CONFIG_NAMES: ReadonlySet<string> = new Set([...DBT_ANNOTATIONS, 'alias', 'schema', 'tags'])

/** Adds the properties of a model that were not read; `columns` are the names of those that were. */
export function addModelTraits(
  value: ObjectValue,
  model: Model,
  columns: ReadonlySet<string>,
): void {
  const unread = getConstraints(value).filter(
    (constraint) => !isRead(constraint) || namesIn(constraint).some((name) => !columns.has(name)),
  )
  addConstraints(model, unread)
  addRest(model, [pickOtherMembers(value, MODEL_NAMES), configRest(value)])
}

/** Adds the properties of a column that were not read. */
export function addColumnTraits(value: ObjectValue, field: Field): void {
  addConstraints(
    field,
    getConstraints(value).filter((constraint) => !isRead(constraint)),
  )
  const tests = DBT_TESTS.flatMap((name) => listAt(value, name)).flatMap(
    (test) => getConditions(test) ?? [],
  )
  const conditions = tests.length === 0 ? undefined : { tests }
  addRest(field, [pickOtherMembers(value, COLUMN_NAMES), configRest(value), conditions])
}

/** Adds the properties of a source for all its tables. */
export function addSourceTraits(source: Value, model: Model): void {
  addRest(model, [pickOtherMembers(source, SOURCE_NAMES), configRest(source)])
}

function addRest(subject: { traits?: Traits }, rests: readonly (ObjectValue | undefined)[]): void {
  const parts = rests.filter((rest) => rest !== undefined)
  if (parts.length === 0) return
  const before = subject.traits?.['unanalyzed']
  addTrait(subject, 'unanalyzed', [...(Array.isArray(before) ? before : []), ...parts])
}

function addConstraints(subject: { traits?: Traits }, constraints: readonly Value[]): void {
  if (constraints.length === 0) return
  addTrait(subject, DBT_CONSTRAINTS, constraints.map((one) => canonicalText(one, any)).toSorted())
}

function configRest(value: Value): ObjectValue | undefined {
  const rest = pickOtherMembers(getField(value, 'config'), CONFIG_NAMES)
  return rest === undefined ? undefined : { config: rest }
}

const READ_CONSTRAINTS = new Set(['not_null', 'unique', 'primary_key', 'check'])

function getConstraints(value: ObjectValue): Value[] {
  return listAt(value, 'constraints')
}

function isRead(constraint: Value): boolean {
  return READ_CONSTRAINTS.has(asText(getField(constraint, 'type')) ?? '')
}

function namesIn(constraint: Value): string[] {
  return listAt(constraint, 'columns').flatMap((name) => asText(name) ?? [])
}

const TEST_NAMES: ReadonlySet<string> = new Set([
  'arguments',
  'config',
  'description',
  'field',
  'meta',
  'name',
  'quote',
  'severity',
  'tags',
  'test_name',
  'to',
  'values',
  'where',
])
const TEST_CONFIG_NAMES: ReadonlySet<string> = new Set([
  'meta',
  'severity',
  'store_failures',
  'tags',
  'where',
])

// A test that a field holds may still allow failures: `error_if: ">10"`.
function getConditions(test: Value): ObjectValue | undefined {
  if (!isObject(test) || !isKnownTest(test)) return undefined
  const [[name, inner] = []] = Object.entries(test)
  const given = asText(getField(test, 'test_name')) === undefined ? inner : test
  const rest = pickOtherMembers(given, TEST_NAMES)
  const config = pickOtherMembers(getField(given, 'config'), TEST_CONFIG_NAMES)
  if (name === undefined || (rest === undefined && config === undefined)) return undefined
  return { test: name, ...rest, ...(config === undefined ? {} : { config }) }
}

function listAt(value: Value, name: string): Value[] {
  const list = getField(value, name)
  return Array.isArray(list) ? list : []
}
