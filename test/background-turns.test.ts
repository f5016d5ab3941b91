/**
 * Background work for all organizations: however much one of them has waiting, the others come in between. The organization
 * with the backlog was created first, so it is the first one in every order.
 */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { sealActivity } from '../server/ledger/activity/seal-service.ts'
import { listDueAgreements } from '../server/agreements/occasion-store.ts'
import { startFollowers } from '../server/ledger/events/follow-service.ts'
import { listDue } from '../server/ingestion/integrations/run-store.ts'
import { fixedClock, storeClock } from '../server/platform/kit/clock.ts'
import { enqueueDueDigests } from '../server/notices/notification-mails/digest-store.ts'
import { distribute } from '../server/notices/notifications/distribution-service.ts'
import type { Database } from '../server/platform/tables.ts'
import { addAgreement, addProvider } from './agreements.ts'
import { newIngestionWorld } from './ingestion.ts'
import { followEvents } from './notifications.ts'
import { untilSettled } from './feed.ts'
import { onStore } from './stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from './world.ts'

const SILENT = pino({ level: 'silent' })

async function put(world: World, outputPortsCount = 1): Promise<string> {
  const id = uniqueId()
  const outputPorts = Array.from({ length: outputPortsCount }, (_, at) => ({
    name: `port-${at}`,
    version: '1',
  }))
  await expectOk(
    world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id, { outputPorts }) }),
  )
  return id
}

/** Deletes a data product, of which the editor is notified. */
async function notify(world: World, email: string): Promise<void> {
  const body = { kind: 'deleted', onPage: true, email }
  await expectOk(world.asPerson('Ue', 'PUT', '/ui/notification-settings', { body }))
  const id = await put(world)
  await expectOk(world.as('O', 'DELETE', `/api/dataproducts/${id}`))
  await followEvents(world)
}

