import assert from 'node:assert/strict'
import { randomUUIDv7 } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { readJson, readText } from '../../test/answers.ts'
import { newMember, newBrowser } from '../../test/people.ts'
import { onStore } from '../../test/stores.ts'
import { newProduct, newWorld, uniqueId, type Product, type World } from '../../test/world.ts'
import { createOrganization } from './service.ts'
import { newOrganization } from './organization.ts'
import type { Session } from './signed-in.ts'

const SETTINGS = '/api/organization/settings'

interface Settings {
  organizationId: string
  name: string
  vanityUrl: string
}

test('newOrganization › derives the address from the name, and another one for a name that is in use', () => {
  const id = '019a0000-0000-7000-8000-0123456789ab'
  const addresses = (name: string): string[] => {
    const { vanityUrl, uniqueVanityUrl } = newOrganization(id, name)
    return [vanityUrl, uniqueVanityUrl]
  }
  assert.deepEqual(addresses('Köln & Söhne'), ['koln-sohne', 'koln-sohne-0123456789ab'])
  assert.deepEqual(addresses('API'), ['api-0123456789ab', 'api-0123456789ab'])
  const unnamed = 'organization-0123456789ab'
  assert.deepEqual(addresses('客户'), [unnamed, unnamed])
})

onStore((store) => {
  let product: Product
  let world: World
  before(async () => {
    product = newProduct(store(), { baseUrl: 'https://catalog.example' })
    world = await newWorld(product)
  })

  const read = async (organizationId: string): Promise<Settings> => {
    const { browser } = await newMember(product, organizationId, 'Owner')
    return await readJson<Settings>(browser.ask('GET', SETTINGS))
  }

  describe(`GET ${SETTINGS}`, () => {
    test('200 › with the members that clients require, for every key', async () => {
      for (const caller of ['O', 'Or', 'T', 'Um'] as const) {
        const settings = await readJson<Settings>(world.as(caller, 'GET', SETTINGS))
        assert.partialDeepStrictEqual(settings, {
          organizationId: world.organizationId,
          host: 'https://catalog.example',
          fullName: settings.name,
          logoUrl: '',
        })
        assert.match(settings.vanityUrl, /^organization-i[0-9a-f]{12}$/)
      }
    })

    test('200 › with an address that no other organization has, also when created at the same time', async () => {
      const name = `Rail & Co ${uniqueId()}`
      const ids = await Promise.all(
        [1, 2, 3].map(() => createOrganization(product.services.db, name)),
      )
      const addresses = await Promise.all(ids.map(async (id) => (await read(id)).vanityUrl))
      assert.equal(new Set(addresses).size, 3)
      const slug = newOrganization(randomUUIDv7(), name).vanityUrl
      assert.deepEqual(
        addresses.filter((address) => address === slug),
        [slug],
      )
    })

    test('200 › with the same address after the organization was renamed', async () => {
      const organizationId = await createOrganization(product.services.db, `Old ${uniqueId()}`)
      const { browser } = await newMember(product, organizationId, 'Owner')
      const before = await readJson<Settings>(browser.ask('GET', SETTINGS))
      await readText(browser.ask('PUT', '/ui/organization', { name: 'New' }))
      const after = await readJson<Settings>(browser.ask('GET', SETTINGS))
      assert.deepEqual([after.vanityUrl, after.name], [before.vanityUrl, 'New'])
    })
  })

  test('GET /ui/session › 200 with the address of each organization', async () => {
    const browser = newBrowser(product)
    browser.token = world.sessions.Uo
    const session = await readJson<Session>(browser.ask('GET', '/ui/session'))
    const { vanityUrl } = await readJson<Settings>(world.as('O', 'GET', SETTINGS))
    assert.equal(session.organization?.vanityUrl, vanityUrl)
  })
})
