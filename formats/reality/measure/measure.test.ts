import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readDataContract } from '../../data-contract/read.ts'
import type { DataContract } from '../../data-contract/data-contract.ts'
import { readText } from '../../text/text.ts'
import { asText, getField, type Value } from '../../text/value.ts'
import { readActual } from '../actual.ts'
import type { MeasureAnswer } from './measure.ts'
import { writeTestResult } from './outcome.ts'
import { isTestable, listTestedModels, planTests, type ModelTable } from './plan.ts'

const COLUMNS = [
  ['id', 'bigint'],
  ['state', 'character varying(10)'],
  ['price', 'numeric(10,2)'],
  ['ratio', 'double precision'],
  ['isOpen', 'boolean'],
  ['day', 'date'],
  ['updated_at', 'timestamp with time zone'],
  ['body', 'jsonb'],
] as const

const TABLE = readActual({
  id: 'wagons',
  info: { name: 'wagons', source: 'postgres', type: 'postgres_table' },
  columns: COLUMNS.map(([name, type]) => ({ name, type })),
})

function contractWith(quality: object[], fields: Record<string, object[]> = {}, more = {}) {
  const properties = COLUMNS.map(([name]) => ({
    name,
    logicalType: 'string',
    quality: fields[name] ?? [],
  }))
  const document = {
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id: 'c',
    version: '1.0.0',
    status: 'active',
    schema: [{ name: 'wagons', properties, quality }],
    ...more,
  }
  const source = readText(JSON.stringify(document), 'application/json')
  assert.ok(source.ok)
  const reading = readDataContract(source, { id: 'c', strict: false, isAccepted: true })
  assert.ok(reading.ok)
  return { contract: reading.contract, value: reading.value }
}

function plan(
  { contract, value }: { contract: DataContract; value: Value },
  table: ModelTable = TABLE,
) {
  const [own] = planTests(contract, value, new Map([['wagons', table]]))
  assert.ok(own)
  return own
}

function run(
  given: ReturnType<typeof contractWith>,
  answer: MeasureAnswer | undefined,
  endedAt = '2026-11-29T12:00:00.000Z',
) {
  const head = { id: 'r', contractId: 'c', contractVersion: '1.0.0', server: 'production' }
  const text = writeTestResult([{ plan: plan(given), answer }], {
    ...head,
    startedAt: endedAt,
    endedAt,
  })
  const result = readText(text, 'application/json')
  assert.ok(result.ok)
  const checks = getField(result.value, 'checks')
  assert.ok(Array.isArray(checks))
  return {
    text,
    result: asText(getField(result.value, 'result')),
    outcomes: checks.map((check) => asText(getField(check, 'result'))),
    reasons: checks.map((check) => asText(getField(check, 'reason'))),
  }
}

const level = (element: string, value: unknown = 24, unit = 'h') => ({
  property: 'freshness',
  value,
  unit,
  element,
})

const rows = (rule: object) => contractWith([{ metric: 'rowCount', ...rule }])

const at = (text: string | null) => ({
  rowCount: 1,
  counts: [],
  newestMs: text === null ? null : Date.parse(text),
})

const RULES = {
  id: [{ metric: 'duplicateValues', mustBe: 0 }],
  state: [
    { metric: 'nullValues', mustBeLessThan: 5, unit: 'percent' },
    { metric: 'missingValues', arguments: { missingValues: [null, '', 'n/a'] }, mustBe: 0 },
    {
      metric: 'invalidValues',
      arguments: { validValues: ["o'pen", 'closed'] },
      mustBe: 0,
      id: 'q',
    },
  ],
  price: [
    { metric: 'invalidValues', arguments: { validValues: [1, '2.50', 1e21, 'x'] }, mustBe: 0 },
  ],
}

