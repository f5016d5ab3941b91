import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJson } from '../../test/answers.ts'
import { testConfig } from '../../test/full-store.ts'
import { onStore } from '../../test/stores.ts'
import { addWebhook } from '../../test/webhooks.ts'
import { newProduct, newWorld } from '../../test/world.ts'
import { openSecretBox } from '../encryption.ts'
import { verifyStore } from './verify.ts'

const RULE = 'every pending delivery has a lane'

onStore((store) => {
  const listFindings = async (): Promise<string[]> =>
    (await verifyStore(store().db)).flatMap(({ rule, findings }) =>
      findings.map((finding) => `${rule}: ${finding}`),
    )

  test('reports pending deliveries that no worker finds', async () => {
    const world = await newWorld(newProduct(store()))
    await openSecretBox(testConfig(), store().db)
    const { id } = await addWebhook(world, { url: 'https://192.0.2.1/hook' })
    const sent = world.as('O', 'POST', `/api/webhooks/${id}/test`)
    const { deliveryId } = await readJson<{ deliveryId: string }>(sent, 202)
    assert.deepEqual(await listFindings(), [])
    await store().db.deleteFrom('delivery_lane').where('target', '=', id).execute()
    const findings = await listFindings()
    assert.equal(findings.length, 1)
    assert.ok(findings[0]?.startsWith(`${RULE}: delivery ${deliveryId} of WebhookTestEvent`))
    await store()
      .db.updateTable('delivery')
      .set({ state: 'canceled', ended_at: '2026-01-01T00:00:00Z' })
      .where('id', '=', deliveryId)
      .execute()
    assert.deepEqual(await listFindings(), [])
  })
})
