import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { eventsSoFar } from '../../../test/feed.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'
import { newEvents } from './event.ts'
import { appendEvents } from './record.ts'
import { getFeedState } from './service.ts'

async function putProduct(world: World): Promise<void> {
  const id = uniqueId()
  await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id) }))
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const getState = async (): Promise<string> => getFeedState(store().db, world.organizationId)

  /** Returns the state when all events are in the feed, so that no open transaction elsewhere changes it. */
  const getSettledState = async (): Promise<string> => {
    await eventsSoFar(world)
    return await getState()
  }

  test('getFeedState › changes with each event of the organization, and of no other one', async () => {
    const other = await newWorld(world)
    const first = await getSettledState()
    await putProduct(other)
    assert.equal(await getState(), first)
    await putProduct(world)
    assert.notEqual(await getState(), first)
  })

  test('getFeedState › changes when an older transaction commits after a newer one', async () => {
    const first = await getSettledState()
    const origin = { organizationId: world.organizationId, kind: 'team', principal: 'system' }
    let newer = first
    const written = { result: 'written', timeColumn: 'updated_at' } as const
    await store()
      .db.transaction()
      .execute(async (transaction) => {
        await sql`
          with written as (
            select ${uniqueId()}::text as external_id, 1 as version, now() as updated_at
          )
          ${appendEvents(origin, newEvents([{ name: 'TeamCreatedEvent' }]), written)}`.execute(
          transaction,
        )
        assert.equal(await getState(), first, 'no reader sees this event yet')
        await putProduct(world)
        newer = await getState()
        assert.notEqual(newer, first)
      })
    assert.notEqual(await getState(), newer)
  })
})