onStore((store) => {
  let db: Database
  let many: World
  let few: World
  before(async () => {
    db = store().db
    many = await newWorld(newProduct(store()))
    few = await newWorld(newProduct(store()))
    assert.ok(many.organizationId < few.organizationId)
  })

  /** Names the organizations in the order in which they were served. */
  function toNames(organizationIds: readonly string[]): string[] {
    const names = new Map([
      [many.organizationId, 'many'],
      [few.organizationId, 'few'],
    ])
    return organizationIds.flatMap((id) => names.get(id) ?? [])
  }

  test('a follower of the feed handles a page of events of each', async () => {
    const served: string[] = []
    const follower = {
      name: uniqueId(),
      handle: async (_: Database, organizationId: string) => void served.push(organizationId),
    }
    const services = { db, log: SILENT, isPaused: () => false }
    // One organization at a time.
    const followers = startFollowers(services, [follower], 1e9, 1)
    try {
      await untilSettled(db)
      await followers.follow()
      await put(many, 2100)
      await put(few)
      await untilSettled(db)
      served.length = 0
      await followers.follow()
      assert.deepEqual(toNames(served), ['many', 'few', 'many', 'many'])
    } finally {
      await followers.stop()
    }
  })

  test('a few notifications of each are distributed', async () => {
    for (const world of [many, few]) await notify(world, 'off')
    await sql`
      insert into notification
      select organization_id, gen_random_uuid(), kind, occasion || n, subject_kind, subject_id,
        subject_name, principal, data, audience, visible_to, occurred_at, created_at, distributed_at
      from notification, generate_series(1, 30) as n
      where organization_id = ${many.organizationId} and distributed_at is null
    `.execute(db)
    await sql`
      create table distributed (position bigint generated always as identity, organization_id uuid)
    `.execute(db)
    const log = `
      create function log_distribution() returns trigger language plpgsql as $$
      begin
        insert into distributed (organization_id) values (new.organization_id);
        return new;
      end $$`
    await sql.raw(log).execute(db)
    await sql`
      create trigger log_distribution before update of distributed_at on notification
      for each row execute function log_distribution()
    `.execute(db)
    await distribute(many.services)
    await sql`drop function log_distribution cascade`.execute(db)
    const { rows } = await sql<{ id: string }>`
      select organization_id as id from distributed order by position
    `.execute(db)
    const served = toNames(rows.map(({ id }) => id))
    assert.ok(served.lastIndexOf('few') < served.length / 2, served.join(' '))
    assert.ok(served.filter((name) => name === 'many').length > 30)
    const { rows: pending } = await sql`
      select from notification where distributed_at is null
    `.execute(db)
    assert.equal(pending.length, 0)
  })

  test('the digest of one person of each is sent first', async () => {
    for (const world of [many, few]) await notify(world, 'digest')
    await distribute(many.services)
    await sql`
      insert into notification_recipient (
        organization_id, notification_id, user_id, reason, on_page, email
      )
      select recipient.organization_id, notification_id, member.user_id, reason, on_page, 'digest'
      from notification_recipient as recipient
      join organization_member as member on member.organization_id = recipient.organization_id
      where recipient.organization_id = ${many.organizationId} and email = 'digest'
      on conflict (organization_id, notification_id, user_id) do update set email = 'digest'
    `.execute(db)
    await sql`update notification set created_at = '2031-03-01T12:00:00Z'`.execute(db)
    assert.equal(await enqueueDueDigests(db, fixedClock('2031-03-02T08:00:00Z'), 2), 2)
    const { rows } = await sql<{ id: string }>`
      select organization_id as id from delivery where topic = 'digest'
    `.execute(db)
    assert.deepEqual(toNames(rows.map(({ id }) => id)).toSorted(), ['few', 'many'])
  })

  test('a batch of the activity of each is sealed', async () => {
    await untilSettled(db)
    const sealed: string[] = []
    const log = pino(
      { level: 'info' },
      { write: (line: string) => void sealed.push(JSON.parse(line).organizationId as string) },
    )
    await sealActivity({ ...many.services, log }, 3)
    const served = toNames(sealed)
    assert.ok(served.length >= 4)
    assert.deepEqual(served.slice(0, 4), ['many', 'few', 'many', 'few'])
  })

  test('the longest waiting schedule of each starts first', async () => {
    const due = async ({ organizationId }: World, minutes: number): Promise<string> => {
      const { integrationId } = await newIngestionWorld(store(), { organizationId })
      await sql`
        update integration
        set enabled = true, schedule_expression = '0 6 * * *',
          next_due_at = now() - make_interval(mins => ${minutes})
        where id = ${integrationId}
      `.execute(db)
      return integrationId
    }
    const [second, first, third] = [await due(many, 50), await due(many, 60), await due(many, 40)]
    const only = await due(few, 10)
    const ids = (await listDue(db, storeClock, 4)).map(({ integrationId }) => integrationId)
    assert.deepEqual(ids, [first, only, second, third])
    assert.equal((await listDue(db, storeClock, 2)).length, 2)
  })

  test('the first access agreement of each is advanced first', async () => {
    const startDate = Temporal.Now.plainDateISO('UTC').add({ days: 2 }).toString()
    const later = { now: sql<string>`(clock_timestamp() + make_interval(days => 3))` }
    for (const [world, count] of [
      [many, 3],
      [few, 1],
    ] as const) {
      const product = await addProvider(world, 'a')
      for (let at = 0; at < count; at += 1) {
        await addAgreement(world, { product, more: { info: { startDate } }, isApproved: true })
      }
    }
    const due = await listDueAgreements(db, later, 4)
    const served = toNames(due.map(({ organizationId }) => organizationId))
    assert.deepEqual(served.slice(0, 2).toSorted(), ['few', 'many'])
    assert.deepEqual(served.slice(2), ['many', 'many'])
    assert.equal((await listDueAgreements(db, later, 2)).length, 2)
  })
})
