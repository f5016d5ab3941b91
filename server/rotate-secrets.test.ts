/** Every kind of sealed secret is re-sealed; credentials are in `rotate.test.ts`. */

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { onStore } from '../test/stores.ts'
import { addWebhook } from '../test/webhooks.ts'
import { expectOk, newProduct, newWorld } from '../test/world.ts'
import { readConfig } from './platform/config.ts'
import { openSecretBox } from './encryption.ts'
import { storeClock } from './platform/kit/clock.ts'
import { newEncryptionKey, secretBox, type SecretBox } from './platform/kit/secret-box.ts'
import { findWholeDocument } from './documents/plain-records/secret-service.ts'
import { rotateKey, type Rotation } from './rotate.ts'
import { openWebhookSecret, renewSecret } from './notices/webhooks/secret-service.ts'
import { findSendingEndpoint } from './notices/webhooks/secret-store.ts'

function createBox(key: string): SecretBox {
  return secretBox(Buffer.from(key, 'base64'))
}

onStore((store) => {
  let old: string
  let next: string
  beforeEach(async () => {
    old = newEncryptionKey()
    next = newEncryptionKey()
    await store().db.deleteFrom('encryption_key').execute()
    await openSecretBox(readConfig({ PORTBOOK_ENCRYPTION_KEY: old }), store().db)
  })

  async function rotate(): Promise<Rotation> {
    const settings = { PORTBOOK_ENCRYPTION_KEY: old, PORTBOOK_ENCRYPTION_KEY_NEW: next }
    return await rotateKey(readConfig(settings), store().db)
  }

  test('rotateKey › re-seals the addresses of notification channels', async () => {
    const { db } = store()
    const world = await newWorld(newProduct(store()))
    const key = {
      organizationId: world.organizationId,
      kind: 'notification-channel',
      scope: 'a',
      id: 'c d',
    }
    const endpoint = 'https://hooks.chat.example/secret'
    const body = JSON.stringify({ id: key.id, name: 'C', type: 'slack', endpoint, enabled: true })
    const path = '/api/teams/a/notification-channels/c%20d'
    world.services.secretBox = createBox(old)
    await expectOk(world.as('O', 'PUT', path, { body }))
    const { resealedCount, unreadableCount } = await rotate()
    assert.deepEqual([resealedCount, unreadableCount], [1, 0])
    assert.equal(await findWholeDocument({ db, secretBox: createBox(next) }, key), body)
    await assert.rejects(
      findWholeDocument({ db, secretBox: createBox(old) }, key),
      /cannot decrypt the channel address/,
    )
    await expectOk(world.as('O', 'DELETE', path))
  })

  test('rotateKey › re-seals the secrets of webhooks', async () => {
    const { db } = store()
    const world = await newWorld(newProduct(store()))
    const { id: endpointId } = await addWebhook(world, { url: 'https://192.0.2.1/' })
    const place = { organizationId: world.organizationId, endpointId }
    const remove = () => db.deleteFrom('webhook_secret').execute()
    await remove()
    const secret = await renewSecret(db, storeClock, createBox(old), place)
    try {
      const { resealedCount, unreadableCount } = await rotate()
      assert.deepEqual([resealedCount, unreadableCount], [1, 0])
      const endpoint = await findSendingEndpoint(db, storeClock, world.organizationId, endpointId)
      const opened = endpoint?.secrets.map((one) => openWebhookSecret(createBox(next), one))
      assert.deepEqual(opened, [secret])
    } finally {
      await remove()
    }
  })
})
