import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readText } from '../../../formats/text/text.ts'
import {
  readTestResult,
  toOutcome,
  type BranchPath,
  type TestResultReading,
} from './test-result.ts'

function read(value: object, path?: BranchPath): TestResultReading {
  const source = readText(JSON.stringify(value), 'application/json')
  assert.ok(source.ok)
  return readTestResult(source, path)
}

function expectResult(value: object, path?: BranchPath) {
  const reading = read(value, path)
  assert.ok(reading.ok, JSON.stringify(reading))
  return reading.result
}

function expectProblems(value: object, fields: readonly string[], path?: BranchPath): void {
  const reading = read(value, path)
  assert.ok(!reading.ok)
  assert.deepEqual(
    reading.problems.map(({ field }) => field),
    fields,
  )
}

test('readTestResult › reads the members that the Data Contract CLI sends', () => {
  const result = expectResult({
    id: 'r1',
    runId: 'r1',
    dataContractId: 'c',
    dataContractVersion: '1.0.0',
    dataProductId: 'p',
    outputPortId: 'o',
    server: 'production',
    timestampStart: '2026-11-26T01:00:00+01:00',
    timestampEnd: '2026-11-26T00:00:05.5Z',
    result: 'warning',
    dryRun: false,
    checks: [{ result: 'passed' }, { result: 'warning' }, { name: 'x' }, null, 5],
    logs: [],
  })
  const { checks, ...members } = result
  assert.deepEqual(
    checks.map(({ outcome }) => outcome),
    ['passed', 'warning', 'unknown', 'unknown', 'unknown'],
  )
  assert.deepEqual(members, {
    freshness: [],
    hasSamples: false,
    id: 'r1',
    contractId: 'c',
    contractVersion: '1.0.0',
    productId: 'p',
    outputPort: 'o',
    server: 'production',
    branch: null,
    result: 'warning',
    dryRun: false,
    checkCount: 5,
    passedCount: 1,
    startedAt: '2026-11-26T00:00:00Z',
    endedAt: '2026-11-26T00:00:05.5Z',
  })
})

test('readTestResult › reads what older programs send: only a runId, nulls, no offsets', () => {
  const result = expectResult({
    runId: 'r2',
    dataContractId: 'c',
    dataProductId: null,
    server: null,
    timestampStart: '2024-05-01T10:00:00.123456',
    timestampEnd: 'yesterday',
    result: null,
    checks: null,
  })
  assert.equal(result.id, 'r2')
  assert.equal(result.result, 'unknown')
  assert.deepEqual([result.productId, result.server], [null, null])
  assert.deepEqual([result.startedAt, result.endedAt], ['2024-05-01T10:00:00.123456Z', null])
  assert.deepEqual([result.checkCount, result.passedCount], [null, null])
})

test('readTestResult › reads sums instead of checks, one time, and no id', () => {
  const checks = { passed: 3, failed: 2 }
  const sent = { dataContractId: 'c', timestamp: '2026-01-01T00:00:00', checks, results: [] }
  const result = expectResult({ ...sent, result: 'failed' })
  assert.equal(result.id, null)
  assert.deepEqual([result.checkCount, result.passedCount], [5, 3])
  assert.equal(result.endedAt, '2026-01-01T00:00:00Z')
})

test('readTestResult › ignores totals that are not counts', () => {
  for (const checks of [
    { passed: -1 },
    { passed: 1.5 },
    { passed: '3' },
    { passed: 1e12 },
    {},
    'x',
  ]) {
    const { checkCount, passedCount } = expectResult({ dataContractId: 'c', checks })
    assert.deepEqual([checkCount, passedCount], [null, null])
  }
})

test('readTestResult › takes contract and branch from the path', () => {
  const path = { contractId: 'c', branch: 'feature' }
  for (const sent of [{}, { dataContractId: 'c' }, { dataContractId: null, branch: 'other' }]) {
    const { contractId, branch } = expectResult(sent, path)
    assert.deepEqual([contractId, branch], ['c', 'feature'])
  }
  expectProblems({ dataContractId: 'd' }, ['dataContractId'], path)
})

test('readTestResult › rejects a missing contract and unusable ids', () => {
  expectProblems({}, ['dataContractId'])
  expectProblems({ dataContractId: '' }, ['dataContractId'])
  expectProblems({ id: 5, dataContractId: 'c' }, ['id'])
  expectProblems({ runId: 'a/b', dataContractId: ['c'] }, ['runId', 'dataContractId'])
  expectProblems({ id: 'x'.repeat(257), dataContractId: 'c' }, ['id'])
})

test('toOutcome › reports every unknown outcome as unknown', () => {
  for (const outcome of ['passed', 'warning', 'failed', 'error', 'unknown'] as const) {
    assert.equal(toOutcome(outcome), outcome)
    assert.equal(toOutcome(outcome.toUpperCase()), outcome)
  }
  for (const other of ['skipped', '', 5, null, undefined, ['passed']]) {
    assert.equal(toOutcome(other), 'unknown')
  }
})

test('readTestResult › the words of other programs are outcomes, also of `results`', () => {
  for (const [word, outcome] of [
    ['pass', 'passed'],
    ['success', 'passed'],
    ['fail', 'failed'],
    ['warn', 'warning'],
    [true, 'passed'],
    [false, 'failed'],
    ['info', 'unknown'],
  ] as const) {
    assert.equal(expectResult({ dataContractId: 'c', result: word }).result, outcome)
  }
  const results = [{ status: 'pass' }, { status: 'warn' }, { success: true }]
  const { result, checkCount, passedCount } = expectResult({ dataContractId: 'c', results })
  assert.deepEqual([result, checkCount, passedCount], ['warning', 3, 2])
  assert.equal(expectResult({ dataContractId: 'c', success: false, results: [] }).result, 'failed')
})