describe('planTests', () => {
  test('makes one list of measures of a table, and measures nothing twice', () => {
    const twice = { metric: 'nullValues', mustBe: 0 }
    const { measures, checks } = plan(
      contractWith(
        [
          { metric: 'rowCount', mustBeGreaterThan: 0 },
          { metric: 'duplicateValues', arguments: { properties: ['state', 'day'] }, mustBe: 0 },
        ],
        { ...RULES, day: [twice, { ...twice, mustBe: 1 }] },
      ),
    )
    assert.deepEqual(measures, {
      counts: [
        { count: 'duplicates', columns: ['state', 'day'] },
        { count: 'duplicates', columns: ['id'] },
        { count: 'nulls', column: 'state' },
        { count: 'missing', column: 'state', values: { kind: 'text', texts: ['', 'n/a'] } },
        { count: 'invalid', column: 'state', values: { kind: 'text', texts: ["o'pen", 'closed'] } },
        {
          count: 'invalid',
          column: 'price',
          values: { kind: 'number', texts: ['1', '2.50', '1000000000000000000000'] },
        },
        { count: 'nulls', column: 'day' },
      ],
    })
    assert.deepEqual(
      checks.flatMap(({ test }) => (test.kind === 'count' ? [test.at] : [])),
      [undefined, 0, 1, 2, 3, 4, 5, 6, 6],
    )
  })

  const NOT_TESTED: readonly [why: string, field: string, rule: object][] = [
    ['SQL of a contract is never run', 'state', { type: 'sql', query: 'select 1', mustBe: 0 }],
    ['custom rules need their own program', 'state', { type: 'custom', engine: 'x' }],
    ['the rule is only a text', 'state', { type: 'text', description: 'Be good' }],
    ['patterns are never run', 'state', { metric: 'invalidValues', arguments: { pattern: '.*' } }],
    ['the rule names no valid values', 'state', { metric: 'invalidValues', mustBe: 0 }],
    ['rowCount is not a metric of a field', 'state', { metric: 'rowCount', mustBe: 0 }],
    [
      'duplicateValues has no percentage',
      'id',
      { metric: 'duplicateValues', unit: '%', mustBe: 0 },
    ],
    ['the rule has no threshold with numbers', 'id', { metric: 'nullValues', mustBe: '0' }],
    ['the metric freshCount is not measured here', 'id', { metric: 'freshCount', mustBe: 0 }],
    [
      'values of the type double precision are not compared',
      'ratio',
      { metric: 'invalidValues', arguments: { validValues: [1] }, mustBe: 0 },
    ],
    [
      'values of the column body cannot be grouped',
      'body',
      { metric: 'duplicateValues', mustBe: 0 },
    ],
    [
      'the rule has more than 1000 values',
      'state',
      {
        metric: 'invalidValues',
        arguments: { validValues: Array.from({ length: 1001 }, (_, at) => `${at}`) },
        mustBe: 0,
      },
    ],
  ]
  for (const [why, field, rule] of NOT_TESTED) {
    test(`names a rule that is not tested: ${why}`, () => {
      const given = plan(contractWith([], { [field]: [rule] }))
      assert.deepEqual(
        given.checks.map((check) => check.test),
        [{ kind: 'none', reason: why }],
      )
      assert.equal(isTestable(given), false)
    })
  }

  test('lists the models with rules, and gives the reason of a table that is not there', () => {
    const given = contractWith([{ metric: 'rowCount', mustBe: 1 }])
    assert.deepEqual(listTestedModels(given.contract, given.value), ['wagons'])
    const without = contractWith([])
    assert.deepEqual(listTestedModels(without.contract, without.value), [])
    const [check] = plan(given, { reason: 'the model is not linked: not_found' }).checks
    assert.deepEqual(check?.test, { kind: 'none', reason: 'the model is not linked: not_found' })
  })

  test('reads one column of a table for its newest time', () => {
    const { measures, checks } = plan(
      contractWith(
        [],
        {},
        {
          slaProperties: [
            { ...level('wagons.updated_at'), id: 'sla' },
            level('wagons.day', 2, 'd'),
            level('wagons.state'),
            level('wagons.gone'),
            level('wagons.updated_at', 'soon', ''),
            level('other.updated_at'),
          ],
        },
      ),
    )
    assert.equal(measures.newest, 'updated_at')
    assert.deepEqual(
      checks.map((check) => check.test),
      [
        { kind: 'age', seconds: 86_400 },
        { kind: 'none', reason: 'only one column of a table is read for its newest time' },
        { kind: 'none', reason: 'the column state has no points in time' },
        { kind: 'none', reason: 'its element is not a column' },
        { kind: 'none', reason: 'its value is not a duration' },
      ],
    )
    assert.equal(checks[0]?.id, 'sla')
  })
})

