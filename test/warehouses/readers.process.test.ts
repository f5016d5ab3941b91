/** Cases of which only the process that reads a source decides, for every platform. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databricks } from '../../server/connectors/databricks/connector.ts'
import { postgres } from '../../server/connectors/postgres/connector.ts'
import { isolateConnectors } from '../../server/connectors/source-process/isolated-connectors.ts'
import { SourceDatabase } from '../postgres-source.ts'
import { catchFailure, readSource, readSourceGrants } from '../source-reading.ts'
import { startCaseSource } from './case-source.ts'
import { PLATFORMS } from './platforms.ts'
import { asCockroach } from './postgres-wire/cockroachdb.ts'
import { startRewritingProxy } from './postgres-wire/proxy.ts'
import { startUnitySource } from './unity/source.ts'

const TOO_MANY_COLUMNS = 100_000

for (const platform of PLATFORMS) {
  const { connector } = platform

  test(`${connector.source} › keeps the first columns of a table with 100,000, and logs it`, async (t) => {
    const source = await startCaseSource(t, platform)
    const columns = Array.from({ length: TOO_MANY_COLUMNS }, (_, at) => ({ name: `c${at}` }))
    source.server.setContents({ sales: [{ name: 'huge', columns }, { name: 'orders' }] })
    const isolated = isolateConnectors(new Map([[connector.source, connector]]))
    const reading = await readSource(isolated.get(connector.source) ?? connector, source.setup())
    assert.equal(source.listTables(reading).length, 2)
    assert.deepEqual(source.listComplete(reading), [source.name('sales')])
    const { columns: kept = [], custom } = source.getTable(reading, 'sales', 'huge')
    assert.ok(kept.length > 10_000 && kept.length < TOO_MANY_COLUMNS, String(kept.length))
    assert.equal(kept.at(-1)?.name, columns[kept.length - 1]?.name)
    assert.equal(custom?.['columnCount'], TOO_MANY_COLUMNS)
    const message = `${source.name('sales', 'huge')}: only the first ${kept.length} of 100000 columns are kept`
    assert.ok(
      source.log.some((line) => line.includes(message)),
      source.log.join('\n'),
    )
  })
}

test('grants are read for tables, also in a process', async (t) => {
  const source = await startUnitySource(t)
  source.model.details = { main: { owner: 'portbook@example.com' } }
  source.model.permissions = {
    'main.sales.orders': [{ principal: 'ann@example.com', privileges: ['SELECT'] }],
  }
  const isolated = isolateConnectors(new Map([['databricks', databricks]])).get('databricks')
  const place = {
    path: ['main', 'sales', 'orders'],
    scope: ['main', 'sales'],
    kind: 'table',
  } as const
  const { lines } = await readSourceGrants(isolated ?? databricks, source.setup(), [place])
  assert.deepEqual(lines, [
    'main user portbook@example.com: use OWNERSHIP',
    'main/sales/orders user ann@example.com: read SELECT',
  ])
})

test('a product without grants fails, also in a process', async (t) => {
  const database = await SourceDatabase.create(
    process.env['PORTBOOK_TEST_POSTGRES'] ?? '',
    'create table orders (id int)',
  )
  const proxy = await startRewritingProxy(database.url, asCockroach)
  t.after(async () => {
    await proxy.close()
    await database.drop()
  })
  const isolated = isolateConnectors(new Map([['postgres', postgres]])).get('postgres')
  const setup = database.setup({ configuration: { port: proxy.port } })
  const { message } = await catchFailure(readSourceGrants(isolated ?? postgres, setup))
  assert.equal(message, 'This product does not show its grants.')
})
