/** The cost of comparing grows with the contract and its tables, never with the product of both. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readContract } from './drift-contracts.ts'
import type { ObjectValue } from '../formats/text/value.ts'
import { readActual } from '../formats/reality/actual.ts'
import { comparePromise, DRIFT_FINDINGS_MAX } from '../formats/reality/compare.ts'
import { listPromises, PROMISES_MAX } from '../formats/reality/promise.ts'

const GROWTH = 10
// Twice the growth of linear work; a square would be ten times it.
const RATIO_MAX = 2 * GROWTH
const REPEATS = 5

/** Measures the processor time of a function in microseconds: the least of several calls, after one that compiles it. */
function measure(work: () => void): number {
  const times = Array.from({ length: REPEATS + 1 }, () => {
    const start = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(start)
    return user + system
  })
  return Math.max(1_000, Math.min(...times.slice(1)))
}

function createContract({ columns = 1, models = 1, servers = 1 }): ObjectValue {
  const properties = Array.from({ length: columns }, (_, at) => ({
    name: `Column_${at}`,
    logicalType: 'string',
    physicalType: 'varchar(10)',
    required: true,
    unique: true,
  }))
  return {
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    version: '1',
    status: 'active',
    servers: Array.from({ length: servers }, (_, at) => ({
      server: `server-${at}`,
      type: 'postgres',
      host: `host-${at}`,
      database: 'db',
    })),
    schema: Array.from({ length: models }, (_, at) => ({
      name: `table_${at}`,
      physicalType: 'table',
      properties,
    })),
  }
}

function createTable(columns: number, suffix: string) {
  return readActual({
    id: 'a',
    info: { name: 'orders', source: 'postgres', type: 'postgres_table' },
    columns: Array.from({ length: columns }, (_, at) => ({
      name: `column_${at}${suffix}`,
      type: 'varchar(20)',
      required: at === 0,
    })),
  })
}

function list(value: ObjectValue) {
  const read = readContract(value)
  assert.ok(read !== undefined)
  return listPromises(read)
}

for (const [title, suffix] of [
  ['that all differ', ''],
  ['that all have other names', '_x'],
] as const) {
  test(`5,000 columns ${title} cost about ten times as much as 500`, () => {
    const [small, large] = [500, 500 * GROWTH].map((columns) => {
      const [promise] = list(createContract({ columns }))
      const table = createTable(columns, suffix)
      assert.ok(promise !== undefined)
      return measure(() => {
        const { findings } = comparePromise(promise.promise, table)
        assert.equal(findings.length, Math.min(DRIFT_FINDINGS_MAX, findings.length))
      })
    })
    assert.ok((large ?? 0) <= RATIO_MAX * (small ?? 0), `${large} µs after ${small} µs`)
  })
}

test('100 servers cost about ten times as much as ten, and share what they promise', () => {
  const [small, large] = [10, 100].map((servers) => {
    const value = createContract({ columns: 200, models: 5, servers })
    const read = readContract(value)
    assert.ok(read !== undefined)
    const promises = listPromises(read)
    assert.equal(promises.length, 5 * servers)
    assert.equal(new Set(promises.map(({ promise }) => promise)).size, 5)
    return measure(() => listPromises(read))
  })
  assert.ok((large ?? 0) <= RATIO_MAX * (small ?? 0), `${large} µs after ${small} µs`)
})

test('a contract has at most 1,000 promises, however many servers and models it has', () => {
  assert.equal(list(createContract({ models: 40, servers: 100 })).length, PROMISES_MAX)
})