describe('writeTestResult', () => {
  const THRESHOLDS: readonly [rule: object, rowCount: number, outcome: string][] = [
    [{ mustBe: 5 }, 5, 'passed'],
    [{ mustBe: 5 }, 6, 'failed'],
    [{ mustNotBe: 5 }, 5, 'failed'],
    [{ mustBeGreaterThan: 5 }, 5, 'failed'],
    [{ mustBeGreaterOrEqualTo: 5 }, 5, 'passed'],
    [{ mustBeLessThan: 5 }, 5, 'failed'],
    [{ mustBeLessOrEqualTo: 5 }, 5, 'passed'],
    [{ mustBeBetween: [5, 7] }, 7, 'passed'],
    [{ mustBeBetween: [5, 7] }, 8, 'failed'],
    [{ mustNotBeBetween: [5, 7] }, 5, 'failed'],
    [{ mustNotBeBetween: [5, 7] }, 4, 'passed'],
    [{ mustBeLessThan: 1e308 }, 5, 'passed'],
    [{ mustBeGreaterThan: -1e308 }, 0, 'passed'],
    [{ mustBe: 5, severity: 'info' }, 6, 'warning'],
  ]
  for (const [rule, rowCount, outcome] of THRESHOLDS) {
    test(`${JSON.stringify(rule)} with ${rowCount} rows: ${outcome}`, () => {
      const { outcomes, result } = run(rows(rule), { rowCount, counts: [], newestMs: null })
      assert.deepEqual([outcomes, result], [[outcome], outcome])
    })
  }

  test('compares a percentage, which is 0 for an empty table', () => {
    const given = contractWith([], { state: RULES.state.slice(0, 1) })
    const failing = run(given, { rowCount: 3, counts: [1], newestMs: null })
    assert.deepEqual(failing.reasons, ['state: 33.333333 %, expected less than 5 %.'])
    assert.deepEqual(run(given, { rowCount: 0, counts: [0], newestMs: null }).outcomes, ['passed'])
  })

  test('judges the age of the newest instant', () => {
    const given = contractWith(
      [],
      {},
      {
        slaProperties: [
          { property: 'freshness', value: 1, unit: 'h', element: 'wagons.updated_at' },
        ],
      },
    )
    assert.deepEqual(run(given, at('2026-11-29T11:00:01Z')).outcomes, ['passed'])
    assert.deepEqual(run(given, at('2026-11-29T11:00:00Z')).outcomes, ['failed'])
    assert.deepEqual(run(given, at('+275760-09-13T00:00:00.000Z')).outcomes, ['passed'])
    assert.deepEqual(run(given, at('-000044-03-15T00:00:00.000Z')).outcomes, ['failed'])
    assert.deepEqual(run(given, at(null)).reasons, ['The column has no value.'])
    assert.match(
      run(given, at('2026-11-29T11:30:00Z')).text,
      /"latest_timestamp":"2026-11-29T11:30:00.000Z"/,
    )
  })

  test('a table that could not be measured is an error, and one without time is skipped', () => {
    const given = rows({ mustBe: 1 })
    const locked = run(given, { failure: 'locked' })
    assert.deepEqual([locked.outcomes, locked.result], [['error'], 'error'])
    assert.match(locked.text, /"logs":\[{"level":"WARN","message":"wagons: Another program/)
    assert.deepEqual(run(given, undefined).outcomes, ['skipped'])
  })
})
