import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BigQueryTableEntry } from '../../../test/warehouses/bigquery/server.ts'
import {
  listPaths,
  newTable,
  startBigQuerySource,
} from '../../../test/warehouses/bigquery/source.ts'

const SALES = { project: 'shop', dataset: 'sales' }

function newShard(name: string, column: string): BigQueryTableEntry {
  return newTable(name, {
    schema: { fields: [{ name: column, type: 'STRING' }] },
    numRows: '5',
    lastModifiedTime: '1000',
  })
}

test('bigquery › shows date shards as one table, with the columns of the newest', async (t) => {
  const source = await startBigQuerySource(t)
  const others = ['events_20261301', 'events_2026', 'run_1234567890', 'a120260101', '_20260101']
  source.model.projects = {
    shop: {
      sales: [
        newShard('events_20251231', 'old'),
        newShard('events_20260102', 'new'),
        newShard('events_20260101', 'old'),
        newShard('log20240229', 'a'),
        newTable('view_20260101', { type: 'VIEW' }),
        ...others.map((name) => newTable(name)),
      ],
    },
  }
  source.proxy.pageSize = 2
  const reading = await source.read()
  assert.deepEqual(listPaths(reading), [
    'shop',
    'shop.sales',
    'shop.sales.view_20260101',
    ...others.map((name) => `shop.sales.${name}`),
    'shop.sales.events_*',
    // The only table of its group is an ordinary table.
    'shop.sales.log20240229',
  ])
  assert.deepEqual(reading.table('shop', 'sales', 'events_*'), {
    kind: 'table',
    path: ['shop', 'sales', 'events_*'],
    scope: ['shop', 'sales'],
    columns: [{ name: 'new', type: 'STRING' }],
    sourceId: 'shop.sales.events_*',
    custom: { ...SALES, shardedBy: 'day' },
    statistic: { changedAt: '1970-01-01T00:00:01.000Z', changedMeans: 'any' },
  })
  source.model.projects['shop']?.['sales']?.push(newShard('events_20260103', 'new'))
  const { custom } = (await source.read()).table('shop', 'sales', 'events_*')
  assert.deepEqual(custom, { ...SALES, shardedBy: 'day' }, 'a further shard changes nothing')
  const filters = { include: {}, exclude: { table: ['*_*'] } }
  assert.deepEqual(listPaths(await source.read({ filters })).slice(2), [
    'shop.sales.a120260101',
    'shop.sales.log20240229',
  ])
  const plain = await source.read({ configuration: { collapseShards: false } })
  assert.ok(listPaths(plain).includes('shop.sales.events_20251231'))
})

test('bigquery › a second shard makes a table a group with the same platform id', async (t) => {
  const source = await startBigQuerySource(t)
  const sales = [newShard('backup_20240115', 'a')]
  source.model.projects = { shop: { sales } }
  const single = (await source.read()).table('shop', 'sales', 'backup_20240115')
  assert.deepEqual(single.custom, SALES)
  sales.push(newShard('backup_20240116', 'a'))
  const reading = await source.read()
  const group = reading.table('shop', 'sales', 'backup_*')
  assert.deepEqual([group.sourceId, single.sourceId], Array(2).fill('shop.sales.backup_*'))
  assert.deepEqual(listPaths(reading), ['shop', 'shop.sales', 'shop.sales.backup_*'])
  const filters = { include: { table: ['backup_20240115'] }, exclude: {} }
  assert.deepEqual(listPaths(await source.read({ filters })).at(-1), 'shop.sales.backup_20240115')
})
