import assert from 'node:assert/strict'
import { randomUUIDv7 } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { newMember, newBrowser } from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId, type Product, type World } from '../../../test/world.ts'
import { createOrganization } from './service.ts'
import { newOrganization } from './organization.ts'
import type { OrganizationMember } from './member.ts'
import type { Session } from './signed-in.ts'

const SETTINGS = '/api/organization/settings'
const MEMBERS = '/api/organization/members'

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
    test('200 › sso is the first enabled provider, and absent without one', async () => {
      const [own, twin] = [await newWorld(product), await newWorld(product)]
      const readSso = async (): Promise<unknown> =>
        (await readJson<{ sso?: unknown }>(own.as('T', 'GET', SETTINGS))).sso
      const add = async (
        { organizationId }: World,
        issuer: string,
        more: { enabled: boolean; join_rule: 'invited' | 'groups' | 'everyone' },
      ): Promise<void> => {
        const provider = { client_id: 'c', client_authentication: 'none', name: issuer } as const
        await product.services.db
          .insertInto('identity_provider')
          .values({
            organization_id: organizationId,
            id: randomUUIDv7(),
            issuer,
            ...provider,
            ...more,
            updated_by: 'system',
          })
          .execute()
      }
      await add(twin, 'https://twin.example', { enabled: true, join_rule: 'everyone' })
      await add(own, 'https://off.example', { enabled: false, join_rule: 'everyone' })
      assert.equal(await readSso(), undefined)
      await add(own, 'https://first.example', { enabled: true, join_rule: 'groups' })
      await add(own, 'https://second.example', { enabled: true, join_rule: 'invited' })
      assert.deepEqual(await readSso(), { issuer: 'https://first.example', autoJoin: true })
      await product.services.db
        .updateTable('identity_provider')
        .set({ join_rule: 'invited' })
        .where('organization_id', '=', own.organizationId)
        .execute()
      assert.deepEqual(await readSso(), { issuer: 'https://first.example', autoJoin: false })
    })

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

  describe(`GET ${MEMBERS}`, () => {
    test('200 › with the members in the order in which they joined, for every key', async () => {
      const list = await readJson<OrganizationMember[]>(world.as('Tr', 'GET', MEMBERS))
      assert.deepEqual(
        list.map(({ userId, role, custom }) => ({ userId, role, custom })),
        [
          { userId: world.userIds.Uo, role: 'Owner', custom: {} },
          { userId: world.userIds.Ue, role: 'Member', custom: {} },
          { userId: world.userIds.Um, role: 'Member', custom: {} },
        ],
      )
    })

    test('200 › in pages of 1000 with a link to the next one; 400 for an invalid page', async () => {
      const organizationId = await createOrganization(product.services.db, `O ${uniqueId()}`)
      const { browser } = await newMember(product, organizationId, 'Owner')
      await sql`
        with account as (
          insert into user_account (id, email, email_key, name, password_hash)
          select gen_random_uuid(), address, address, 'Person', 'none'
          from (select ${uniqueId()} || number || '@example.test' as address
            from generate_series(1, 1000) as number) as added
          returning id
        )
        insert into organization_member (organization_id, user_id, role)
        select ${organizationId}::uuid, id, 'Member' from account
      `.execute(product.services.db)
      const first = await browser.ask('GET', `${MEMBERS}?p=0`)
      assert.equal(first.headers.get('link'), `<${MEMBERS}?p=1>; rel="next"`)
      assert.equal((await readJson<unknown[]>(Promise.resolve(first))).length, 1000)
      const second = await browser.ask('GET', `${MEMBERS}?p=1`)
      assert.equal(second.headers.get('link'), null)
      assert.equal((await readJson<unknown[]>(Promise.resolve(second))).length, 1)
      assert.deepEqual(await readJson(browser.ask('GET', `${MEMBERS}?p=2`)), [])
      await expectProblem(browser.ask('GET', `${MEMBERS}?p=-1`), 400)
    })
  })

  describe(`GET ${MEMBERS}/{email}`, () => {
    test('200 › with the member, in any letter case of the address', async () => {
      const { email, session } = await newMember(world, world.organizationId)
      for (const address of [email, email.toUpperCase(), encodeURIComponent(email)]) {
        assert.deepEqual(await readJson(world.as('Um', 'GET', `${MEMBERS}/${address}`)), {
          emailAddress: email,
          userId: session.user.id,
          role: 'Member',
          custom: {},
        })
      }
    })

    test('404 › for an unknown address and for a member of another organization', async () => {
      const other = await newWorld(world)
      const { email } = await newMember(world, other.organizationId)
      for (const address of [email, 'nobody@example.test', 'x']) {
        await expectProblem(world.as('O', 'GET', `${MEMBERS}/${address}`), 404)
      }
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
