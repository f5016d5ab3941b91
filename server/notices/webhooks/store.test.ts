import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { addWebhook } from '../../../test/webhooks.ts'
import { newProduct, newWorld } from '../../../test/world.ts'
import { recordFailure } from './store.ts'
import type { Webhook } from './webhook.ts'

onStore((store) => {
  test('recordFailure › a disabled endpoint stays as it is when its test event fails', async () => {
    const world = await newWorld(newProduct(store()))
    const { id } = await addWebhook(world, { url: 'https://portbook.test/hook', enabled: false })
    const read = (): Promise<Webhook> => readJson(world.as('O', 'GET', `/api/webhooks/${id}`))
    const before = await read()
    const { organizationId, services } = world
    const limit = { disabledAfterMs: 1, because: 'It fails.' }
    const isDisabled = await recordFailure(
      services.db,
      services.clock,
      { organizationId, id },
      limit,
    )
    assert.equal(isDisabled, false)
    assert.deepEqual(await read(), before)
  })

  test('lastDeliveryAt › is the end of the newest delivery that ended, of this endpoint only', async () => {
    const world = await newWorld(newProduct(store()))
    const other = await newWorld(newProduct(store()))
    const { id } = await addWebhook(world, { url: 'https://portbook.test/hook' })
    const read = async (): Promise<string | null> => {
      const list = await readJson<Webhook[]>(world.as('O', 'GET', '/api/webhooks'))
      return list.find((one) => one.id === id)?.lastDeliveryAt ?? null
    }
    const add = async (
      at: string | null,
      { organizationId = world.organizationId, channel = 'webhook', target = id } = {},
    ): Promise<void> => {
      const state = at === null ? 'pending' : 'failed'
      await sql`
        insert into delivery
          (organization_id, id, channel, target, subject, topic, payload, state, ended_at)
        values (${organizationId}, ${crypto.randomUUID()}, ${channel}, ${target}, 's', 't', '{}',
          ${state}, ${at})
      `.execute(world.services.db)
    }
    assert.equal(await read(), null)
    await add('2026-10-01T10:00:00Z')
    await add('2026-10-02T10:00:00Z')
    await add(null)
    await add('2026-10-03T10:00:00Z', { organizationId: other.organizationId })
    await add('2026-10-04T10:00:00Z', { channel: 'chat' })
    await add('2026-10-05T10:00:00Z', { target: crypto.randomUUID() })
    assert.equal(Date.parse((await read()) ?? ''), Date.parse('2026-10-02T10:00:00Z'))
  })
})
