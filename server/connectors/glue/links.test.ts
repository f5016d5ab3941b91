import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GlueTableEntry } from '../../../test/warehouses/glue/server.ts'
import {
  listComplete,
  listPaths,
  newTable,
  startGlueSource,
} from '../../../test/warehouses/glue/source.ts'

const CUSTOM = { account: '123456789012', region: 'eu-central-1' }

function newColumn(name: string, type: string, comment?: string): object {
  return { Name: name, Type: type, ...(comment === undefined ? {} : { Comment: comment }) }
}

test('glue › leaves resource links out with a line in the log', async (t) => {
  const source = await startGlueSource(t)
  const { model } = source
  const link = { TargetTable: { CatalogId: '999999999999', DatabaseName: 'theirs', Name: 'x' } }
  model.databases = { sales: [newTable('orders'), { Name: 'linked', ...link }], shared: [] }
  model.details = { shared: { TargetDatabase: { CatalogId: '999999999999', DatabaseName: 'x' } } }
  const reading = await source.read()
  assert.deepEqual(listPaths(reading), ['sales', 'sales.orders'])
  assert.deepEqual(listComplete(reading), ['sales'])
  assert.equal(reading.scopes[1]?.decision, 'excluded')
  assert.deepEqual(source.log, [
    'info 1 link to other databases left out',
    'info sales: 1 link to other tables left out',
  ])
  assert.equal(source.proxy.requests.length, 2)
})

function newLink(name: string, more: Record<string, unknown> = {}): GlueTableEntry {
  const TargetTable = { CatalogId: '999999999999', DatabaseName: 'theirs', Name: name, ...more }
  return { Name: name, TargetTable }
}

test('glue › follows resource links to tables of other accounts', async (t) => {
  const source = await startGlueSource(t)
  const { model } = source
  const StorageDescriptor = { Columns: [newColumn('a', 'int')], Location: 's3://theirs/x' }
  model.shared = {
    '999999999999': {
      theirs: [
        newTable('x', { Description: 'Theirs', StorageDescriptor }),
        newTable('v', { TableType: 'VIRTUAL_VIEW' }),
        newLink('again'),
      ],
      hidden: [newTable('y')],
    },
  }
  model.databases = {
    sales: [
      { ...newLink('x'), Name: 'linked' },
      newLink('v'),
      newLink('gone'),
      newLink('y', { DatabaseName: 'hidden' }),
      newLink('again'),
      newLink('far', { Region: 'us-east-1' }),
      newTable('orders'),
    ],
    shared: [newTable('z')],
  }
  model.details = { shared: { TargetDatabase: { CatalogId: '999999999999', DatabaseName: 'x' } } }
  model.denied = new Set(['hidden'])
  const configuration = { resourceLinks: 'follow' }
  const reading = await source.read({ configuration })
  assert.deepEqual(listPaths(reading), [
    'sales',
    'sales.linked',
    'sales.v',
    'sales.orders',
    'shared',
    'shared.z',
  ])
  assert.deepEqual(reading.table('sales', 'linked'), {
    kind: 'external_table',
    path: ['sales', 'linked'],
    scope: ['sales'],
    description: 'Theirs',
    columns: [{ name: 'a', type: 'int' }],
    custom: { ...CUSTOM, database: 'sales', location: 's3://theirs/x' },
  })
  const unreadable = reading.unreadable.map(({ path, message }) => `${path[1]}: ${message}`)
  assert.deepEqual(unreadable, [
    'gone: AWS Glue does not show the table theirs.gone, to which it links.',
    'y: AWS Glue does not show the table hidden.y, to which it links.',
    'again: AWS Glue did not return the table theirs.again, to which it links.',
    'far: It links to a table in another region (us-east-1).',
  ])
  assert.deepEqual(listComplete(reading), ['sales', 'shared'])
  const plain = await source.read({ configuration: { ...configuration, includeViews: false } })
  assert.ok(!listPaths(plain).includes('sales.v'))
})
