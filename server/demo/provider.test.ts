import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { listEntries } from '../../test/activity.ts'
import { onStore } from '../../test/stores.ts'
import { newProduct, newWorld, type World } from '../../test/world.ts'
import { recordDemoPerson } from '../people/organizations/demo-service.ts'
import type { IdentityProvider } from '../people/providers/provider.ts'
import { listProviders } from '../people/providers/store.ts'
import type { Services } from '../requests/http/endpoint.ts'
import { addProvider } from './identity.ts'
import { startDemoProvider } from './provider.ts'
import { ABOUT_PATH, listenOnLoopback } from './provider-server.ts'
import { newOwnerCaller } from './register.ts'

async function readAbout(issuer: string): Promise<string> {
  return await (await fetch(`${issuer}${ABOUT_PATH}`)).text()
}

onStore((store) => {
  let world: World
  let services: Services
  before(async () => {
    world = await newWorld(newProduct(store(), { baseUrl: 'http://127.0.0.1:8080' }))
    const { installation } = world.services
    services = { ...world.services, installation: { ...installation, isDemo: true } }
  })
  beforeEach(async () => {
    const {
      services: { db },
      organizationId,
      userIds,
    } = world
    for (const table of ['identity_provider', 'organization_domain', 'demo_person'] as const) {
      await db.deleteFrom(table).where('organization_id', '=', organizationId).execute()
    }
    const person = { userId: userIds.Uo, position: 0, email: 'o@velmora.example', role: 'Owner' }
    await recordDemoPerson(db, organizationId, person)
    await addProvider(services, newOwnerCaller(organizationId, `user:${userIds.Uo}`))
  })

  const find = async (): Promise<IdentityProvider> => {
    const [provider] = await listProviders(services.db, world.organizationId)
    assert.ok(provider !== undefined)
    return provider
  }

  const link = async (userId: string): Promise<void> => {
    const { organizationId } = world
    const { id } = await find()
    await services.db
      .insertInto('provider_identity')
      .values({ organization_id: organizationId, provider_id: id, subject: 's', user_id: userId })
      .execute()
  }

  test('is served at its issuer, also after a restart, and ends with the process', async () => {
    const { issuer, clientId } = await find()
    for (const _ of [1, 2]) {
      const started = await startDemoProvider(services)
      assert.equal(await readAbout(issuer), clientId)
      await started?.close()
      await assert.rejects(fetch(issuer))
    }
    assert.equal((await find()).version, 1)
  })

  test('moves to another port if its own is busy', async () => {
    const { issuer, clientId } = await find()
    const busy = await listenOnLoopback(Number(new URL(issuer).port))
    await link(world.userIds.Um ?? '')
    busy?.server.on('request', (_, response) => response.end('another program'))
    const started = await startDemoProvider(services)
    const moved = await find()
    assert.notEqual(moved.issuer, issuer)
    assert.equal(await readAbout(moved.issuer), clientId)
    assert.ok(moved.enabled)
    await started?.close()
    busy?.server.close()
  })

  test('is served by one of two processes', async () => {
    const first = await startDemoProvider(services)
    assert.equal(await startDemoProvider(services), undefined)
    assert.equal((await find()).version, 1)
    await first?.close()
  })

  for (const [name, without] of [
    ['outside of the demo', () => ({ installation: { ...services.installation, isDemo: false } })],
    ['at a public address', () => ({ baseUrl: 'https://catalog.example' })],
  ] as const) {
    test(`${name}, is disabled and not served, until the demo starts again`, async () => {
      const { issuer } = await find()
      assert.equal(await startDemoProvider({ ...services, ...without() }), undefined)
      await assert.rejects(fetch(issuer))
      assert.equal((await find()).enabled, false)
      const started = await startDemoProvider(services)
      assert.equal((await find()).enabled, true)
      await started?.close()
      const actions = (await listEntries(world, 'identity-provider')).map(({ action }) => action)
      assert.deepEqual(actions.slice(-2), ['disabled', 'enabled'])
    })
  }

  test('of an owner who disabled it, stays disabled', async () => {
    await services.db
      .updateTable('identity_provider')
      .set({ enabled: false, updated_by: `user:${world.userIds.Uo}` })
      .where('organization_id', '=', world.organizationId)
      .execute()
    const started = await startDemoProvider(services)
    assert.equal((await find()).enabled, false)
    await started?.close()
  })

  test('is not found in an organization without people of a demo', async () => {
    await services.db.deleteFrom('demo_person').execute()
    assert.equal(await startDemoProvider(services), undefined)
    assert.equal(
      await startDemoProvider({ ...services, baseUrl: 'https://catalog.example' }),
      undefined,
    )
    assert.equal((await find()).enabled, true)
  })
})
