import assert from 'node:assert/strict'
import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { afterEach, before, test } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { newIngestionWorld, type IngestionWorld } from '../../test/ingestion.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, odps, uniqueId } from '../../test/world.ts'
import { upsertAnnotation } from '../assets/annotation-store.ts'
import { releaseAssets } from '../assets/removal-service.ts'
import { undoPublished } from '../assets/undo-service.ts'
import { deleteDocument } from '../documents/store.ts'
import { newEvents } from '../events/event.ts'
import { insertRun } from '../ingestion/run-store.ts'
import { storeClock } from '../kit/clock.ts'
import type { Database } from '../tables.ts'
import { ingestedEntry } from './asset-entry.ts'
import { ensureIndex, indexUnindexed, repairIndex } from './rebuild-service.ts'
import { deleteStale } from './rebuild-store.ts'
import { ENTRY_COLUMNS } from './record.ts'
import { startRepair } from './repair-worker.ts'
import type { SearchResult } from './search.ts'
import { search } from './service.ts'

async function found(db: Database, organizationId: string, text: string): Promise<SearchResult[]> {
  const wanted = { organizationId, text, filters: {}, page: 0, limit: 100, withFacets: false }
  return (await search(db, 'http://portbook.test', wanted)).answer.results
}

/** Returns the index of an organization without times, which follow the documents. */
async function indexOf(db: Database, organizationId: string): Promise<unknown[]> {
  const { rows } = await sql`
    select kind, external_id, name, name_key, id_key, standing, owner_team_id, integration_id, status,
      domain, tags, source, type, description, columns, ports, words::text, updated_at
    from search_document
    where organization_id = ${organizationId}
    order by kind, external_id
  `.execute(db)
  return rows
}

function columns(name: string): object {
  return { columns: [{ name, type: 'text' }] }
}

function isGone(row: unknown): boolean {
  return (row as { external_id: string }).external_id === 'gone'
}

function withoutTime(rows: unknown[]): unknown[] {
  return rows.map((row) => ({ ...(row as object), updated_at: undefined }))
}

async function rebuild(db: Database): Promise<number> {
  await sql`delete from search_document`.execute(db)
  await sql`delete from search_word`.execute(db)
  await sql`delete from search_build`.execute(db)
  return await ensureIndex(db)
}

/** Copies the assets of an organization and their entries under other ids. */
async function copyAssets(db: Database, organizationId: string, count: number): Promise<void> {
  await sql`
    insert into asset
    select (jsonb_populate_record(asset, jsonb_build_object(
      'external_id', 'copy-' || number, 'path', 'copy-' || number, 'source_id', null
    ))).*
    from asset
    cross join generate_series(1, ${count}::int) as number
    where organization_id = ${organizationId}
      and name = 'orders'
  `.execute(db)
  await sql`
    insert into search_document (${ENTRY_COLUMNS})
    select organization_id, kind, 'copy-' || number, name, name_key, id_key, standing, owner_team_id,
      integration_id, status, domain, tags, source, type, description, columns, ports, classifications,
      words, updated_at
    from search_document
    cross join generate_series(1, ${count}::int) as number
    where organization_id = ${organizationId}
      and name = 'orders'
  `.execute(db)
}

