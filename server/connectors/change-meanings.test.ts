import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toTableAsset as toBigQueryAsset } from './bigquery/assets.ts'
import type { Statistic } from './connector.ts'
import { toTableAsset as toGlueAsset } from './glue/assets.ts'
import { tableAsset as toIcebergAsset } from './iceberg/assets.ts'

// The meaning of the time that each platform reports, without a server. Those of the others are in their tests.

const TIME = Date.UTC(2026, 0, 2, 3, 4, 5)
const CHANGED_AT = new Date(TIME).toISOString()
const GLUE = { name: 't', database: 'd', origin: { catalogId: '1', region: 'eu' } }

function outline(statistic: Statistic | undefined): unknown {
  return statistic?.changedAt === undefined
    ? undefined
    : [statistic.changedAt, statistic.changedMeans]
}

const bigQuery = (table: object): unknown =>
  outline(toBigQueryAsset(['p', 'd'], 't', { type: 'TABLE', ...table }).statistic)
const glue = (parameters: Record<string, string>): unknown =>
  outline(
    toGlueAsset({ Name: 't', UpdateTime: TIME / 1000, Parameters: parameters }, GLUE).statistic,
  )
const iceberg = (table: object): unknown =>
  outline(
    toIcebergAsset('n', 't', { schema: { fields: [] }, 'last-updated-ms': TIME + 5000, ...table })
      .statistic,
  )

test('a connector reports what changed at the time of a change', () => {
  const storageModifiedTime = String(TIME)
  assert.deepEqual(bigQuery({ storageModifiedTime }), [CHANGED_AT, 'data'])
  assert.deepEqual(bigQuery({ lastModifiedTime: String(TIME) }), [CHANGED_AT, 'any'])
  assert.equal(bigQuery({}), undefined)
  assert.deepEqual(glue({}), [CHANGED_AT, 'definition'])
  assert.deepEqual(glue({ metadata_location: 's3://lake/t/metadata/2.json' }), [CHANGED_AT, 'any'])
  const snapshots = [
    { 'snapshot-id': 1, 'timestamp-ms': 5 },
    { 'snapshot-id': 2, 'timestamp-ms': TIME },
  ]
  assert.deepEqual(iceberg({ snapshots, 'current-snapshot-id': 2 }), [CHANGED_AT, 'data'])
  // Changes of the metadata make no snapshot.
  assert.equal(iceberg({ snapshots, 'current-snapshot-id': -1 }), undefined)
  assert.equal(iceberg({}), undefined)
})
