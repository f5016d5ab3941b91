import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { newIngestionWorld, type IngestionWorld } from '../../../test/ingestion.ts'
import { startPostgres, type TestPostgres } from '../../../test/postgres.ts'
import { onStore } from '../../../test/stores.ts'
import { storeClock } from '../../platform/kit/clock.ts'
import { upsertSecrets } from '../integrations/credential-store.ts'
import { toSecretContext } from '../integrations/service.ts'
import { postgres } from '../../connectors/postgres/connector.ts'

// An asset is identified by its path, then by the platform's id: a confusion gives one table the
// owner, tags and description of another.

const COLUMNS = [
  { name: 'id', type: 'integer' },
  { name: 'amount', type: 'numeric' },
]

async function sourceIds({ engine, integrationId }: IngestionWorld): Promise<(string | null)[]> {
  const { rows } = await sql<{ id: string | null }>`
    select source_id as id from asset where integration_id = ${integrationId} and kind = 'table'
  `.execute(engine.db)
  return rows.map(({ id }) => id)
}

onStore((store) => {
  test('a table of another server is another table despite the same id', async () => {
    const world = await newIngestionWorld(store())
    world.source.server = 'one'
    world.source.put(['app', 'public', 'a'], { sourceId: '1', columns: COLUMNS })
    world.source.put(['app', 'public', 'salaries'], { sourceId: '2', columns: COLUMNS })
    await world.run()
    const before = await world.assets()
    world.source.server = 'two'
    world.source.drop(['app', 'public', 'salaries'])
    world.source.put(['app', 'public', 'weather'], { sourceId: '2', columns: COLUMNS })
    const run = await world.run()
    assert.deepEqual(
      [run.assets_created, run.assets_updated, run.assets_deleted, run.held_count],
      [1, 0, 1, 0],
    )
    const after = await world.assets()
    assert.notEqual(after.get('app.public.weather')?.id, before.get('app.public.salaries')?.id)
    assert.equal(after.get('app.public.a')?.id, before.get('app.public.a')?.id)
  })

  test('uses the ids of a new server from the first run, without any change', async () => {
    const world = await newIngestionWorld(store())
    world.source.server = 'one'
    world.source.put(['app', 'public', 'a'], { sourceId: '1', columns: COLUMNS })
    await world.run()
    world.source.server = 'two'
    const [moved, events] = [await world.run(), await world.eventCount()]
    assert.deepEqual([moved.assets_created, moved.assets_updated], [0, 0])
    assert.deepEqual(await sourceIds(world), ['two/1'])
    const id = (await world.assets()).get('app.public.a')?.id
    world.source.rename(['app', 'public', 'a'], ['app', 'public', 'b'])
    const renamed = await world.run()
    assert.deepEqual([renamed.assets_created, renamed.assets_updated], [0, 1])
    assert.equal((await world.assets()).get('app.public.b')?.id, id)
    assert.equal(await world.eventCount(), events + 1)
  })

  test('assets stored without a server are found by path and get its ids', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['app', 'public', 'a'], { sourceId: '1', columns: COLUMNS })
    await world.run()
    assert.deepEqual(await sourceIds(world), ['1'])
    const [before, events] = [await world.assets(), await world.eventCount()]
    world.source.server = 'one'
    const run = await world.run()
    assert.deepEqual([run.assets_created, run.assets_updated, run.assets_deleted], [0, 0, 0])
    assert.deepEqual(await world.assets(), before)
    assert.equal(await world.eventCount(), events)
    assert.deepEqual(await sourceIds(world), ['one/1'])
  })

  test('a preview stores no ids', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['app', 'public', 'a'], { sourceId: '1', columns: COLUMNS })
    await world.run()
    world.source.server = 'one'
    await world.run({ kind: 'preview' })
    assert.deepEqual(await sourceIds(world), ['1'])
  })

  test('a table without common columns with the previous one of its id is another table', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['app', 'public', 'salaries'], { sourceId: '2', columns: COLUMNS })
    await world.run()
    const before = await world.assets()
    world.source.drop(['app', 'public', 'salaries'])
    const columns = [{ name: 'at', type: 'date' }]
    world.source.put(['app', 'public', 'weather'], { sourceId: '2', columns })
    const run = await world.run()
    assert.deepEqual([run.assets_created, run.assets_updated, run.assets_deleted], [1, 0, 1])
    const after = await world.assets()
    assert.notEqual(after.get('app.public.weather')?.id, before.get('app.public.salaries')?.id)
  })

  for (const [title, former, current] of [
    ['one column is left', COLUMNS, [{ name: 'amount', type: 'text' }]],
    ['it had no columns', [], COLUMNS],
    ['a name holds what JSON has to escape', [{ name: '"\\u0000', type: 'a' }], COLUMNS],
  ] as const) {
    test(`a renamed table stays the same asset if ${title}`, async () => {
      const world = await newIngestionWorld(store())
      world.source.put(['app', 'public', 'a'], { sourceId: '1', columns: [...former] })
      await world.run()
      const id = (await world.assets()).get('app.public.a')?.id
      world.source.drop(['app', 'public', 'a'])
      world.source.put(['app', 'public', 'b'], { sourceId: '1', columns: [...current] })
      const run = await world.run()
      assert.deepEqual([run.assets_created, run.assets_updated, run.assets_deleted], [0, 1, 0])
      assert.equal((await world.assets()).get('app.public.b')?.id, id)
    })
  }

  test('a PostgreSQL server rebuilt at the same address renames no table', async () => {
    const servers = await Promise.all([startPostgres(), startPostgres()])
    try {
      const world = await newIngestionWorld(store())
      const { engine, organizationId, integrationId } = world
      engine.connectors = new Map([['scripted', postgres]])
      const connect = async ({ port, url }: TestPostgres, tables: readonly string[]) => {
        const client = new Client({ connectionString: url })
        await client.connect()
        for (const name of tables) await client.query(`create table ${name} (id int, amount int)`)
        const { rows } = await client.query(`select oid::text from pg_class where relname = $1`, [
          tables[1],
        ])
        await client.end()
        const { password } = new URL(url)
        const place = { organizationId, integrationId, field: 'password' }
        const box = engine.secretBox
        const secret = { field: 'password', sealed: box.seal(password, toSecretContext(place)) }
        await upsertSecrets(engine.db, storeClock, { ...place, keyId: box.keyId }, [secret])
        const configuration = {
          host: '127.0.0.1',
          port,
          user: 'postgres',
          database: ['postgres'],
          sslMode: 'disable',
        }
        await sql`
          update integration set configuration = ${JSON.stringify(configuration)}::jsonb
          where id = ${integrationId}
        `.execute(engine.db)
        return String(rows[0].oid)
      }
      const oid = await connect(servers[0], ['a', 'salaries', 'b'])
      await world.run()
      const before = await world.assets()
      assert.equal(await connect(servers[1], ['a', 'weather', 'b']), oid)
      const run = await world.run()
      assert.deepEqual([run.status, run.assets_created, run.assets_deleted], ['SUCCESS', 1, 1])
      const after = await world.assets()
      const findId = (assets: typeof after, name: string) =>
        assets.get(`postgres.public.${name}`)?.id
      assert.notEqual(findId(after, 'weather'), findId(before, 'salaries'))
      assert.equal(findId(after, 'salaries'), undefined)
      assert.equal(findId(after, 'a'), findId(before, 'a'))
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
  })
})
