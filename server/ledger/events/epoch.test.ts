import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { eventsSoFar } from '../../../test/feed.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'
import { openDatabase } from '../../platform/kit/database.ts'
import type { Database, Tables } from '../../platform/tables.ts'
import { ensureEpoch, followServer, verifyFeed } from './epoch-service.ts'

onStore((store) => {
  let db: Database
  let world: World
  beforeEach(async () => {
    db = store().db
    await ensureEpoch(db)
    world = await newWorld(newProduct(store()))
  })

  const feed = async (): Promise<string[]> => (await eventsSoFar(world)).map(({ id }) => id)

  const put = async (id: string): Promise<Response> =>
    await world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id) })

  async function broken(): Promise<Record<string, number>> {
    const verdicts = (await verifyFeed(db)).filter(({ findings }) => findings.length > 0)
    return Object.fromEntries(verdicts.map(({ rule, findings }) => [rule, findings.length]))
  }

  async function epoch(): Promise<number> {
    const { rows } = await sql<{ epoch: number }>`select epoch from feed_epoch`.execute(db)
    return rows[0]?.epoch ?? assert.fail('there is no epoch')
  }

  /** Makes the store look as after a restore: another server, another cluster, higher transaction ids. */
  async function moveStore(change: { identifier?: string | null; ahead?: boolean }): Promise<void> {
    await sql`update feed_epoch set server_started_at = server_started_at - interval '1 day'`.execute(
      db,
    )
    if (change.identifier !== undefined) {
      await sql`update feed_epoch set system_identifier = ${change.identifier}`.execute(db)
    }
    if (change.ahead === true) {
      await sql`
        update event
        set transaction_id = (transaction_id::text::bigint + 1000000000)::text::xid8
      `.execute(db)
    }
  }

  test('a restarted server › the epoch stays, and the next write is accepted', async () => {
    const before = await epoch()
    const ids = await feed()
    await moveStore({})
    await expectOk(put(uniqueId()))
    assert.equal(await epoch(), before)
    assert.deepEqual((await feed()).slice(0, ids.length), ids)
    assert.deepEqual(await broken(), {})
  })

  test('another cluster › every old event comes before every new one', async () => {
    const before = await epoch()
    const ids = await feed()
    await moveStore({ identifier: '42', ahead: true })
    const id = uniqueId()
    await expectOk(put(id))
    assert.equal(await epoch(), before + 1)
    const all = await eventsSoFar(world)
    assert.deepEqual(
      all.slice(0, ids.length).map((event) => event.id),
      ids,
    )
    assert.equal(all[ids.length]?.subject, id)
    const path = `/api/events?lastEventId=${ids.at(-1)}`
    const [next] = await readJson<{ subject: string }[]>(world.as('Or', 'GET', path))
    assert.equal(next?.subject, id)
  })

  test('a role that may not read the identifier › every restart raises the epoch', async () => {
    const before = await epoch()
    await onRestrictedRole(async (restricted) => {
      assert.equal(await ensureEpoch(restricted), undefined, 'a start on the same server')
      await moveStore({})
      assert.equal(await followServer(restricted), before + 1)
      assert.equal(await followServer(restricted), undefined)
      assert.equal(await ensureEpoch(restricted), undefined)
      await moveStore({})
      assert.equal(await followServer(restricted), before + 2)
    })
    assert.equal(await ensureEpoch(db), undefined)
    assert.deepEqual(await broken(), {})
  })

  /** Lends a pool of a role that may use the tables, and not pg_control_system(). */
  async function onRestrictedRole(use: (db: Database) => Promise<void>): Promise<void> {
    const role = uniqueId()
    await sql`revoke execute on function pg_control_system() from public`.execute(db)
    await sql`create role ${sql.ref(role)} login password 'restricted'`.execute(db)
    await sql`grant all on all tables in schema public to ${sql.ref(role)}`.execute(db)
    const url = new URL(store().connection.connectionString ?? '')
    Object.assign(url, { username: role, password: 'restricted' })
    const limits = {
      connectionsMax: 2,
      connectTimeoutMs: 30_000,
      queryTimeoutMs: 30_000,
    }
    const opened = openDatabase<Tables>({ connectionString: url.href }, limits, () => undefined)
    try {
      await use(opened.db)
    } finally {
      await opened.close()
      await sql`grant execute on function pg_control_system() to public`.execute(db)
      await sql`drop owned by ${sql.ref(role)}`.execute(db)
      await sql`drop role ${sql.ref(role)}`.execute(db)
    }
  }

  test('transaction ids that were set back on the same server › the epoch rises', async () => {
    const ids = await feed()
    const before = await epoch()
    await sql`update event set transaction_id = '9000000000000'`.execute(db)
    assert.equal(await ensureEpoch(db), before + 1)
    assert.deepEqual((await feed()).slice(0, ids.length).toSorted(), ids.toSorted())
    assert.equal(await ensureEpoch(db), undefined)
  })

  test('a store without its epoch › it comes after every event', async () => {
    const ids = await feed()
    await sql`update event set epoch = 7`.execute(db)
    await sql`delete from feed_epoch`.execute(db)
    await expectOk(put(uniqueId()))
    assert.equal(await epoch(), 8)
    assert.deepEqual((await feed()).slice(0, ids.length), ids)
  })

  test('processes that find another cluster at once › the epoch rises once', async () => {
    const before = await epoch()
    await moveStore({ identifier: '42', ahead: true })
    const raised = await Promise.all(Array.from({ length: 8 }, () => followServer(db)))
    assert.deepEqual(
      raised.filter((one) => one !== undefined),
      [before + 1],
    )
    assert.equal(await epoch(), before + 1)
  })

  test('a server that was not examined › no statement inserts an event', async () => {
    await moveStore({})
    const inserted = sql`
      insert into event (organization_id, id, type, kind, subject, version, removal, principal, time)
      select organization_id, gen_random_uuid(), type, kind, subject, version, removal, principal, time
      from event
    `.execute(db)
    await assert.rejects(inserted, { name: 'StoreUnavailable' })
    await ensureEpoch(db)
  })

  test('verify › fails for events that the next one would not follow, and for an epoch of another server', async () => {
    const [next, fits] = [
      'the next event comes last in the feed',
      'the epoch of the feed fits the server',
    ]
    await eventsSoFar(world)
    assert.deepEqual(await broken(), {})
    await moveStore({ identifier: '42' })
    assert.deepEqual(await broken(), { [fits]: 2 })
    await ensureEpoch(db)
    assert.deepEqual(await broken(), {})
    await sql`
      update event
      set epoch = (select epoch from feed_epoch), transaction_id = '9000000000000'
      where organization_id = ${world.organizationId}
    `.execute(db)
    assert.deepEqual(await broken(), { [next]: 3 })
    await ensureEpoch(db)
    await sql`update feed_epoch set epoch = epoch - 1`.execute(db)
    assert.deepEqual(await broken(), { [next]: 3 })
    await sql`delete from feed_epoch`.execute(db)
    assert.deepEqual(await broken(), { [next]: 5, [fits]: 1 })
  })

  test('GET /api/events?lastEventId= › 400 event_unknown for an event that a restore has lost', async () => {
    const ids = await feed()
    await sql`delete from event where id = ${ids.at(-1)}::uuid`.execute(db)
    const answer = world.as('Or', 'GET', `/api/events?lastEventId=${ids.at(-1)}`)
    const problem = await expectProblem(answer, 400, /restored.*without lastEventId/)
    assert.equal(problem.code, 'event_unknown')
    assert.deepEqual(problem.violations, [{ field: 'lastEventId', message: 'names no event' }])
  })
})
