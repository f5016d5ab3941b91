import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addIdentityRows } from '../../../test/identity-rows.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, type World } from '../../../test/world.ts'
import { storeClock } from '../../platform/kit/clock.ts'
import { insertFailure, listFailures } from './failure-store.ts'
import { findOpenedProvider } from './service.ts'
import { findProvider, listProviders } from './store.ts'

onStore((store) => {
  let world: World
  let providerId: string

  before(async () => {
    world = await newWorld(newProduct(store()))
    const { db, secretBox } = world.services
    await addIdentityRows(db, secretBox, world)
    const [provider] = await listProviders(db, world.organizationId)
    assert.ok(provider)
    providerId = provider.id
  })

  test('a provider is listed and found only in its organization', async () => {
    const { services, organizationId } = world
    const provider = await findProvider(services.db, organizationId, providerId)
    assert.partialDeepStrictEqual(provider, {
      organizationId,
      issuer: 'https://id.velmora.example/',
      clientAuthentication: 'basic',
      domains: ['velmora.example'],
      sessionHours: 12,
      origin: 'page',
    })
    const other = await newWorld(world)
    assert.deepEqual(await listProviders(services.db, other.organizationId), [])
    assert.equal(await findProvider(services.db, other.organizationId, providerId), undefined)
  })

  test('a provider is found with its secret by its id', async () => {
    const { services, organizationId } = world
    const opened = await findOpenedProvider(services, providerId)
    assert.deepEqual([opened?.organizationId, opened?.secret], [organizationId, 'secret'])
    assert.equal(await findOpenedProvider(services, organizationId), undefined)
    assert.equal(await findOpenedProvider(services, 'no-id'), undefined)
  })

  describe('failures', () => {
    test('the last 20 of a provider are kept, newest first', async () => {
      const { services, organizationId } = world
      const add = async (sentence: string): Promise<void> => {
        const failure = { code: 'provider_refused', sentence, requestId: 'r' }
        await insertFailure(services.db, storeClock, { organizationId, providerId, ...failure })
      }
      for (let index = 0; index < 25; index += 1) await add(String(index))
      const failures = await listFailures(services.db, organizationId)
      assert.deepEqual(
        failures.map(({ sentence }) => sentence),
        Array.from({ length: 20 }, (_, index) => String(24 - index)),
      )
      assert.ok(failures.every((failure) => failure.providerId === providerId))
    })

    test('a failure of a provider of another organization is not stored', async () => {
      const { services } = world
      const { organizationId } = await newWorld(world)
      const failure = { code: 'provider_refused', sentence: 'other', requestId: 'r' }
      await insertFailure(services.db, storeClock, { organizationId, providerId, ...failure })
      assert.deepEqual(await listFailures(services.db, organizationId), [])
    })
  })
})
