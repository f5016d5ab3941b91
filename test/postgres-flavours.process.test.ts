/** Products with PostgreSQL's protocol, from the process that reads them to the documents and drafts of their assets. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftContract } from '../formats/asset/contract.ts'
import { buildAsset } from '../formats/asset/read.ts'
import type { Value } from '../formats/text/value.ts'
import { CONNECTORS } from '../server/connectors/connectors.ts'
import { isolateConnectors } from '../server/connectors/source-process/isolated-connectors.ts'
import { toSeenAsset } from '../server/ingestion/runs/asset-document.ts'
import { SourceDatabase } from './postgres-source.ts'
import { newSetup, readSource } from './source-reading.ts'
import { asCockroach } from './warehouses/postgres-wire/cockroachdb.ts'
import { startRewritingProxy } from './warehouses/postgres-wire/proxy.ts'
import { asRedshift } from './warehouses/postgres-wire/redshift.ts'

const ESTATE = `
create table orders (id bigint primary key, placed_at timestamptz not null);
create view recent as select id from orders;
`
const ORIGIN = { integrationId: '01994ddd-0000-7000-8000-000000000000', source: 'postgres' }

for (const [platform, serverType, rewrite] of [
  ['redshift', 'redshift', asRedshift],
  ['cockroachdb', 'custom', asCockroach],
] as const) {
  test(`${platform} › types of assets and the server of a draft name the product, read in another process`, async (t) => {
    const database = await SourceDatabase.create(
      process.env['PORTBOOK_TEST_POSTGRES'] ?? '',
      ESTATE,
    )
    t.after(() => database.drop())
    const proxy = await startRewritingProxy(database.url, rewrite)
    t.after(() => proxy.close())
    const connector = isolateConnectors(CONNECTORS, {}).get('postgres')
    assert.ok(connector !== undefined)
    const { configuration, secrets } = database.setup({ configuration: { port: proxy.port } })
    const { assets, outcomes } = await readSource(connector, newSetup({ configuration, secrets }))
    assert.ok(outcomes.every(({ failure }) => failure === undefined))
    const seen = assets.map((asset) => toSeenAsset(asset, ORIGIN))
    assert.deepEqual(Object.fromEntries(seen.map(({ name, type }) => [name, type])), {
      [database.name]: `${platform}_database`,
      public: `${platform}_schema`,
      orders: `${platform}_table`,
      recent: `${platform}_view`,
    })
    const orders = seen.find(({ name }) => name === 'orders')
    const document = JSON.parse(orders?.document ?? '') as Record<string, Value>
    assert.equal((document['info'] as Record<string, Value>)['source'], 'postgres')
    const draft = draftContract(buildAsset(document, 'orders'), [document])
    const [server] = draft['servers'] as Record<string, unknown>[]
    assert.deepEqual(
      [server?.['server'], server?.['type'], server?.['database']],
      [platform, serverType, database.name],
    )
    assert.equal(assets.find(({ path }) => path[2] === 'orders')?.primaryKey?.[0], 'id')
  })
}
