import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { appendEvents } from './record.ts'
import { type CloudEvent, newEvents } from './event.ts'
import { readJson } from '../../../test/answers.ts'
import { eventsSoFar } from '../../../test/feed.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId } from '../../../test/world.ts'
import type { Product, World } from '../../../test/world.ts'

const WRITERS = 64
const WRITES_EACH = 5
// Half of the test pool's connections, so that others can write at the same time.
const SLOW_WRITERS = 5
const SLOW_ROUNDS = 4

onStore((store) => {
  let world: World
  let processes: Product[]
  before(async () => {
    world = await newWorld(newProduct(store()))
    processes = [world, newProduct(store()), newProduct(store()), newProduct(store())]
  })

  /** The progress of the test; `step` is emitted at each step. */
  class Progress extends EventEmitter {
    writes = 0
    polls = 0

    count(what: 'writes' | 'polls'): void {
      this[what] += 1
      this.emit('step')
    }

    /** Resolves when there were so many more writes and polls than now, or all writing is over. */
    async after(writes: number, polls: number): Promise<void> {
      const [writesThen, pollsThen] = [this.writes + writes, this.polls + polls]
      const isLast = () => this.writes >= WRITERS * WRITES_EACH
      while (!(this.polls >= pollsThen && (this.writes >= writesThen || isLast()))) {
        await once(this, 'step')
      }
    }
  }

  async function write(writer: number, progress: Progress): Promise<void> {
    const process = processes[writer % processes.length] ?? world
    for (let index = 0; index < WRITES_EACH; index += 1) {
      // Some ids are a writer's own, some are everyone's.
      const id = index % 2 === 0 ? `own-${writer}` : `shared-${writer % 4}`
      const path = `/api/dataproducts/${id}`
      const ports = [{ name: `port-${index % 3}`, version: String(index) }]
      const body = odps(id, { name: `${writer}-${index}`, outputPorts: ports })
      const isRemoval = index % 5 === 4
      const answer = await process.call(isRemoval ? 'DELETE' : 'PUT', path, {
        key: world.keys.O,
        ...(isRemoval ? {} : { body }),
      })
      assert.ok(answer.status === 200 || answer.status === 404, await answer.text())
      progress.count('writes')
    }
  }

  /** Runs transactions that insert events and stay open while others write and the poller polls. */
  async function writeSlowly(progress: Progress): Promise<void> {
    const origin = { organizationId: world.organizationId, kind: 'team', principal: 'system' }
    const written = { result: 'written', timeColumn: 'updated_at' } as const
    for (let round = 0; round < SLOW_ROUNDS; round += 1) {
      await store()
        .db.transaction()
        .execute(async (transaction) => {
          for (let part = 0; part < 2; part += 1) {
            await sql`
              with written as (
                select ${uniqueId()}::text as external_id, 1 as version, now() as updated_at
              )
              ${appendEvents(origin, newEvents([{ name: 'TeamCreatedEvent' }]), written)}`.execute(
              transaction,
            )
            await progress.after(20, 3)
          }
        })
    }
  }

  /** Polls as a follower does, until it has seen the given event. */
  async function follow(
    include: string,
    progress: Progress,
    end: Promise<{ id: string }>,
  ): Promise<string[]> {
    const seen: string[] = []
    const ended: string[] = []
    void end.then((event) => ended.push(event.id))
    while (!ended.some((id) => seen.includes(id))) {
      const last = seen.at(-1)
      const query = new URLSearchParams({
        ...(include === '' ? {} : { include }),
        ...(last === undefined ? {} : { lastEventId: last }),
      })
      const page = await readJson<CloudEvent[]>(
        world.as('Tr', 'GET', `/api/events?${query.toString()}`),
      )
      seen.push(...page.map(({ id }) => id))
      progress.count('polls')
    }
    return seen
  }

  test('GET /api/events › 64 writers while a poller polls: every event once, in an order that never changes', async () => {
    const progress = new Progress()
    const writing = Promise.all([
      ...Array.from({ length: WRITERS }, (_, writer) => write(writer, progress)),
      ...Array.from({ length: SLOW_WRITERS }, () => writeSlowly(progress)),
    ])
    const end = writing.then(async () => {
      await expectOk(world.as('O', 'PUT', '/api/teams/end', { body: { id: 'end', name: 'End' } }))
      const last = (await eventsSoFar(world)).find(({ subject }) => subject === 'end')
      assert.ok(last)
      return last
    })
    const [polled, polledWithDocuments] = await Promise.all([
      follow('', progress, end),
      follow('document', progress, end),
    ])
    const all = (await eventsSoFar(world)).map(({ id }) => id)
    const { rows } = await sql<{ id: string }>`
      select id
      from event
      where organization_id = ${world.organizationId}
    `.execute(store().db)
    assert.deepEqual(
      all.toSorted(),
      rows.map(({ id }) => id).toSorted(),
      'the feed has every event',
    )
    assert.ok(all.length > WRITERS * WRITES_EACH + 2 * SLOW_WRITERS * SLOW_ROUNDS)
    // A page may have held what came after the end: no more than the tests' own marks.
    assert.deepEqual(polled, all.slice(0, polled.length))
    assert.deepEqual(polledWithDocuments, all.slice(0, polledWithDocuments.length))
    assert.ok(polled.length >= all.length - 3 && polledWithDocuments.length >= all.length - 3)
  })

  test('GET /api/events › an event is not shown while an earlier transaction is open', async () => {
    const id = uniqueId()
    const before = await eventsSoFar(world)
    const path = `/api/events?lastEventId=${before.at(-1)?.id}`
    await store()
      .db.transaction()
      .execute(async (transaction) => {
        await sql`select pg_current_xact_id()`.execute(transaction)
        await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id) }))
        assert.deepEqual(await readJson(world.as('Tr', 'GET', path)), [])
        assert.deepEqual(await readJson(world.as('Tr', 'GET', `${path}&include=document`)), [])
      })
    const after = await eventsSoFar(world)
    assert.deepEqual(after.slice(0, before.length), before)
    assert.equal(after[before.length]?.subject, id)
  })
})
