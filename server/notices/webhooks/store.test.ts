import assert from 'node:assert/strict'
import { test } from 'node:test'
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
})
