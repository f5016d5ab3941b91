import assert from 'node:assert/strict'
import { afterEach, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { eventually } from '../../../test/eventually.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'
import type { Database } from '../../platform/tables.ts'
import { ensureEpoch } from './epoch-service.ts'
import { startFollowers, type Followers, type FollowServices } from './follow-service.ts'
import type { FeedFollower, FollowedEvent } from './feed-follower.ts'

// Transactions of other tests on the same server delay the feed.
const SETTLED_MS_MAX = 20_000
const NEVER_MS = 1e9

onStore((store) => {
  let db: Database
  let world: World
  let started: Followers[] = []
  let name = ''
  before(async () => {
    db = store().db
    // Handled events are rows, so that an event that is handled in a rolled back transaction does not count.
    await sql`
      create table handled_event (
        position bigint generated always as identity, follower text, organization_id uuid, id uuid
      )`.execute(db)
    world = await newWorld(newProduct(store()))
  })
  beforeEach(() => {
    name = uniqueId()
    started = []
  })
  afterEach(async () => {
    await Promise.all(started.map(async (one) => await one.stop()))
  })

  /** Starts followers that look only when a test calls `follow`. */
  function start(follower: Partial<FeedFollower> = {}, services: Partial<FollowServices> = {}) {
    const one = startFollowers(
      { db, log: pino({ level: 'silent' }), isPaused: () => false, ...services },
      [{ name, handle: keep, ...follower }],
      NEVER_MS,
    )
    started.push(one)
    return one
  }

  async function keep(
    transaction: Database,
    organizationId: string,
    events: readonly FollowedEvent[],
  ): Promise<void> {
    await sql`
      insert into handled_event (follower, organization_id, id)
      select ${name}, ${organizationId}, given.id
      from unnest(${events.map(({ id }) => id)}::uuid[]) with ordinality as given (id, ordinal)
      order by given.ordinal
    `.execute(transaction)
  }

  async function listHandled(organizationId = world.organizationId): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from handled_event
      where follower = ${name} and organization_id = ${organizationId}
      order by position
    `.execute(db)
    return rows.map(({ id }) => id)
  }

  /** Returns the ids of the events of the products with these ids, in the order of the feed. */
  async function listEvents(subjects: readonly string[], organizationId = world.organizationId) {
    const { rows } = await sql<{ id: string }>`
      select id from event
      where organization_id = ${organizationId} and subject = any (${subjects}::text[])
      order by epoch, transaction_id, position
    `.execute(db)
    return rows.map(({ id }) => id)
  }

  async function put(in_ = world): Promise<string> {
    const id = uniqueId()
    await expectOk(in_.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id) }))
    return id
  }

  async function untilHandled(one: Followers, count: number, of = world): Promise<void> {
    await eventually(
      SETTLED_MS_MAX,
      async () => {
        await one.follow()
        return (await listHandled(of.organizationId)).length >= count
      },
      `${count} events are handled`,
    )
  }

  /** Starts the follower at the end of the feed. */
  async function begin(one: Followers): Promise<void> {
    await eventually(
      SETTLED_MS_MAX,
      async () => {
        await one.follow()
        const { rows } = await sql`select from feed_follower where name = ${name}`.execute(db)
        return rows.length > 0
      },
      'the follower is recorded',
    )
  }

  describe('a follower of the feed', () => {
    test('handles events after its beginning, in the order of the feed, each once', async () => {
      await put()
      const one = start()
      await begin(one)
      const subjects = [await put(), await put(), await put()]
      await untilHandled(one, 3)
      await one.follow()
      assert.deepEqual(await listHandled(), await listEvents(subjects))
      const next = await put()
      await untilHandled(one, 4)
      assert.deepEqual(await listHandled(), await listEvents([...subjects, next]))
    })

    test('receives the members of an event', async () => {
      const received: FollowedEvent[] = []
      const one = start({
        handle: async (transaction, organizationId, events) => {
          received.push(...events)
          await keep(transaction, organizationId, events)
        },
      })
      await begin(one)
      const subject = await put()
      await expectOk(world.as('O', 'DELETE', `/api/dataproducts/${subject}`))
      await untilHandled(one, 2)
      const [created, deleted] = received
      assert.ok(created && deleted)
      assert.partialDeepStrictEqual(created, {
        type: 'DataProductCreatedEvent',
        kind: 'data-product',
        subject,
        version: 1,
        removal: false,
        outputPortId: null,
        details: null,
      })
      assert.match(created.principal, /^api-key:/)
      assert.match(created.time, /^\d{4}-.*Z$/)
      assert.equal(deleted.type, 'DataProductDeletedEvent')
      assert.equal(deleted.removal, true)
    })

    test('begins at the start of organizations that are created later', async () => {
      const one = start()
      await begin(one)
      const later = await newWorld(newProduct(store()))
      const subject = await put(later)
      await untilHandled(one, 3, later)
      // The two teams of each world come first.
      assert.deepEqual(
        await listHandled(later.organizationId),
        await listEvents(['a', 'b', subject], later.organizationId),
      )
    })

    test('an event whose transaction is rolled back is handled again', async () => {
      let attempts = 0
      const one = start({
        handle: async (transaction, organizationId, events) => {
          await keep(transaction, organizationId, events)
          attempts += 1
          if (attempts === 1) await sql`select 1 / 0`.execute(transaction)
        },
      })
      await begin(one)
      const subject = await put()
      await untilHandled(one, 1)
      assert.ok(attempts > 1)
      assert.deepEqual(await listHandled(), await listEvents([subject]))
    })

    test('a failing organization does not stop the others', async () => {
      const other = await newWorld(newProduct(store()))
      const one = start({
        handle: async (transaction, organizationId, events) => {
          if (organizationId === world.organizationId) throw new Error('fails here')
          await keep(transaction, organizationId, events)
        },
      })
      await begin(one)
      await put()
      const subject = await put(other)
      await untilHandled(one, 1, other)
      assert.deepEqual(
        await listHandled(other.organizationId),
        await listEvents([subject], other.organizationId),
      )
      assert.deepEqual(await listHandled(), [])
    })

    test('handles a change of more events than a transaction takes', async () => {
      let pages = 0
      const one = start({
        handle: async (transaction, organizationId, events) => {
          pages += 1
          await keep(transaction, organizationId, events)
        },
      })
      await begin(one)
      const id = uniqueId()
      const outputPorts = Array.from({ length: 1200 }, (_, at) => ({
        name: `port-${at}`,
        version: '1',
      }))
      const body = odps(id, { outputPorts })
      await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body }))
      await untilHandled(one, 1201)
      assert.deepEqual(await listHandled(), await listEvents([id]))
      assert.ok(pages >= 2)
    })

    test('processes that look at once handle every event once', async () => {
      const all = Array.from({ length: 4 }, () => start())
      const [one] = all
      assert.ok(one)
      await begin(one)
      const subjects: string[] = []
      const write = async (): Promise<void> => {
        for (let count = 0; count < 20; count += 1) subjects.push(await put())
      }
      const follow = async (follower: Followers): Promise<void> => {
        while ((await listHandled()).length < 60) await follower.follow()
      }
      await Promise.all([write(), write(), write(), ...all.map(follow)])
      assert.deepEqual(await listHandled(), await listEvents(subjects))
    })

    test('handles nothing while the store has the schema of another version', async () => {
      let isPaused = false
      const one = start({}, { isPaused: () => isPaused })
      await begin(one)
      isPaused = true
      const subject = await put()
      await one.follow()
      assert.deepEqual(await listHandled(), [])
      isPaused = false
      await untilHandled(one, 1)
      assert.deepEqual(await listHandled(), await listEvents([subject]))
    })

    test('polls by itself, and handles nothing after it was stopped', async () => {
      const one = startFollowers(
        { db, log: pino({ level: 'silent' }), isPaused: () => false },
        [{ name, handle: keep }],
        5,
      )
      started.push(one)
      await begin(one)
      await put()
      await eventually(
        SETTLED_MS_MAX,
        async () => (await listHandled()).length === 1,
        'the event is handled',
      )
      await one.stop()
      await put()
      await one.follow()
      assert.equal((await listHandled()).length, 1)
    })

    test('a follower that takes long does not delay another', async () => {
      const released = Promise.withResolvers<void>()
      const slow = { name: `${name}-slow`, handle: async () => await released.promise }
      const services = { db, log: pino({ level: 'silent' }), isPaused: () => false }
      const one = startFollowers(services, [slow, { name, handle: keep }], 5)
      started.push(one)
      try {
        await begin(one)
        await put()
        await eventually(
          SETTLED_MS_MAX,
          async () => (await listHandled()).length === 1,
          'the event is handled beside the slow follower',
        )
      } finally {
        released.resolve()
      }
    })

    test('continues after the database was moved to another cluster with lower transaction ids', async () => {
      const one = start()
      await begin(one)
      const first = await put()
      await untilHandled(one, 1)
      await sql`
        update event
        set transaction_id = (transaction_id::text::bigint + 1000000000)::text::xid8
      `.execute(db)
      await sql`
        update feed_cursor
        set transaction_id = (transaction_id::text::bigint + 1000000000)::text::xid8
      `.execute(db)
      await sql`
        update feed_epoch
        set server_started_at = server_started_at - interval '1 day', system_identifier = 42
      `.execute(db)
      await ensureEpoch(db)
      const second = await put()
      await untilHandled(one, 2)
      assert.deepEqual(await listHandled(), await listEvents([first, second]))
    })
  })
})
