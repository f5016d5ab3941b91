import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { mutations } from '../../../test/document-mutations.ts'
import { getField, isObject, type ObjectValue, type Value } from '../../text/value.ts'
import { isOors, readOors } from './read.ts'
import { writeOors } from './write.ts'

const CONTEXT = {
  id: 'run-1',
  contractId: 'orders',
  contractVersion: '1.0.0',
  standard: 'ODCS',
  server: 'production',
  branch: undefined,
  outputPort: undefined,
  isDryRun: false,
  startedAt: '2026-11-27T08:00:00Z',
  testedAt: '2026-11-27T08:00:09Z',
} as const

const MINIMAL: ObjectValue = {
  apiVersion: 'v0.8.1',
  kind: 'ObservabilityResults',
  id: 'run-1',
  observedAt: '2026-11-27T08:00:09Z',
  source: { process: 'nightly' },
  contract: { contractId: 'orders' },
  results: [{ id: 'a', type: 'check', name: 'A', status: 'pass' }],
}

const FULL: ObjectValue = {
  ...MINIMAL,
  source: { process: 'nightly', runId: 'r-7', vendor: 'soda' },
  run: { state: 'completed', startedAt: '2026-11-27T08:00:00Z' },
  contract: { contractId: 'orders', standard: 'ODCS', version: '1.0.0', server: 'production' },
  status: 'fail',
  results: [
    {
      id: 'rows',
      type: 'check',
      name: 'Rows',
      status: 'fail',
      relatesTo: 'schema/orders/quality/rows',
      severity: 'high',
      dimension: 'completeness',
      target: { resourceType: 'table', resourceIdentifier: 'orders', filter: 'a > 1' },
      measure: {
        metric: 'rowCount',
        value: 12,
        threshold: { mustBeLessOrEqualTo: 5 },
        unit: 'rows',
        rowCount: 100,
        failedRowCount: 12,
      },
      message: 'Too many.',
      customProperties: [{ property: 'engine', value: 'soda', vendor: 'portbook' }],
    },
    {
      id: 'age',
      type: 'metric',
      name: 'Age',
      status: 'pass',
      relatesTo: 'schema/orders/properties/at/quality/age',
      target: { resourceType: 'column', resourceIdentifier: 'orders.at' },
      measure: { metric: 'age', value: 4192, unit: 'seconds' },
      customProperties: [{ property: 'engine', value: 'soda', vendor: 'portbook' }],
    },
  ],
  customProperties: [{ property: 'branch', value: 'main', vendor: 'portbook' }],
}

/** The spelling of RFC 0018. */
const OLDER: ObjectValue = {
  apiVersion: 'v0.1.0',
  kind: 'ObservabilityResults',
  id: 'run-1',
  observedAt: '2025-12-25T18:00:00+01:00',
  source: { process: 'dbt', runID: '268e5b0f', vendor: 'inhouse' },
  contract: { contractID: 'orders', version: 'v1.0.0' },
  results: [
    {
      id: 'dup',
      type: 'check',
      name: 'No duplicates',
      status: 'fail',
      target: { resourceType: 'column', resourceIdentifier: ['orders.a', 'orders.b'] },
      measure: { metric: 'rowCount', value: 3, threshold: { mustBeLowerOrEqual: 0 }, unit: 'rows' },
      message: 'Found.',
    },
  ],
}

function read(document: ObjectValue, contractId?: string): ObjectValue {
  const { result, problems } = readOors(document, contractId)
  assert.deepEqual(problems, [])
  return result
}

function listChecks(result: ObjectValue): Value[] {
  return Array.isArray(result['checks']) ? result['checks'] : []
}

test('OORS › a document is read as the result of a client', () => {
  const result = read(FULL)
  assert.deepEqual(
    ['id', 'runId', 'dataContractId', 'server', 'branch', 'result', 'timestampEnd'].map(
      (name) => result[name],
    ),
    ['run-1', 'r-7', 'orders', 'production', 'main', 'failed', '2026-11-27T08:00:09Z'],
  )
  const [rows, age] = listChecks(result)
  assert.deepEqual(rows, {
    result: 'failed',
    key: 'rows',
    qualityId: 'rows',
    name: 'Rows',
    type: 'rowCount',
    dimension: 'completeness',
    severity: 'high',
    reason: 'Too many.',
    engine: 'soda',
    model: 'orders',
    filter: 'a > 1',
    value: 12,
    unit: 'rows',
    failedNumber: 12,
    totalNumber: 100,
    threshold: { mustBeLessOrEqualTo: 5 },
  })
  assert.deepEqual([getField(age, 'model'), getField(age, 'field')], ['orders', 'at'])
})

