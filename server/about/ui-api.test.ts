import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { newProduct, newWorld, type World } from '../../test/world.ts'
import { VERSION } from '../version.ts'
import type { About } from './about.ts'

const ABOUT = '/ui/about'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  test(`GET ${ABOUT} › 200 with the version and the state`, async () => {
    const {
      memoryBytes,
      store: told,
      health,
      ...rest
    } = await readJson<About>(world.asPerson('Um', 'GET', ABOUT))
    const { baseUrl, dpsUntil, dcsUntil, secretBox } = world.services
    assert.deepEqual(rest, {
      version: VERSION,
      nodeVersion: process.versions.node,
      baseUrl,
      startedAt: '2026-01-01T00:00:00.000Z',
      workers: 0,
      encryptionKeyId: secretBox.keyId,
      dpsUntil,
      dcsUntil,
      mail: null,
    })
    assert.match(told.version, /^\d+/)
    assert.ok((told.sizeBytes ?? 0) > 1_000_000, String(told.sizeBytes))
    assert.ok(memoryBytes > 1_000_000)
    assert.ok(health.storeMs >= 0)
    assert.equal(health.store, health.storeMs > 250 ? 'slow' : 'ok')
  })
})
