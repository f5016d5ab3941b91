import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { readRecorded, readYamlContract, TESTED_CONTRACT } from '../../test/recorded-results.ts'
import type { Value } from '../text/text.ts'
import { findChecks, readCheck } from './check-read.ts'
import { CHECKS_MAX, keyChecks, listDefinitions, readDefinition } from './checks.ts'
import { listRules, type ContractRule } from './rules.ts'

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

const readRules = (text: string): ContractRule[] => {
  const { contract, value } = readYamlContract(text)
  return listRules(contract, value, digest)
}

const RULES = readRules(TESTED_CONTRACT)

const key = (result: Value, rules = RULES, isCurrent = true) => {
  const checks = (findChecks(result) ?? []).map(readCheck)
  const texts = listDefinitions(checks, rules)
  const definitions = new Map(texts.map((text) => [text, readDefinition(text)]))
  return keyChecks(checks, rules, { isCurrent, definitions, digest })
}

// The pointer of the rule of each check, without the part that all have.
const listPointers = (result: Value, rules = RULES, isCurrent = true): (string | null)[] =>
  key(result, rules, isCurrent).map(({ ruleKey }) => {
    const rule = rules.find((one) => one.key === ruleKey)
    return rule === undefined ? null : rule.pointer.replace('/schema/0', '').replace('/quality', '')
  })

// The checks of a result, each with the pointer of its rule.
const listChecks = (result: Value) => {
  const pointers = listPointers(result)
  return key(result).map((check, at) => ({ ...check, pointer: pointers[at] }))
}

const one = (check: { [name: string]: Value }): Value => ({ checks: [check] })

test('listRules › lists the rules of models and fields, also an enumeration, with their ids and metrics', () => {
  assert.deepEqual(
    RULES.map(({ pointer, metric, id }) => [pointer.replace('/schema/0', ''), metric ?? id]),
    [
      ['/quality/0', 'rowCount'],
      ['/quality/1', 'rowCount'],
      ['/quality/2', undefined],
      ['/quality/3', undefined],
      ['/quality/4', 'duplicateValues'],
      ['/quality/5', undefined],
      ['/quality/6', undefined],
      ['/quality/7', undefined],
      ['/properties/0/quality/0', 'nullValues'],
      ['/properties/0/quality/1', 'duplicateValues'],
      ['/properties/1/quality/0', 'nullValues'],
      ['/properties/1/quality/1', 'missingValues'],
      ['/properties/2/quality/0', undefined],
      ['/properties/3/quality/0', 'invalidValues'],
    ],
  )
  assert.equal(new Set(RULES.map((rule) => rule.key)).size, RULES.length)
})

test('keyChecks › each check of datacontract-cli 1.2.8 lands on its rule; those without one on none', () => {
  const result = readRecorded('datacontract-cli-1.2.8-run-1.json')
  const pointers = listPointers(result)
  const named = (findChecks(result) ?? []).map((check, at) => [
    readCheck(check).key.replace('key:orders__', ''),
    pointers[at],
  ])
  assert.deepEqual(
    named.filter(([, pointer]) => pointer !== null),
    [
      ['id__field_null_values', '/properties/0/0'],
      ['id__field_duplicate_values', '/properties/0/1'],
      ['email__field_null_values', '/properties/1/0'],
      ['email__field_missing_values', '/properties/1/1'],
      ['total__quality_sql_0', '/properties/2/0'],
      ['status__field_invalid_values', '/properties/3/0'],
      ['row_count', '/0'],
      ['row_count', '/1'],
      ['quality_sql_2', '/2'],
      ['quality_sql_3', '/3'],
      ['model_duplicate_values', '/4'],
      ['quality_sql_5', '/5'],
      ['quality_custom_7', '/7'],
    ],
  )
  assert.equal(named.length, 24 - 1)
})

test('keyChecks › two runs of datacontract-cli have equal keys, although the ids of their checks differ', () => {
  const runs = [1, 2].map((run) => readRecorded(`datacontract-cli-1.2.8-run-${run}.json`))
  const [first, second] = runs.map((run) => key(run).map((check) => check.key))
  assert.deepEqual(first, second)
  assert.equal(new Set(first).size, first?.length)
})

test('keyChecks › a check that datacontract-cli could not run is an error, and one without an outcome unknown', () => {
  const checks = key(readRecorded('datacontract-cli-1.2.8-run-1.json'))
  const outcomes = Map.groupBy(checks, ({ outcome }) => outcome)
  const counts = Object.fromEntries([...outcomes].map(([outcome, all]) => [outcome, all.length]))
  assert.deepEqual(counts, { error: 8, failed: 4, passed: 9, unknown: 1, warning: 1 })
  const byKey = new Map(checks.map((check) => [check.key, check.value]))
  assert.equal(byKey.get('key:orders__created_at__servicelevel_freshness'), 28_540_202)
})