test('OORS › what is read is written as it was', () => {
  const context = { ...CONTEXT, branch: 'main' }
  const { document, losses } = writeOors(read(FULL), context)
  assert.deepEqual(document, FULL)
  assert.deepEqual(losses, [])
  const again = writeOors(read(document), context)
  assert.deepEqual(again.document, document)
})

test('OORS › the spelling and the operators of RFC 0018 are read, the newer are written', () => {
  const result = read(OLDER)
  assert.equal(result['runId'], '268e5b0f')
  assert.equal(result['dataContractId'], 'orders')
  const { document } = writeOors(result, CONTEXT)
  assert.equal(getField(document['source'], 'runId'), '268e5b0f')
  const results = document['results']
  const [first] = Array.isArray(results) ? results : []
  assert.deepEqual(getField(getField(first, 'measure'), 'threshold'), { mustBeLessOrEqualTo: 0 })
  assert.deepEqual(getField(first, 'target'), {
    resourceType: 'column',
    resourceIdentifier: 'orders.a',
  })
})

test('OORS › each status is read, and another word is unknown and kept in the message', () => {
  const statuses = ['pass', 'fail', 'warn', 'error', 'skip', 'unknown', 'odd']
  const results = statuses.map((status) => ({ id: status, type: 'check', name: status, status }))
  const checks = listChecks(read({ ...MINIMAL, results }))
  assert.deepEqual(
    checks.map((check) => [getField(check, 'result'), getField(check, 'reason')]),
    [
      ['passed', undefined],
      ['failed', undefined],
      ['warning', undefined],
      ['error', undefined],
      ['unknown', 'Skipped.'],
      ['unknown', undefined],
      ['unknown', 'Status "odd".'],
    ],
  )
})

function readOutcome(...statuses: string[]): [Value | undefined, number] {
  const results = statuses.map((status) => ({ id: 'a', type: 'check', name: 'a', status }))
  const { result, warnings } = readOors({ ...MINIMAL, status: 'pass', results }, undefined)
  return [result['result'], warnings.length]
}

test('OORS › the outcome is the worst of the results; another status is a warning', () => {
  assert.deepEqual(readOutcome('pass', 'error', 'fail'), ['error', 1])
  assert.deepEqual(readOutcome('pass', 'warn', 'fail'), ['failed', 1])
  assert.deepEqual(readOutcome('warn', 'pass'), ['warning', 1])
  assert.deepEqual(readOutcome('pass', 'skip'), ['passed', 0])
  assert.deepEqual(readOutcome('skip'), ['unknown', 1])
})

function listProblems(document: ObjectValue): string[] {
  return readOors(document, undefined).problems.map(({ path }) => path.join('.'))
}

test('OORS › a snapshot, a missing contract, an empty list and missing fields are problems', () => {
  assert.deepEqual(listProblems({ ...MINIMAL, run: { state: 'running' } }), ['run.state'])
  assert.deepEqual(listProblems({ ...MINIMAL, contract: {} }), ['contract.contractId'])
  assert.equal(read({ ...MINIMAL, contract: {} }, 'named')['dataContractId'], 'named')
  assert.deepEqual(listProblems({ ...MINIMAL, results: [] }), ['results'])
  assert.deepEqual(listProblems({ kind: 'ObservabilityResults', results: [7, {}] }), [
    'apiVersion',
    'id',
    'observedAt',
    'source.process',
    'contract.contractId',
    'results.0',
    'results.1.id',
    'results.1.name',
    'results.1.status',
  ])
})

function checkVersion(apiVersion: Value): [problems: number, warnings: number] {
  const { problems, warnings } = readOors({ ...MINIMAL, apiVersion }, undefined)
  return [problems.length, warnings.length]
}

