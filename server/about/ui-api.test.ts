import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { newProduct, newWorld, type World } from '../../test/world.ts'
import { VERSION } from '../platform/version.ts'
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
      refusedConnections: null,
    })
    assert.match(told.version, /^\d+/)
    assert.ok((told.sizeBytes ?? 0) > 1_000_000, String(told.sizeBytes))
    assert.ok(memoryBytes > 1_000_000)
    assert.ok(health.storeMs >= 0)
    assert.equal(health.store, health.storeMs > 250 ? 'slow' : 'ok')
  })

  test(`GET ${ABOUT} › shows refused connections to owners only`, async () => {
    const read = async (caller: 'Uo' | 'Um'): Promise<About['refusedConnections']> =>
      (await readJson<About>(world.asPerson(caller, 'GET', ABOUT))).refusedConnections
    assert.equal(await read('Uo'), null)
    const refused = { client: '198.51.100.7', at: '2026-01-02T00:00:00.000Z', count: 3 }
    world.services.installation.findRefusedConnections = () => refused
    assert.deepEqual(await read('Uo'), { ...refused, setting: 'PORTBOOK_TRUSTED_PROXIES' })
    assert.equal(await read('Um'), null)
  })

  test(`GET ${ABOUT} › shows no refused connections if they may be those of another organization`, async () => {
    const refused = { client: '198.51.100.7', at: '2026-01-02T00:00:00.000Z', count: 3 }
    world.services.installation.findRefusedConnections = () => refused
    const other = await newWorld(world)
    for (const { asPerson } of [world, other]) {
      const { refusedConnections } = await readJson<About>(asPerson('Uo', 'GET', ABOUT))
      assert.equal(refusedConnections, null)
    }
  })
})