onStore((store) => {
  let db: Database
  before(() => {
    db = store().db
  })
  afterEach(async () => {
    assert.equal(await repairIndex(db), 0, 'every write has indexed what it wrote')
  })

  const names = async ({ organizationId }: IngestionWorld, text: string): Promise<string[]> => {
    return (await found(db, organizationId, text)).map(({ name }) => name)
  }

  const annotate = async (
    { organizationId, integrationId, assets }: IngestionWorld,
    path: string,
    added: { description: string | null; tags: string[] | null },
    ownerTeamId: string | null = null,
  ): Promise<void> => {
    const asset = (await assets()).get(path) ?? assert.fail(path)
    const { rows } = await sql<{ document: string; integration: string }>`
      select asset.document, integration.external_id as integration
      from asset
      join integration on integration.id = ${integrationId}
      where asset.organization_id = ${organizationId}
        and asset.external_id = ${asset.id}
    `.execute(db)
    const { document = '', integration = '' } = rows[0] ?? {}
    const entry = ingestedEntry(asset.id, document, added)
    const row = { ...added, externalId: asset.id, ownerTeamId, entry, integration }
    const origin = { organizationId, principal: 'test', requestId: randomUUID() }
    assert.ok(await upsertAnnotation(db, storeClock, origin, row, asset.version))
  }

  test('a repair reads each asset a few times at most, right after a run has written many', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'])
    await world.run()
    const count = 3000
    const reads = await db.transaction().execute(async (transaction) => {
      await copyAssets(transaction, world.organizationId, count)
      await indexUnindexed(transaction, 'asset', { organizationId: null, externalId: null })
      await deleteStale(transaction, 'asset')
      const { rows } = await sql<{ reads: number }>`
        select sum(seq_tup_read + idx_tup_fetch)::int as reads
        from pg_stat_xact_user_tables
        where relname in ('asset', 'search_document')
      `.execute(transaction)
      await sql`rollback`.execute(transaction)
      return rows[0]?.reads ?? 0
    })
    assert.ok(reads < 50 * count, `${reads} rows were read`)
  })

  test('what a run publishes is found by its name, its path, its columns and its integration', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'], {
      description: 'Ordered goods',
      tags: ['nightly'],
      columns: [{ name: 'buyerIban', type: 'text', description: 'Who pays' }],
    })
    world.source.put(['shop', 'sales', 'quotes'])
    await world.run()
    const queries = [
      'orders',
      'shop.sales.orders',
      'buyer_iban',
      'goods',
      'nightly',
      'pays',
      'scripted orders',
      'ordres',
    ]
    for (const query of queries) assert.deepEqual(await names(world, query), ['orders'], query)
    const id = (await world.assets()).get('shop.sales.orders')?.id ?? ''
    assert.deepEqual(await names(world, id), ['orders'])
    const [result] = await found(db, world.organizationId, 'buyerIban')
    const { source, status, type, tags, description, resourceType } = result ?? assert.fail()
    assert.deepEqual(
      { source, status, type, tags, description, resourceType },
      {
        source: 'scripted',
        status: 'active',
        type: 'scripted_table',
        tags: ['nightly'],
        description: 'Ordered goods',
        resourceType: 'DATA_ASSET',
      },
    )
    assert.deepEqual(result?.why, [{ field: 'column', how: 'exact', path: 'orders.buyerIban' }])
  })

  test('a preview is not found, what is gone is not, and what is there again is', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'])
    await world.run({ kind: 'preview' })
    assert.deepEqual(await names(world, 'orders'), [])
    await world.run()
    world.source.put(['shop', 'sales', 'stays'])
    world.source.drop(['shop', 'sales', 'orders'])
    await world.run()
    assert.deepEqual([await names(world, 'orders'), await names(world, 'stays')], [[], ['stays']])
    world.source.put(['shop', 'sales', 'orders'])
    await world.run()
    assert.deepEqual(await names(world, 'orders'), ['orders'])
    world.source.rename(['shop', 'sales', 'orders'], ['shop', 'sales', 'purchases'])
    await world.run()
    assert.deepEqual(
      [await names(world, 'orders'), await names(world, 'purchases')],
      [[], ['purchases']],
    )
  })

  test('what people add wins and both are searched, also after the next run', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'], { description: 'Of the machine', tags: ['raw'] })
    await world.run()
    await annotate(world, 'shop.sales.orders', {
      description: 'Described by humans',
      tags: ['gold'],
    })
    const check = async (): Promise<void> => {
      for (const query of ['machine', 'humans', 'raw', 'gold']) {
        const [result] = await found(db, world.organizationId, query)
        assert.deepEqual(
          [result?.description, result?.tags],
          ['Described by humans', ['gold']],
          query,
        )
      }
    }
    await check()
    const columns = [{ name: 'fresh', type: 'text' }]
    world.source.put(['shop', 'sales', 'orders'], {
      description: 'Of the machine',
      tags: ['raw'],
      columns,
    })
    assert.equal((await world.run()).assets_updated, 1)
    await check()
    assert.deepEqual(await names(world, 'fresh'), ['orders'])
    await annotate(world, 'shop.sales.orders', { description: null, tags: null })
    assert.deepEqual(
      [await names(world, 'humans'), await names(world, 'machine')],
      [[], ['orders']],
    )
  })

  test('an undo brings back what was found before', async () => {
    const world = await newIngestionWorld(store())
    const { organizationId, integrationId } = world
    world.source.put(['shop', 'sales', 'orders'], columns('first'))
    world.source.put(['shop', 'sales', 'gone'])
    await world.run()
    const before = await indexOf(db, organizationId)
    world.source.put(['shop', 'sales', 'orders'], columns('second'))
    world.source.put(['shop', 'sales', 'more'])
    world.source.drop(['shop', 'sales', 'gone'])
    const { id: undone } = await world.run()
    await db.transaction().execute(async (transaction) => {
      const runId = randomUUIDv7()
      const run = { organizationId, id: runId, integrationId, principal: 'test', forced: false }
      await insertRun(transaction, storeClock, { ...run, kind: 'undo' })
      const correction = { organizationId, integrationId, runId, principal: 'test' }
      await undoPublished(transaction, storeClock, correction, undone)
    })
    assert.deepEqual(withoutTime(await indexOf(db, organizationId)), withoutTime(before))
  })

  test('assets that outlive their integration are found still, those that do not are not', async () => {
    for (const fate of ['keep', 'delete'] as const) {
      const world = await newIngestionWorld(store())
      const { organizationId, integrationId } = world
      world.source.put(['shop', 'sales', 'orders'], { description: 'Goods' })
      await world.run()
      await annotate(world, 'shop.sales.orders', { description: 'Described by humans', tags: null })
      const release = { organizationId, integrationId, principal: 'test', requestId: 'r' }
      await db
        .transaction()
        .execute((transaction) => releaseAssets(transaction, storeClock, release, fate))
      assert.deepEqual(await names(world, 'humans'), fate === 'keep' ? ['orders'] : [])
    }
  })

  test('a write that is rolled back leaves nothing in the index, and takes nothing from it', async () => {
    const world = await newWorld(newProduct(store()))
    const { organizationId } = world
    await expectOk(
      world.as('O', 'PUT', '/api/dataproducts/p', { body: odps('p', { name: 'Basalt' }) }),
    )
    const before = await indexOf(db, organizationId)
    const metadata = { organizationId, principal: 'test', requestId: 'r' }
    const undone = db.transaction().execute(async (transaction) => {
      const kind = 'data-product' as const
      const deletion = { kind, metadata, externalId: 'p', version: 1, events: newEvents([]) }
      assert.ok(await deleteDocument(transaction, storeClock, deletion))
      assert.deepEqual(await found(transaction, organizationId, 'basalt'), [])
      throw new Error('rolled back')
    })
    await assert.rejects(undone, /rolled back/)
    assert.deepEqual(await indexOf(db, organizationId), before)
  })

  test('ensureIndex › builds what writing built, row for row, and is done once', async () => {
    const ingested = await newIngestionWorld(store())
    ingested.source.put(['shop', 'sales', 'Größen "x"'], {
      description: 'Of the machine',
      tags: ['raw, cooked'],
      columns: [
        {
          name: 'a',
          type: 'struct',
          properties: [{ name: 'b', type: 'text', description: 'Deep' }],
        },
      ],
    })
    ingested.source.put(['shop', 'sales', 'plain'])
    await ingested.run()
    await annotate(ingested, 'shop.sales.plain', {
      description: 'Described by humans',
      tags: ['gold'],
    })
    const world = await newWorld(newProduct(store()))
    const put = (path: string, body: object): Promise<unknown> =>
      expectOk(world.as('O', 'PUT', `/api/${path}`, { body }))
    const ports = [{ name: 'main', version: '1', contractId: 'c' }]
    const domain = { domain: 'sea', tags: ['t'], description: { purpose: 'Tides' } }
    await put('dataproducts/p', odps('p', { ...domain, outputPorts: ports }))
    await put(
      'datacontracts/c',
      odcs('c', {
        ...domain,
        schema: [{ name: 'm', properties: [{ name: 'x', logicalType: 'string' }] }],
      }),
    )
    await put('teams/crew', { name: 'Crew', description: 'Rows', tags: ['t'] })
    await put('assets/mine', { info: { name: 'Mine', owner: 'crew', status: 'retired' } })
    const organizations = [ingested.organizationId, world.organizationId]
    const written = await Promise.all(organizations.map((id) => indexOf(db, id)))
    assert.deepEqual(
      written.map((rows) => rows.length),
      [4, 6],
    )

    assert.ok((await rebuild(db)) >= 10)
    assert.deepEqual(await Promise.all(organizations.map((id) => indexOf(db, id))), written)
    for (const [text, name] of [
      ['humnas', 'plain'],
      ['tiedes', 'Product p'],
    ] as const) {
      const results = await Promise.all(organizations.map((id) => found(db, id, text)))
      assert.ok(
        results.flat().some((one) => one.name === name),
        text,
      )
    }
    assert.equal(await ensureIndex(db), 0)
  })

  async function repairSoon(): Promise<void> {
    const log = pino({ level: 'silent' })
    const { promise, resolve } = Promise.withResolvers<void>()
    log.info = () => resolve()
    const repair = startRepair(db, log, [0])
    await promise
    await repair.stop()
  }

  for (const when of ['a start', 'a moment after it']) {
    test(`${when} › adds what another version wrote past the index, and removes what it deleted`, async () => {
      const world = await newWorld(newProduct(store()))
      const { organizationId } = world
      const put = (id: string, name: string): Promise<unknown> =>
        expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id, { name }) }))
      for (const id of ['gone', 'late', 'changed']) await put(id, `First ${id}`)
      await put('changed', 'Basalt')
      const written = await indexOf(db, organizationId)
      await sql`
      update search_document
      set name = 'First changed', updated_at = updated_at - interval '1 second'
      where organization_id = ${organizationId} and external_id = 'changed'
    `.execute(db)
      await sql`
      delete from search_document
      where organization_id = ${organizationId} and external_id in ('late', 'a')
    `.execute(db)
      await sql`
      delete from data_product
      where organization_id = ${organizationId} and external_id = 'gone'
    `.execute(db)
      if (when === 'a start') assert.equal(await ensureIndex(db), 3)
      else await repairSoon()
      assert.deepEqual(
        await indexOf(db, organizationId),
        written.filter((row) => !isGone(row)),
      )
      assert.equal((await found(db, organizationId, 'late')).length, 1)
      assert.equal(await ensureIndex(db), 0)
    })
  }

  test('ensureIndex › continues where another process stopped, and rebuilds for other rules', async () => {
    const world = await newWorld(newProduct(store()))
    const id = `p-${uniqueId()}`
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id) }))
    const written = await indexOf(db, world.organizationId)
    await rebuild(db)
    await sql`update search_build set kind = 'team', organization_id = null, external_id = null`.execute(
      db,
    )
    await sql`delete from search_document where kind in ('team', 'data-product')`.execute(db)
    await ensureIndex(db)
    const kinds = (await indexOf(db, world.organizationId)).map(
      (row) => (row as { kind: string }).kind,
    )
    assert.deepEqual(kinds, ['team', 'team'])
    await sql`update search_build set rules = 0`.execute(db)
    await sql`
      insert into search_document (${ENTRY_COLUMNS})
      select organization_id, kind, 'stale', name, name_key, id_key, standing, owner_team_id,
        integration_id, status, domain, tags, source, type, description, columns, ports,
        classifications, words, updated_at
      from search_document
      limit 1
    `.execute(db)
    const [one, other] = await Promise.all([ensureIndex(db), ensureIndex(db)])
    assert.ok(one + other > 0)
    assert.deepEqual(await indexOf(db, world.organizationId), written)
  })
})