test('keyChecks › keys stay the same if rules move, get a description, or other rules are added', () => {
  const result = readRecorded('datacontract-cli-1.2.8-run-1.json')
  const moved = TESTED_CONTRACT.replace(
    '      - {type: library, metric: rowCount, mustBeGreaterThan: 1}',
    '      - {type: text, description: First.}\n      - {type: library, metric: rowCount, mustBeGreaterThan: 1}',
  )
  assert.notEqual(moved, TESTED_CONTRACT)
  const keys = (rules: ContractRule[]) => key(result, rules, false).map((check) => check.key)
  assert.deepEqual(keys(readRules(moved)), keys(RULES))
})

test('keyChecks › Great Expectations 1: each expectation lands on the rule of its column', () => {
  const result = readRecorded('great-expectations-1.json')
  const types = listChecks(result).map(({ name, field, outcome, pointer }) => [
    name,
    field,
    outcome,
    pointer,
  ])
  assert.deepEqual(types, [
    ['expect_column_values_to_not_be_null', 'nowhere', 'error', null],
    // Two rules count the rows.
    ['expect_table_row_count_to_be_between', null, 'passed', null],
    ['expect_column_values_to_not_be_null', 'email', 'failed', '/properties/1/0'],
    ['expect_column_values_to_be_unique', 'id', 'failed', '/properties/0/1'],
    ['expect_column_values_to_be_in_set', 'status', 'failed', '/properties/3/0'],
  ])
  assert.ok(key(result).every((check) => check.key.startsWith('ge:')))
})

test('keyChecks › Great Expectations 1: the checkpoint and its description, each expectation on the rule of its column', () => {
  for (const form of ['checkpoint', 'description']) {
    const result = readRecorded(`great-expectations-1-${form}.json`)
    const checks = listChecks(result).map(({ name, field, outcome, model: table, pointer }) => [
      name,
      table,
      field,
      outcome,
      pointer,
    ])
    const model = form === 'checkpoint' ? 'orders' : null
    assert.deepEqual(checks, [
      ['expect_column_values_to_be_unique', model, 'id', 'failed', '/properties/0/1'],
      ['expect_column_values_to_not_be_null', model, 'email', 'failed', '/properties/1/0'],
      ['expect_column_values_to_be_in_set', model, 'status', 'failed', '/properties/3/0'],
    ])
  }
})

const TWO_MODELS = `
apiVersion: v3.1.0
kind: DataContract
id: orders
version: 1.0.0
status: active
schema:
  - name: orders
    properties: [{name: id, quality: [{type: library, metric: nullValues, mustBe: 0}]}]
  - name: returns
    properties: [{name: id, quality: [{type: library, metric: nullValues, mustBe: 0}]}]
`

const newSuite = (table: string): Value => ({
  meta: { active_batch_definition: { data_asset_name: table } },
  results: [
    {
      success: true,
      expectation_config: {
        expectation_type: 'expect_column_values_to_not_be_null',
        kwargs: { column: 'id' },
      },
    },
  ],
})

test('keyChecks › Great Expectations: the name of the data decides between tables, also in the form before 1', () => {
  const rules = readRules(TWO_MODELS)
  for (const wrap of [(one: Value) => one, (one: Value) => ({ validation_result: one })]) {
    const suites = ['returns', 'orders', 'elsewhere'].map((table): [string, Value] => [
      table,
      wrap(newSuite(table)),
    ])
    const checks = key({ run_results: Object.fromEntries(suites) }, rules)
    assert.deepEqual(
      checks.map(({ ruleKey }) => rules.find((rule) => rule.key === ruleKey)?.pointer ?? null),
      ['/schema/1/properties/0/quality/0', '/schema/0/properties/0/quality/0', null],
    )
    assert.equal(new Set(checks.map((check) => check.key)).size, 3)
  }
})

test('keyChecks › dbt: generic tests land on the rule of their column by their names; models are not tests', () => {
  const result = readRecorded('dbt-1.9-run-results-v6.json')
  const tests = listChecks(result).map(({ name, outcome, value, pointer }) => [
    name,
    outcome,
    value,
    pointer,
  ])
  assert.deepEqual(tests, [
    ['no_negative_totals', 'error', null, null],
    ['accepted_values_orders_status__open__closed', 'failed', 1, '/properties/3/0'],
    ['not_null_orders_email', 'warning', 1, '/properties/1/0'],
    ['not_null_orders_id', 'passed', 0, '/properties/0/0'],
    ['unique_orders_id', 'failed', 1, '/properties/0/1'],
  ])
})

