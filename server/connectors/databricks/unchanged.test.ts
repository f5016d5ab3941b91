import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import {
  getVersions,
  newSetup,
  readSource,
  type SourceReading,
} from '../../../test/source-reading.ts'
import {
  startUnityServer,
  type UnityModel,
  type UnityTable,
} from '../../../test/warehouses/unity/server.ts'
import type { KnownVersions } from '../connector.ts'
import { databricks } from './connector.ts'

const PATH = JSON.stringify(['main', 'sales', 'orders'])

interface Source {
  model: UnityModel
  read(known?: KnownVersions, configuration?: object): Promise<SourceReading>
}

async function startSource(t: TestContext): Promise<Source> {
  const { url, model, close } = await startUnityServer()
  t.after(close)
  model.catalogs = { main: { sales: [newTable('orders'), newTable('lines')], other: [] } }
  return {
    model,
    read: async (known, configuration = {}) =>
      await readSource(
        databricks,
        newSetup({
          configuration: databricks.description.configuration.parse({
            url,
            authentication: 'none',
            ...configuration,
          }),
          secrets: {},
        }),
        known,
      ),
  }
}

function newTable(name: string, more: object = {}): UnityTable {
  const columns = [{ name: 'id', type_text: 'bigint' }]
  return { name, table_id: `t-${name}`, updated_at: 1_700_000_000_000, columns, ...more }
}

function listUnchanged({ unchanged }: SourceReading): string[] {
  return unchanged.map(({ path }) => path.join('.'))
}

test('databricks › reads no columns of a schema whose tables are unchanged', async (t) => {
  const { read } = await startSource(t)
  const first = await read()
  const second = await read(getVersions(first))
  assert.deepEqual(listUnchanged(second), ['main.sales.orders', 'main.sales.lines'])
  assert.equal(second.statements.length, first.statements.length)
  assert.deepEqual(
    second.assets.map(({ path }) => path.join('.')),
    ['main', 'main.sales', 'main.other'],
  )
})

const CHANGES: [what: string, change: (model: UnityModel) => void][] = [
  ['changed', (model) => setTables(model, [newTable('orders', { updated_at: 1_700_000_000_001 })])],
  ['renamed', (model) => setTables(model, [newTable('orders'), newTable('rows')])],
  ['created', (model) => setTables(model, [newTable('orders'), newTable('fresh')])],
  ['described', (model) => setTables(model, [newTable('orders', { comment: 'New' })])],
  ['replaced', (model) => setTables(model, [newTable('orders', { table_id: 't-2' })])],
  ['unreadable', (model) => setTables(model, [newTable('orders', { table_type: 7 })])],
  ['without a time', (model) => setTables(model, [newTable('orders', { updated_at: null })])],
]

function setTables({ catalogs }: UnityModel, tables: UnityTable[]): void {
  catalogs['main'] = { sales: tables, other: [] }
}

for (const [what, change] of CHANGES) {
  test(`databricks › reads a schema again if a table is ${what}`, async (t) => {
    const { model, read } = await startSource(t)
    const known = getVersions(await read())
    change(model)
    const reading = await read(known)
    assert.deepEqual(listUnchanged(reading), [])
    const count = reading.assets.length + reading.unreadable.length
    assert.equal(count, 3 + (model.catalogs['main']?.['sales']?.length ?? 0))
  })
}

test('databricks › a dropped table is not among the unchanged ones', async (t) => {
  const { model, read } = await startSource(t)
  const known = getVersions(await read())
  setTables(model, [newTable('lines')])
  const reading = await read(known)
  assert.deepEqual(listUnchanged(reading), ['main.sales.lines'])
  assert.ok(reading.outcomes.every(({ failure }) => failure === undefined))
})

test('databricks › reads a schema again if a key or a tag changes', async (t) => {
  const { model, read } = await startSource(t)
  const configuration = { warehouseId: 'abc1' }
  model.results = { column_tags: [[['orders', 'id', 'pii', 'no']]] }
  const known = getVersions(await read(undefined, configuration))
  assert.equal((await read(known, configuration)).unchanged.length, 2)
  model.results = { column_tags: [[['orders', 'id', 'pii', 'yes']]] }
  const tagged = await read(known, configuration)
  assert.deepEqual(listUnchanged(tagged), [])
  assert.deepEqual(tagged.table('main', 'sales', 'orders').columns?.[0]?.tags, ['pii:yes'])
  assert.notEqual(getVersions(tagged).get(PATH), known.get(PATH))
})
