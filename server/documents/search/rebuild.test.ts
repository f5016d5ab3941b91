import assert from 'node:assert/strict'
import { afterEach, before, test } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { newIngestionWorld } from '../../../test/ingestion.ts'
import { annotate, find, readIndex } from '../../../test/search/index-rows.ts'
import { onStore, setReadOnly } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, odps, uniqueId } from '../../../test/world.ts'
import type { Database } from '../../platform/tables.ts'
import { ensureIndex, indexUnindexed, repairIndex } from './rebuild-service.ts'
import { deleteStale } from './rebuild-store.ts'
import { ENTRY_COLUMNS } from './record.ts'
import { startRepair } from './repair-worker.ts'

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
      integration_id, status, domain, tags, source, type, description, columns, ports, synonyms,
      classifications, custom, output_ports, tested_servers, words, updated_at
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
    assert.equal(await repairIndex(db), 0, 'the index is complete')
  })

  test('repairIndex › reads each asset a few times at most, right after a run has written many', async () => {
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

  test('ensureIndex › builds the entries that writes have built, once', async () => {
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
    await annotate(db, ingested, 'shop.sales.plain', {
      description: 'Described by humans',
      tags: ['gold'],
    })
    const world = await newWorld(newProduct(store()))
    const put = (path: string, body: object): Promise<unknown> =>
      expectOk(world.as('O', 'PUT', `/api/${path}`, { body }))
    const ports = [{ name: 'main', version: '1', contractId: 'c' }]
    const customProperties = [{ property: 'coast', value: ['north, "a"', 'süd'] }]
    const domain = {
      domain: 'sea',
      tags: ['t'],
      description: { purpose: 'Tides' },
      customProperties,
    }
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
    const written = await Promise.all(organizations.map((id) => readIndex(db, id)))
    assert.deepEqual(
      written.map((rows) => rows.length),
      [4, 6],
    )

    assert.ok((await rebuild(db)) >= 10)
    assert.deepEqual(await Promise.all(organizations.map((id) => readIndex(db, id))), written)
    for (const [text, name] of [
      ['humnas', 'plain'],
      ['tiedes', 'Product p'],
    ] as const) {
      const results = await Promise.all(organizations.map((id) => find(db, id, text)))
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

  for (const when of ['ensureIndex', 'startRepair']) {
    test(`${when} › indexes what another version wrote without an entry, and removes what it deleted`, async () => {
      const world = await newWorld(newProduct(store()))
      const { organizationId } = world
      const put = (id: string, name: string): Promise<unknown> =>
        expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id, { name }) }))
      for (const id of ['gone', 'late', 'changed']) await put(id, `First ${id}`)
      await put('changed', 'Basalt')
      const written = await readIndex(db, organizationId)
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
      if (when === 'ensureIndex') assert.equal(await ensureIndex(db), 3)
      else await repairSoon()
      assert.deepEqual(
        await readIndex(db, organizationId),
        written.filter(({ external_id: id }) => id !== 'gone'),
      )
      assert.equal((await find(db, organizationId, 'late')).length, 1)
      assert.equal(await ensureIndex(db), 0)
    })
  }

  test('startRepair › builds the index of a database that accepts no writes as soon as it accepts them', async () => {
    const world = await newWorld(newProduct(store()))
    await expectOk(
      world.as('O', 'PUT', '/api/dataproducts/kept', { body: odps('kept', { name: 'Kept' }) }),
    )
    const written = await readIndex(db, world.organizationId)
    await sql`delete from search_document`.execute(db)
    await sql`delete from search_word`.execute(db)
    await sql`delete from search_build`.execute(db)
    await setReadOnly(store(), true)
    const log = pino({ level: 'silent' })
    const failed = Promise.withResolvers<void>()
    const built = Promise.withResolvers<void>()
    log.info = () => built.resolve()
    log.warn = () => failed.resolve()
    const repair = startRepair(db, log, [0], 50)
    await failed.promise
    await setReadOnly(store(), false)
    await built.promise
    await repair.stop()
    // The repair may have opened a connection while the setting changed.
    await setReadOnly(store(), false)
    assert.deepEqual(await readIndex(db, world.organizationId), written)
  })

  test('ensureIndex › continues a build of another process, and rebuilds if the rules have changed', async () => {
    const world = await newWorld(newProduct(store()))
    const id = `p-${uniqueId()}`
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id) }))
    const written = await readIndex(db, world.organizationId)
    await rebuild(db)
    await sql`update search_build set kind = 'team', organization_id = null, external_id = null`.execute(
      db,
    )
    await sql`delete from search_document where kind in ('team', 'data-product')`.execute(db)
    await ensureIndex(db)
    const kinds = (await readIndex(db, world.organizationId)).map(({ kind }) => kind)
    assert.deepEqual(kinds, ['team', 'team'])
    await sql`update search_build set rules = 0`.execute(db)
    await sql`
      insert into search_document (${ENTRY_COLUMNS})
      select organization_id, kind, 'stale', name, name_key, id_key, standing, owner_team_id,
        integration_id, status, domain, tags, source, type, description, columns, ports, synonyms,
        classifications, custom, output_ports, tested_servers, words, updated_at
      from search_document
      limit 1
    `.execute(db)
    const [one, other] = await Promise.all([ensureIndex(db), ensureIndex(db)])
    assert.ok(one + other > 0)
    assert.deepEqual(await readIndex(db, world.organizationId), written)
  })
})