test('keyChecks › Soda 4: each check lands on the rule of its column, and has the identity of Soda as its key', () => {
  const result = readRecorded('soda-4.json')
  const checks = listChecks(result).map(({ field, outcome, value, key: own, pointer }) => [
    own,
    field,
    outcome,
    value,
    pointer,
  ])
  assert.deepEqual(checks, [
    ['soda:75e45b4c', null, 'passed', 4, null],
    ['soda:6357db62', 'id', 'passed', 0, '/properties/0/0'],
    ['soda:f55f71ea', 'id', 'failed', 1, '/properties/0/1'],
    ['soda:0b090ae4', 'status', 'failed', 1, '/properties/3/0'],
    ['soda:9f20c483', 'email', 'warning', 1, '/properties/1/1'],
  ])
})

const at = (check: { [name: string]: Value }, isCurrent = true) =>
  listPointers(one({ model: 'orders', result: 'passed', ...check }), RULES, isCurrent)[0]

test('keyChecks › the name, then the only rule with the metric, then the position of the current version', () => {
  assert.equal(at({ name: 'no negative' }), '/2')
  assert.equal(at({ name: 'no negative', model: 'returns' }), null)
  assert.equal(at({ name: 'x', field: 'id', type: 'field_null_values' }), '/properties/0/0')
  assert.equal(at({ name: 'x', type: 'row_count' }), null)
  assert.equal(at({ key: 'orders__quality_sql_3' }), '/3')
  assert.equal(at({ key: 'orders__quality_sql_3' }, false), null)
  assert.equal(at({ model: 'public.ORDERS', name: 'no negative' }), '/2')
})

test('keyChecks › an id counts if it is once in the contract, else with its place', () => {
  const rules = readRules(`
apiVersion: v3.1.0
kind: DataContract
id: orders
version: 1.0.0
status: active
schema:
  - name: orders
    physicalName: shop.t_orders
    quality: [{id: same, type: sql, query: a, mustBe: 0}, {id: own, type: sql, query: b, mustBe: 0}]
    properties:
      - name: lines
        logicalType: array
        items:
          logicalType: object
          properties:
            - {name: sku, quality: [{id: same, type: library, metric: nullValues, mustBe: 0}]}
`)
  const check = (more: { [name: string]: Value }) =>
    key(one({ result: 'passed', qualityId: 'same', ...more }), rules)[0]
  assert.equal(check({ qualityId: 'own', model: 'elsewhere' })?.key, 'quality:own')
  const [inModel, inField] = [
    check({ model: 't_orders' }),
    check({ model: 't_orders', field: 'lines[].sku' }),
  ]
  assert.match(inModel?.key ?? '', /^rule:/)
  assert.equal(
    inField?.ruleKey,
    rules.find(({ pointer }) => pointer.includes('sku') || pointer.includes('items'))?.key,
  )
  assert.notEqual(inModel?.key, inField?.key)
})

test('keyChecks › checks with equal names are numbered, long keys are digests, and only the first ones are followed', () => {
  const checks: Value[] = Array.from({ length: CHECKS_MAX + 5 }, () => ({
    key: 'k',
    result: 'passed',
  }))
  const keys = key({ checks }).map((check) => check.key)
  assert.deepEqual(keys.slice(0, 2), ['key:k', 'key:k#2'])
  assert.equal(keys.length, CHECKS_MAX)
  const long = key(one({ key: 'x'.repeat(5000), name: 'y'.repeat(5000) }))[0]
  assert.ok((long?.key.length ?? 0) <= 200 && (long?.name?.length ?? 0) <= 301)
})

test('keyChecks › values of any type are read without an error', () => {
  for (const value of [null, 1, 'x', [], {}, [[]], { __proto__: null }] as Value[]) {
    const check = Object.fromEntries(
      'id key name model field type result outcome status success diagnostics identities checkPath expectation_config expectation_type kwargs unique_id qualityId qualityDefinition'
        .split(' ')
        .map((name) => [name, value]),
    )
    assert.equal(key({ checks: [check, value] }).length, 2)
    assert.ok(key({ results: [check, value] }).length <= 2)
    assert.ok(key({ run_results: { a: value, b: { results: value } } }).length <= 2)
    assert.ok(key({ validation_results: [value, { expectations: [check] }] }).length <= 2)
  }
})
