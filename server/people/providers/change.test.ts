import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { listEntries } from '../../../test/activity.ts'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { LOCALHOST_CERTIFICATE } from '../../../test/certificate.ts'
import {
  addProvider,
  linkPerson,
  listProviders,
  PROVIDER_CHANGE,
  PROVIDER_FORM,
  PROVIDERS_PATH,
} from '../../../test/identity-providers.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, type World } from '../../../test/world.ts'
import type { ProviderAnswer } from './provider.ts'
import { findOpenedProvider } from './service.ts'

const put = (own: World, id: string, body: object, version?: number): Promise<Response> =>
  own.asPerson('Uo', 'PUT', `${PROVIDERS_PATH}/${id}`, {
    body: { ...PROVIDER_CHANGE, ...body },
    headers: version === undefined ? {} : { 'if-match': `"${version}"` },
  })
const remove = (own: World, id: string, query = ''): Promise<Response> =>
  own.asPerson('Uo', 'DELETE', `${PROVIDERS_PATH}/${id}${query}`)

const findManager = async (own: World, user: 'Um' | 'Ue' = 'Um'): Promise<string | null> => {
  const { rows } = await sql<{ manager: string | null }>`
    select managed_by as manager from user_account where id = ${own.userIds[user]}
  `.execute(own.services.db)
  return rows[0]?.manager ?? null
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const fresh = async (): Promise<World> => await newWorld(world)
  describe('PUT /ui/identity-providers/{id}', () => {
    test('200: keeps the secret, counts versions and records what changed', async () => {
      const own = await fresh()
      const { id, secretSetAt } = await addProvider(own)
      const response = await put(own, id, { name: 'Renamed', sessionHours: 8 }, 1)
      assert.equal(response.headers.get('etag'), '"2"')
      const changed = await readJson<ProviderAnswer>(Promise.resolve(response))
      assert.partialDeepStrictEqual(changed, { name: 'Renamed', sessionHours: 8, secretSetAt })
      await readJson(put(own, id, { name: 'Renamed', sessionHours: 8, enabled: false }, 2))
      const opened = await findOpenedProvider(own.services, id)
      assert.deepEqual([opened?.secret, opened?.enabled], [PROVIDER_FORM.clientSecret, false])
      assert.deepEqual(
        (await listEntries(own, 'identity-provider')).map(({ action }) => action),
        ['created', 'secret-set', 'updated', 'disabled'],
      )
    })

    test('412 if the provider was changed since, also with two at once', async () => {
      const own = await fresh()
      const { id } = await addProvider(own)
      const both = await Promise.all([
        put(own, id, { name: 'A' }, 1),
        put(own, id, { name: 'B' }, 1),
      ])
      assert.deepEqual(
        both.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 412],
      )
      await expectProblem(put(own, id, {}, 1), 412, /current entity tag is "2"/)
    })

    for (const [what, change] of [
      ['issuer', { issuer: 'https://id.velmora.example/realms/other' }],
      ['client id', { clientId: 'other' }],
      ['authentication', { clientAuthentication: 'post' }],
    ] as const) {
      test(`a new ${what} needs the secret again, and removes confirmed links`, async () => {
        const own = await fresh()
        const { id } = await addProvider(own)
        const secret = { ...change, clientSecret: 'new' }
        await linkPerson(own, id)
        await linkPerson(own, id, 'Ue')
        await expectProblem(put(own, id, { ...change, confirmedLinkCount: 2 }), 422, /needed again/)
        const problem = await readJson<object>(put(own, id, secret), 409)
        assert.partialDeepStrictEqual(problem, { code: 'confirmation_needed', useCount: 2 })
        await expectProblem(put(own, id, { ...secret, confirmedLinkCount: 1 }), 409, /2 people/)
        const changed = await readJson<ProviderAnswer>(
          put(own, id, { ...secret, confirmedLinkCount: 2 }),
        )
        assert.partialDeepStrictEqual(changed, { linkCount: 0, sessionCount: 0, managedCount: 0 })
        assert.equal(await findManager(own), null)
        assert.equal((await findOpenedProvider(own.services, id))?.secret, 'new')
        const unlinked = await listEntries(own, 'identity-provider')
        assert.deepEqual(
          unlinked.filter(({ action }) => action === 'unlinked').map(({ person }) => person),
          [own.userIds.Um, own.userIds.Ue].toSorted(),
        )
      })
    }

    test('new certificates need the secret again, and remove no links', async () => {
      const own = await fresh()
      const { id } = await addProvider(own)
      await linkPerson(own, id)
      const authority = LOCALHOST_CERTIFICATE.cert
      await expectProblem(put(own, id, { authority }), 422, /clientSecret: is needed again/)
      const changed = await readJson<ProviderAnswer>(
        put(own, id, { authority, clientSecret: 'new' }),
      )
      assert.equal(changed.linkCount, 1)
      await readJson(put(own, id, { authority: null }))
    })

    test('a client without a secret loses the stored one', async () => {
      const own = await fresh()
      const { id } = await addProvider(own)
      const changed = await readJson<ProviderAnswer>(put(own, id, { clientAuthentication: 'none' }))
      assert.equal(changed.secretSetAt, null)
      await expectProblem(put(own, id, {}), 422, /clientSecret: is missing/)
    })

    test('409 if the sign-in rule needs a provider and this is the last enabled one', async () => {
      const own = await fresh()
      const { id } = await addProvider(own)
      await sql`
        insert into organization_sign_in (organization_id, rule, updated_by)
        values (${own.organizationId}, 'provider', 'system')
      `.execute(own.services.db)
      await sql`
        insert into break_glass (organization_id, user_id, created_by)
        values (${own.organizationId}, ${own.userIds.Uo}, 'system')
      `.execute(own.services.db)
      await expectProblem(put(own, id, { enabled: false }), 409, /only with a provider/)
      await expectProblem(remove(own, id), 409, /only with a provider/)
      const second = await addProvider(own, { name: 'Second', clientId: 'second' })
      await readJson(put(own, id, { enabled: false }))
      await expectProblem(remove(own, second.id), 409, /only with a provider/)
      assert.equal((await remove(own, id)).status, 204)
    })

    test('422 for a provider of the settings of the server', async () => {
      const own = await fresh()
      const { id } = await addProvider(own)
      await sql`update identity_provider set origin = 'environment' where id = ${id}`.execute(
        own.services.db,
      )
      await expectProblem(put(own, id, {}), 422, /follows the settings/)
      await expectProblem(remove(own, id), 422, /follows the settings/)
    })
  })

  describe('DELETE /ui/identity-providers/{id}', () => {
    test('204 after a confirmation: sessions end, and accounts belong to their people again', async () => {
      const own = await fresh()
      const { id } = await addProvider(own)
      const other = await addProvider(own, { name: 'Other', clientId: 'other' })
      await linkPerson(own, id)
      await linkPerson(own, id, 'Ue')
      // The directory provisions one of them, who stays managed.
      await sql`
        insert into directory_user (organization_id, user_id, user_name, user_name_key, updated_by)
        values (${own.organizationId}, ${own.userIds.Ue}, 'e', 'e', 'system')
      `.execute(own.services.db)
      const twin = await fresh()
      const { id: twinId } = await addProvider(twin)
      await linkPerson(twin, twinId)
      assert.partialDeepStrictEqual(
        (await listProviders(own)).providers.find((provider) => provider.id === id),
        { linkCount: 2, managedCount: 2, sessionCount: 2 },
      )
      await expectProblem(remove(own, id), 409, /the links of 2 people/)
      assert.equal((await remove(own, id, '?confirmedLinkCount=2')).status, 204)
      assert.deepEqual(
        (await listProviders(own)).providers.map((provider) => provider.id),
        [other.id],
      )
      assert.deepEqual(
        [await findManager(own), await findManager(own, 'Ue')],
        [null, own.organizationId],
      )
      assert.equal(await findManager(twin), twin.organizationId)
      const [kept] = (await listProviders(twin)).providers
      assert.partialDeepStrictEqual(kept, { linkCount: 1, managedCount: 1, sessionCount: 1 })
      const { rows } = await sql`
        select from session where provider_id = ${id}
      `.execute(own.services.db)
      assert.equal(rows.length, 0)
      await expectProblem(remove(own, id), 404)
    })

    test('an account that another provider of the organization has stays managed', async () => {
      const own = await fresh()
      const { id } = await addProvider(own)
      const other = await addProvider(own, { name: 'Other', clientId: 'other' })
      await linkPerson(own, id)
      await linkPerson(own, other.id)
      await remove(own, id, '?confirmedLinkCount=1')
      assert.equal(await findManager(own), own.organizationId)
      await remove(own, other.id, '?confirmedLinkCount=1')
      assert.equal(await findManager(own), null)
    })
  })
})
