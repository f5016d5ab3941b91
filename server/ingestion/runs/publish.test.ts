import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { getCounts, fill, newIngestionWorld } from '../../../test/ingestion.ts'
import { onStore } from '../../../test/stores.ts'
import { planForSets } from '../../platform/kit/planning.ts'

const TABLES = 300
const GENERATIONS = 5

onStore((store) => {
  test('the message separates updates of host and port from changes of tables', async () => {
    const world = await newIngestionWorld(store())
    world.source.address = { host: 'db.example', port: 5432 }
    fill(world, 'sales', 3)
    await world.run()
    world.source.address = { host: 'db.example', port: 5433 }
    world.source.put(['shop', 'sales', 'table_0'], { description: 'Orders' })
    const run = await world.run()
    assert.deepEqual(getCounts(run), [0, 3, 0, 0])
    assert.match(run.message ?? '', /; 2 of 3 updates are only the new host or port of the source$/)
    world.source.put(['shop', 'sales', 'table_1'], { description: 'Invoices' })
    const next = await world.run()
    assert.doesNotMatch(next.message ?? '', /host or port/)
  })

  test('readers see the assets before or after a publication, never a mixture', async () => {
    const world = await newIngestionWorld(store())
    const generation = (description: string): void => {
      for (let at = 0; at < TABLES; at += 1) {
        world.source.put(['shop', 'sales', `t${at}`], { description })
      }
    }
    generation('generation 0')
    await world.run()
    const over = new AbortController()
    const seen = new Set<string>()
    const reading = (async () => {
      while (!over.signal.aborted) {
        const { rows } = await sql<{ generations: string[]; count: number }>`
          select array_agg(distinct document::jsonb #>> '{info,description}') as generations,
            count(*) as count
          from asset
          where integration_id = ${world.integrationId}
            and kind = 'table'
            and deleted_at is null
        `.execute(world.engine.db)
        const [row] = rows
        assert.equal(row?.count, TABLES)
        assert.equal(row.generations.length, 1, row.generations.join())
        for (const one of row.generations) seen.add(one)
      }
    })()
    for (let at = 1; at <= GENERATIONS; at += 1) {
      generation(`generation ${at}`)
      const run = await world.run()
      assert.deepEqual([run.status, run.assets_updated], ['SUCCESS', TABLES])
    }
    over.abort()
    await reading
    assert.ok(seen.size > 1, [...seen].join())
  })

  test('every asset of a publication has its revision and its event, in one transaction', async () => {
    const world = await newIngestionWorld(store())
    for (let at = 0; at < 20; at += 1) world.source.put(['shop', 'sales', `t${at}`])
    const run = await world.run()
    const { rows } = await sql<{
      assets: number
      revisions: number
      events: number
      transactions: number
    }>`
      select
        (select count(*) from asset where run_id = ${run.id}) as assets,
        (
          select count(*)
          from revision
          join asset on asset.organization_id = revision.organization_id
            and asset.external_id = revision.external_id
            and asset.version = revision.version
            and asset.document = revision.document
            and asset.digest = revision.digest
          where revision.request_id = ${run.id}
        ) as revisions,
        (select count(*) from event where organization_id = ${world.organizationId}) as events,
        (
          select count(distinct transaction_id)
          from event
          where organization_id = ${world.organizationId}
        ) as transactions
    `.execute(world.engine.db)
    assert.deepEqual(rows[0], { assets: 22, revisions: 22, events: 22, transactions: 1 })
  })

  test('the statements of a publication are not compiled, regardless of server settings', async () => {
    const { db } = store()
    const settings = await db.transaction().execute(async (transaction) => {
      await sql`set local jit = on`.execute(transaction)
      await planForSets(transaction)
      const { rows } = await sql<{ jit: string; nestloop: string }>`
        select current_setting('jit') as jit, current_setting('enable_nestloop') as nestloop
      `.execute(transaction)
      return rows[0]
    })
    assert.deepEqual(settings, { jit: 'off', nestloop: 'off' })
  })

  test('a container has the parent that its source names, if that is in the catalog', async () => {
    const world = await newIngestionWorld(store())
    for (const name of ['eu', 'eu_de', 'lost']) world.source.schema('shop', name)
    world.source.getParent = ([, name]) => {
      if (name === 'eu_de') return ['shop', 'eu']
      return name === 'lost' ? ['shop', 'not there'] : undefined
    }
    await world.run()
    const assets = await world.assets()
    const listParents = (name: string) =>
      assets.get(`shop.${name}`)?.document.relationships?.map(({ assetId }) => assetId)
    assert.deepEqual(listParents('eu'), [assets.get('shop')?.id])
    assert.deepEqual(listParents('eu_de'), [assets.get('shop.eu')?.id])
    assert.equal(listParents('lost'), undefined)
  })
})
