import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { listEntries } from '../../../test/activity.ts'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { LOCALHOST_CERTIFICATE } from '../../../test/certificate.ts'
import {
  addProvider,
  listProviders,
  postProvider,
  PROVIDER_CHANGE,
  PROVIDER_FORM,
  PROVIDERS_PATH,
} from '../../../test/identity-providers.ts'
import { newBrowser } from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, type World } from '../../../test/world.ts'
import { findOpenedProvider } from './service.ts'

const put = (own: World, id: string, body: object, version?: number): Promise<Response> =>
  own.asPerson('Uo', 'PUT', `${PROVIDERS_PATH}/${id}`, {
    body: { ...PROVIDER_CHANGE, ...body },
    headers: version === undefined ? {} : { 'if-match': `"${version}"` },
  })
const remove = (own: World, id: string, query = ''): Promise<Response> =>
  own.asPerson('Uo', 'DELETE', `${PROVIDERS_PATH}/${id}${query}`)

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const fresh = async (): Promise<World> => await newWorld(world)
  describe('POST /ui/identity-providers', () => {
    test('201 without the secret, which is sealed and in no answer', async () => {
      const own = await fresh()
      const created = await addProvider(own)
      assert.partialDeepStrictEqual(created, {
        ...PROVIDER_CHANGE,
        origin: 'page',
        version: 1,
        linkCount: 0,
      })
      assert.equal(created.redirectAddress, `http://portbook.test/sign-in/${created.id}/callback`)
      assert.ok(created.secretSetAt)
      const text = await readText(own.asPerson('Uo', 'GET', PROVIDERS_PATH))
      assert.ok(!text.includes(PROVIDER_FORM.clientSecret))
      assert.equal(
        (await findOpenedProvider(own.services, created.id))?.secret,
        PROVIDER_FORM.clientSecret,
      )
      const { rows } = await sql<{ sealed: string }>`
        select encode(sealed, 'escape') as sealed from identity_provider_secret where provider_id = ${created.id}
      `.execute(own.services.db)
      assert.ok(rows.length === 1 && !rows[0]?.sealed.includes(PROVIDER_FORM.clientSecret))
      assert.deepEqual(
        (await listEntries(own, 'identity-provider')).map(({ action, name }) => [action, name]),
        [
          ['created', PROVIDER_FORM.name],
          ['secret-set', PROVIDER_FORM.name],
        ],
      )
    })

    test('201 with the id of a draft, whose redirect address is registered before', async () => {
      const own = await fresh()
      const { draft } = await listProviders(own)
      const { id, redirectAddress } = await addProvider(own, { id: draft.id, proof: draft.proof })
      assert.deepEqual([id, redirectAddress], [draft.id, draft.redirectAddress])
      await expectProblem(
        postProvider(own, { name: 'B', clientId: 'b', id: draft.id, proof: draft.proof }),
        422,
        /id: is taken/,
      )
    })

    test('422 for an id that the server did not choose for this organization', async () => {
      const { draft } = await listProviders(await fresh())
      const { id, proof } = draft
      await expectProblem(
        postProvider(world, { id: randomUUID(), proof }),
        422,
        /not one that this server chose/,
      )
      await expectProblem(postProvider(world, { id, proof }), 422, /not one that this server chose/)
      await expectProblem(postProvider(world, { id }), 422, /not one that this server chose/)
    })

    test('422 for an invalid field', async () => {
      const { cert, key } = LOCALHOST_CERTIFICATE
      for (const [body, field, message] of [
        [{ name: ' ' }, 'name', /empty/],
        [{ issuer: 'id.velmora.example' }, 'issuer', /address like https/],
        [{ issuer: 'ftp://id.velmora.example' }, 'issuer', /address like https/],
        [{ issuer: 'https://id.velmora.example ' }, 'issuer', /space/],
        [{ issuer: 'https://a:b@id.velmora.example' }, 'issuer', /user or a password/],
        [{ issuer: 'https://id.velmora.example/?x=1' }, 'issuer', /query/],
        [{ issuer: 'https://id.velmora.example#x' }, 'issuer', /fragment/],
        [{ issuer: 'https://<domain>/oauth2' }, 'issuer', /placeholder/],
        [{ issuer: `https://id.velmora.example/${'x'.repeat(500)}` }, 'issuer', /500/],
        [
          { issuer: 'https://id.velmora.example/.well-known/openid-configuration' },
          'issuer',
          /before \/\.well-known/,
        ],
        [{ issuer: 'http://id.velmora.example' }, 'issuer', /must begin with https/],
        [{ issuer: 'http://127.0.0.1:8080' }, 'issuer', /must begin with https/],
        [{ issuer: 'https://login.microsoftonline.com/common/v2.0' }, 'issuer', /your tenant/],
        [{ issuer: 'https://LOGIN.microsoftonline.com/Organizations/v2.0' }, 'issuer', /tenant/],
        [{ issuer: 'https://login.microsoftonline.us/consumers' }, 'issuer', /your tenant/],
        [{ clientId: '' }, 'clientId', /empty/],
        [{ clientId: 'a\nb' }, 'clientId', /control/],
        [{ clientAuthentication: 'jwt' }, 'clientAuthentication', /./],
        [{ clientAuthentication: 'none' }, 'clientSecret', /left out/],
        [{ clientSecret: undefined }, 'clientSecret', /missing/],
        [{ clientSecret: 'x\n' }, 'clientSecret', /control|space/],
        [{ domains: ['no-domain'] }, 'domains.0', /domain like/],
        [{ domains: ['other.example'] }, 'domains', /has not verified/],
        [{ joinRule: 'everyone' }, 'domains', /at least one/],
        [{ joinRule: 'groups', groupsClaim: null }, 'groupsClaim', /needed/],
        [{ emailTrust: 'provider' }, 'domains', /at least one/],
        [{ sessionHours: 0 }, 'sessionHours', /at least 1/],
        [{ sessionHours: 169 }, 'sessionHours', /at most 168/],
        [{ sessionHours: 1.5 }, 'sessionHours', /whole number/],
        [{ groupsClaim: '' }, 'groupsClaim', /empty/],
        [{ authority: 'x' }, 'authority', /certificates in PEM/],
        [{ authority: key }, 'authority', /private key/],
        [{ authority: cert.replace(/\w{20}/, 'A') }, 'authority', /invalid certificate, the 1/],
        [{ unknown: 1 }, 'unknown', /unknown/],
      ] as const) {
        const problem = await readJson<{ violations: { field: string; message: string }[] }>(
          postProvider(world, body),
          422,
        )
        const violation = problem.violations.find((one) => one.field === field)
        assert.match(violation?.message ?? JSON.stringify(problem), message, field)
      }
      assert.equal((await listProviders(world)).providers.length, 0)
      await addProvider(await fresh(), { authority: cert })
    })

    test('422 for a name or a client that another provider of the organization has', async () => {
      const own = await fresh()
      await addProvider(own)
      await expectProblem(
        postProvider(own, { name: 'VELMORA id', clientId: 'b' }),
        422,
        /name of another/,
      )
      await expectProblem(
        postProvider(own, { name: 'Other' }),
        422,
        /client of the provider "Velmora ID"/,
      )
      await addProvider(await fresh())
    })

    test('409 for the 11th provider, also with many at once in two processes', async () => {
      const own = await fresh()
      const second = newBrowser(newProduct(store()))
      second.token = own.sessions.Uo
      const answers = await Promise.all(
        Array.from({ length: 13 }, async (_, index) => {
          const named = { ...PROVIDER_FORM, name: `P${index}`, clientId: `c${index}` }
          return index % 2 === 0
            ? await postProvider(own, named)
            : await second.ask('POST', PROVIDERS_PATH, named)
        }),
      )
      const statuses = answers.map(({ status }) => status)
      assert.equal(statuses.filter((status) => status === 201).length, 10)
      assert.equal(statuses.filter((status) => status === 409).length, 3)
      await expectProblem(postProvider(own, { name: 'More', clientId: 'more' }), 409, /10 identity/)
    })
  })

  test('/ui/identity-providers › 403 for members, 404 for another organization', async () => {
    const own = await fresh()
    const { id } = await addProvider(own)
    const member = (method: string, path: string): Promise<Response> =>
      own.asPerson('Um', method, path, { body: PROVIDER_FORM })
    await expectProblem(member('GET', PROVIDERS_PATH), 403)
    await expectProblem(member('POST', PROVIDERS_PATH), 403)
    await expectProblem(member('PUT', `${PROVIDERS_PATH}/${id}`), 403)
    await expectProblem(member('DELETE', `${PROVIDERS_PATH}/${id}`), 403)
    const other = await fresh()
    await expectProblem(put(other, id, {}), 404)
    await expectProblem(remove(other, id), 404)
    assert.deepEqual((await listProviders(other)).providers, [])
  })
})
