import assert from 'node:assert/strict'
import test from 'node:test'
import { assetAt, createSetup, paths, read, startSource } from '../../../test/iceberg-reading.ts'
import { getVersions } from '../../../test/source-reading.ts'
import { isolateConnectors } from '../source-process/isolated-connectors.ts'
import { iceberg } from './connector.ts'

test('iceberg › reports a table as unchanged that still has its entity tag', async (t) => {
  const from = await startSource(t)
  from.state.tables('sales', 3)
  from.state.view('sales', 'newest', 'select 1')
  const first = await read(from)
  assert.deepEqual(first.unchanged, [])
  from.state.table('sales', 'table_0002', { other: 'long' })
  const second = await read(from, {}, getVersions(first))
  assert.deepEqual(paths(second.unchanged), ['sales|table_0001', 'sales|table_0003'])
  assert.deepEqual(
    assetAt(second, 'sales', 'table_0002').columns?.map(({ name }) => name),
    ['other'],
  )
  // Views have no entity tags.
  assert.deepEqual(paths(second.assets), ['sales', 'sales|table_0002', 'sales|newest'])
})

test('iceberg › reads a table again if the catalog sends no entity tag, or one that is too long', async (t) => {
  const from = await startSource(t)
  from.state.tables('sales', 1)
  for (const etag of [undefined, '', 'x'.repeat(1001)]) {
    from.getEntityTag = () => etag
    assert.deepEqual([...getVersions(await read(from))], [])
  }
})

test('a connector in its own process receives the known versions', async (t) => {
  const from = await startSource(t)
  from.state.tables('sales', 2)
  const known = getVersions(await read(from))
  const isolated = isolateConnectors(new Map([['iceberg', iceberg]])).get('iceberg')
  assert.ok(isolated)
  const session = await isolated.open(createSetup(from, {}, { log: [], sent: [] }))
  t.after(() => session.close())
  const unchanged: string[] = []
  const scope = { path: ['sales'], kind: 'namespace', reading: '', decision: 'included' } as const
  for await (const batch of session.read([scope], known)) {
    unchanged.push(...paths(batch.unchanged ?? []))
  }
  assert.deepEqual(unchanged, ['sales|table_0001', 'sales|table_0002'])
})