test('OORS › another patch is read with a warning, another minor version or none is a problem', () => {
  assert.deepEqual(['v0.1.0', 'v0.8.0', 'v0.8.1', 'v0.8.9'].map(checkVersion), [
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 1],
  ])
  for (const odd of ['v0.9.0', 'v1.0.0', '', 'x', 8]) assert.deepEqual(checkVersion(odd), [1, 0])
})

test('OORS › a relation that leads to no rule is a warning', () => {
  const results = [{ id: 'a', type: 'check', status: 'pass', relatesTo: 'somewhere' }]
  const { warnings, problems } = readOors({ ...MINIMAL, results }, undefined)
  assert.deepEqual(
    [problems.length, warnings.map(({ path }) => path)],
    [0, [['results', 0, 'relatesTo']]],
  )
})

// As the Data Contract CLI sends it.
const OF_CLI: ObjectValue = {
  datacontractCliVersion: '1.2.8',
  runId: '0190',
  dataContractId: 'orders',
  result: 'failed',
  checks: [
    {
      type: 'field_unique',
      name: 'Unique',
      result: 'passed',
      engine: 'soda',
      model: 'o',
      field: 'id',
    },
    {
      type: 'row_count',
      name: 'Rows',
      result: 'failed',
      engine: 'soda',
      model: 'o',
      failedNumber: 3,
      totalNumber: 9,
      failedSamples: [1],
      qualityDefinition: { mustBe: 0 },
    },
    { type: 'x', name: 'Other', result: 'strange', reason: 'r' },
    { name: 'No', result: null },
  ],
  logs: [{ level: 'INFO', message: 'm' }],
}

test('OORS › a result of a client is written with its checks; samples and logs are losses', () => {
  const { document, losses } = writeOors(OF_CLI, CONTEXT)
  assert.deepEqual(document['source'], {
    process: 'datacontract test',
    runId: '0190',
    vendor: 'datacontract-cli',
  })
  assert.equal(document['status'], 'fail')
  assert.deepEqual(
    losses.map(({ path }) => path),
    ['logs', 'checks[1].failedSamples'],
  )
  const results = Array.isArray(document['results']) ? document['results'] : []
  assert.deepEqual(results[1], {
    id: '2',
    type: 'check',
    name: 'Rows',
    status: 'fail',
    target: { resourceType: 'table', resourceIdentifier: 'o' },
    measure: {
      metric: 'row_count',
      value: 3,
      threshold: { mustBe: 0 },
      unit: 'rows',
      rowCount: 9,
      failedRowCount: 3,
    },
    customProperties: [{ property: 'engine', value: 'soda', vendor: 'portbook' }],
  })
  assert.equal(getField(results[2], 'message'), 'Status "strange". r')
  // Read again, it counts as before.
  const again = read(document)
  assert.equal(again['result'], 'failed')
  assert.deepEqual(
    listChecks(again).map((check) => getField(check, 'result')),
    ['passed', 'failed', 'unknown', 'unknown'],
  )
})

test('OORS › a dry run is skipped, counts and an empty list are one result', () => {
  const dry = writeOors(OF_CLI, { ...CONTEXT, isDryRun: true }).document
  assert.equal(dry['status'], 'skip')
  for (const checks of [{ passed: 3, failed: 1 }, [], undefined]) {
    const sent: ObjectValue = { result: 'passed', ...(checks === undefined ? {} : { checks }) }
    const { document } = writeOors(sent, CONTEXT)
    assert.deepEqual(document['results'], [
      { id: 'run-1', type: 'check', name: 'Data contract orders', status: 'pass' },
    ])
    assert.deepEqual(readOors(document, undefined).problems, [])
  }
})

test('OORS › odd documents give problems, never an error, and what is written can be read', () => {
  fc.assert(
    fc.property(mutations(FULL), (value) => {
      if (!isOors(value)) return
      const { result, problems } = readOors(value, 'c')
      if (problems.length === 0) {
        assert.deepEqual(readOors(writeOors(result, CONTEXT).document, undefined).problems, [])
      }
    }),
    { numRuns: 500, seed: 18 },
  )
  fc.assert(
    fc.property(mutations(OF_CLI), (value) => {
      const { document } = writeOors(isObject(value) ? value : {}, CONTEXT)
      assert.deepEqual(readOors(document, undefined).problems, [], JSON.stringify(value))
    }),
    { numRuns: 500, seed: 18 },
  )
})
