import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import type { KeyScope } from '../../../formats/team/key-scope.ts'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { eventually } from '../../../test/eventually.ts'
import { onStore } from '../../../test/stores.ts'
import {
  newProduct,
  newWorld,
  odps,
  uniqueId,
  type Product,
  type World,
} from '../../../test/world.ts'
import { createApiKey, deleteApiKey, listApiKeys } from '../../people/api-keys/service.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { hashToken, newToken } from '../../platform/kit/token.ts'
import { endAccessOfPerson } from '../../agreements/occasion-service.ts'
import { removeMember } from '../../people/organizations/member-service.ts'
import { addMember } from '../../people/organizations/service.ts'
import type { Store } from '../../store.ts'
import { newAuthenticator } from './authenticate.ts'

const SETTINGS = '/api/organization/settings'
/** Permission changes take effect within a second in every process. */
const CHANGE_MS_MAX = 1000

/** A store whose statements are noted. */
function counting(store: Store): Store & { statements: string[] } {
  const statements: string[] = []
  const db = store.db.withPlugin({
    transformQuery({ node }) {
      statements.push(JSON.stringify(node))
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { ...store, db, statements }
}

function bytes(of: Buffer): string {
  return JSON.stringify([...of]).slice(1, -1)
}

function productAt(store: Store): (instant: string) => Product {
  return (instant) => newProduct(store, { clock: fixedClock(instant) })
}

function countingProduct(store: Store): { statements: string[]; product: Product } {
  const counted = counting(store)
  return { statements: counted.statements, product: newProduct(counted) }
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  async function newKey(
    scope: KeyScope,
    of: { team?: string; userId?: string; expiresOn?: string } = {},
  ): Promise<{ id: string; secret: string }> {
    const { db, clock } = world.services
    const { team, userId, expiresOn } = of
    const wish = { scope, team, userId, displayName: 'K', expiresOn }
    return await createApiKey(db, clock, world.organizationId, wish, 'system')
  }

  /** A member of the organization who is in no team, with a personal key. */
  async function newPerson(email = `p-${uniqueId()}@example.test`) {
    const person = { email, passwordHash: 'none', role: 'Member' as const }
    const userId = await addMember(world.services.db, world.organizationId, person)
    return { email, userId, ...(await newKey('user', { userId })) }
  }

  async function putTeam(id: string, document: object): Promise<void> {
    await readText(world.as('O', 'PUT', `/api/teams/${id}`, { body: { name: id, ...document } }))
  }

  const getStatus = async (product: Pick<World, 'call'>, key: string): Promise<number> =>
    (await product.call('GET', SETTINGS, { key })).status

  for (const [what, getHeaders] of [
    ['x-api-key', (key: string) => ({ 'x-api-key': key })],
    ['Authorization: Bearer', (key: string) => ({ authorization: `Bearer ${key}` })],
    ['bearer in small letters', (key: string) => ({ authorization: `bearer ${key}` })],
    ['both, the same', (key: string) => ({ 'x-api-key': key, authorization: `Bearer ${key}` })],
  ] as const) {
    test(`GET ${SETTINGS} › 200 with ${what}`, async () => {
      await readText(world.call('GET', SETTINGS, { headers: getHeaders(world.keys.T ?? '') }))
    })
  }

  test(`GET ${SETTINGS} › 401 with WWW-Authenticate for no, unknown or unusable credentials`, async () => {
    const { T = '', O = '' } = world.keys
    const refused: [Record<string, string>, RegExp][] = [
      [{}, /Send an API key/],
      [{ 'x-api-key': T, authorization: `Bearer ${O}` }, /different credentials/],
      [{ 'x-api-key': T, authorization: 'Basic eDp5' }, /different credentials/],
      [{ authorization: `Basic ${T}` }, /not known/],
      [{ authorization: T }, /not known/],
      [{ 'x-api-key': '' }, /not known/],
      [{ 'x-api-key': newToken('pbk_') }, /not known/],
      [{ 'x-api-key': newToken('pbs_') }, /not known/],
      [{ 'x-api-key': `${T}x` }, /not known/],
      [{ 'x-api-key': T.toLowerCase() }, /not known/],
    ]
    for (const [headers, detail] of refused) {
      const response = await world.call('GET', SETTINGS, { headers })
      assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer/)
      await expectProblem(response, 401, detail)
    }
  })

  test('an unknown path under /api › 401 without a key, 404 with one', async () => {
    await expectProblem(world.as('none', 'GET', '/api/nothing-here'), 401)
    await expectProblem(world.as('none', 'PATCH', '/api/teams/a'), 401)
    await expectProblem(world.as('Tr', 'GET', '/api/nothing-here'), 404)
  })

  test('authenticate › a wrong checksum is refused without a look-up', async () => {
    const { statements, product } = countingProduct(store())
    const secret = newToken('pbk_')
    const last = secret.endsWith('0') ? '1' : '0'
    for (const typo of [
      `${secret.slice(0, -1)}${last}`,
      'pbk_',
      secret.slice(1),
      'x'.repeat(9999),
    ]) {
      await expectProblem(product.call('GET', SETTINGS, { key: typo }), 401)
    }
    assert.equal(statements.length, 0)
    await expectProblem(product.call('GET', SETTINGS, { key: secret }), 401)
    assert.equal(statements.length, 1)
  })

  test('authenticate › requests that arrive together share one look-up, and later ones recall it', async () => {
    const { statements, product } = countingProduct(store())
    const { T } = world.keys
    const together = Array.from({ length: 20 }, () => product.call('GET', SETTINGS, { key: T }))
    for (const response of await Promise.all(together)) assert.equal(response.status, 200)
    const lookUps = statements.filter((text) => text.includes('secret_hash'))
    assert.equal(lookUps.length, 1)
  })

  test('authenticate › the key is looked up by its hash: the secret is in no statement', async () => {
    const { statements, product } = countingProduct(store())
    const key = world.keys.T ?? ''
    await readText(product.call('GET', SETTINGS, { key }))
    assert.ok(statements.some((text) => text.includes(bytes(hashToken(key)))))
    assert.ok(
      !statements.some((text) => text.includes(key) || text.includes(bytes(Buffer.from(key)))),
    )
  })

  test('user key › a role lowered, and a member removed, count within a second in another process', async () => {
    const here = newProduct(store())
    const there = newProduct(store())
    const person = await newPerson()
    const team = uniqueId()
    const write = async (product: typeof there): Promise<number> => {
      const body = odps('p', { team: { name: team }, name: uniqueId() })
      const path = `/api/dataproducts/${team}`
      const sent = { ...body, id: team }
      return (await product.call('PUT', path, { key: person.secret, body: sent })).status
    }
    await putTeam(team, { members: [{ emailAddress: person.email, role: 'Editor' }] })
    assert.equal(await write(there), 200)
    await readText(
      here.call('PUT', `/api/teams/${team}`, {
        key: world.keys.O,
        body: { name: team, members: [{ emailAddress: person.email, role: 'Member' }] },
      }),
    )
    await eventually(CHANGE_MS_MAX, async () => (await write(there)) === 403, 'the role is lowered')
    await removeMember(
      store().db,
      { organizationId: world.organizationId, userId: person.userId },
      endAccessOfPerson,
    )
    const stopped = async (): Promise<boolean> => (await getStatus(there, person.secret)) === 401
    await eventually(CHANGE_MS_MAX, stopped, 'the key of a removed member stops')
    const { api_key_count: counted } = await store()
      .db.selectFrom('organization')
      .select('api_key_count')
      .where('id', '=', world.organizationId)
      .executeTakeFirstOrThrow()
    const keys = await listApiKeys(store().db, world.services.clock, world.organizationId)
    assert.equal(counted, keys.length, 'the removed keys are counted out')
    await assert.rejects(
      removeMember(
        store().db,
        { organizationId: world.organizationId, userId: person.userId },
        endAccessOfPerson,
      ),
      {
        code: 'not_found',
      },
    )
  })

  test('user key › an owner of the organization who becomes a member loses the powers', async () => {
    const there = newProduct(store())
    const person = { email: `o-${uniqueId()}@example.test`, passwordHash: 'none' }
    const { db } = world.services
    const userId = await addMember(db, world.organizationId, { ...person, role: 'Owner' })
    const { secret: key } = await newKey('user', { userId })
    const write = async (): Promise<number> =>
      (await there.call('PUT', `/api/teams/${uniqueId()}`, { key, body: { name: 'N' } })).status
    assert.equal(await write(), 200)
    await db
      .updateTable('organization_member')
      .set({ role: 'Member' })
      .where('user_id', '=', userId)
      .execute()
    await eventually(CHANGE_MS_MAX, async () => (await write()) === 403, 'the role is lowered')
  })

  test('user key › a role that is granted counts at once, although the caller is remembered', async () => {
    const there = newProduct(store())
    const person = await newPerson()
    const team = uniqueId()
    await putTeam(team, {})
    const write = (): Promise<Response> =>
      there.call('PUT', `/api/dataproducts/${team}`, {
        key: person.secret,
        body: odps(team, { team: { name: team } }),
      })
    await expectProblem(write(), 403)
    await putTeam(team, { members: [{ emailAddress: person.email, role: 'Editor' }] })
    await readText(write())
  })

  test('user key › roles reach three levels down the tree, and follow a team that is moved', async () => {
    const person = await newPerson()
    const [top, middle, low] = [uniqueId(), uniqueId(), uniqueId()]
    await putTeam(top, { members: [{ emailAddress: person.email, role: 'Owner' }] })
    await putTeam(middle, { parent: top })
    await putTeam(low, { parent: middle })
    const write = (): Promise<Response> =>
      world.call('PUT', `/api/teams/${low}`, {
        key: person.secret,
        body: { name: low, parent: middle, description: uniqueId() },
      })
    await readText(write())
    await putTeam(middle, {})
    await expectProblem(write(), 403)
  })

  test('team key › an Owner of its team and of those below it, not of those above', async () => {
    const [top, low] = [uniqueId(), uniqueId()]
    await putTeam(top, {})
    await putTeam(low, { parent: top })
    const { secret: key } = await newKey('team', { team: top })
    const { secret: keyOfLow } = await newKey('team', { team: low })
    const body = { name: 'N', parent: top }
    await readText(world.call('PUT', `/api/teams/${low}`, { key, body }))
    await expectProblem(
      world.call('PUT', `/api/teams/${top}`, { key: keyOfLow, body: { name: 'N' } }),
      403,
      /TEAM_EDIT on team/,
    )
  })

  for (const [inTeam, ofPerson] of [
    ['anna.MUELLER@Example.Test', 'ANNA.mueller@example.TEST'],
    ['JÖRG@example.test', 'jörg@example.test'],
    ['jörg@example.test', 'JÖRG@example.test'],
  ] as const) {
    test(`user key › ${ofPerson} is the member ${inTeam}`, async () => {
      const person = await newPerson(`${uniqueId()}${ofPerson}`)
      const team = uniqueId()
      const emailAddress = person.email.replace(ofPerson, inTeam)
      await putTeam(team, { members: [{ emailAddress, role: 'Editor' }] })
      const options = { key: person.secret, body: odps(team, { team: { name: team } }) }
      await readText(world.call('PUT', `/api/dataproducts/${team}`, options))
    })
  }

  test('a deleted key stops within a second in every process, at once in the one that deleted it', async () => {
    const [here, there] = [newProduct(store()), newProduct(store())]
    const created = await readJson<{ key: string; organizationApiKeyId: string }>(
      world.as('O', 'POST', '/api/api-keys', { body: { scope: 'team', teamId: 'a' } }),
      201,
    )
    assert.equal(await getStatus(here, created.key), 200)
    assert.equal(await getStatus(there, created.key), 200)
    const path = `/api/api-keys/${created.organizationApiKeyId}`
    await readText(here.call('DELETE', path, { key: world.keys.O }), 204)
    assert.equal(await getStatus(here, created.key), 401)
    const stopped = async (): Promise<boolean> => (await getStatus(there, created.key)) === 401
    await eventually(CHANGE_MS_MAX, stopped, 'the deleted key stops')
  })

  test('a key › 200 at 23:59:59.999 UTC of its last day, 401 from 00:00:00 on, in any time zone of the store', async () => {
    const { secret: key } = await newKey('team', { team: 'a', expiresOn: '2031-03-30' })
    const at = productAt(store())
    assert.equal(await getStatus(at('2031-03-30T23:59:59.999Z'), key), 200)
    const answer = at('2031-03-31T00:00:00Z').call('GET', SETTINGS, { key })
    await expectProblem(answer, 401, /expired at the end of 2031-03-30 \(UTC\)/)
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Berlin']) {
      await store()
        .db.transaction()
        .execute(async (session) => {
          await sql`set local time zone ${sql.lit(zone)}`.execute(session)
          const authenticate = (instant: string) =>
            newAuthenticator(session, fixedClock(instant)).authenticate(key)
          await authenticate('2031-03-30T23:59:59.999Z')
          await assert.rejects(authenticate('2031-03-31T00:00:00Z'), /expired/, zone)
        })
    }
  })

  test('a key that expires is not remembered past the end of its day', async (t) => {
    const { secret: key } = await newKey('team', { team: 'a', expiresOn: '2031-03-30' })
    const { statements, db } = counting(store())
    const authenticator = newAuthenticator(db, fixedClock('2031-03-30T23:59:59.999Z'))
    await authenticator.authenticate(key)
    const laterMs = performance.now() + 2
    t.mock.method(performance, 'now', () => laterMs)
    await authenticator.authenticate(key)
    assert.equal(statements.length, 2)
  })

  test('authenticate › what was read before a change is not remembered after it', async () => {
    const { db, clock } = world.services
    const authenticator = newAuthenticator(db, clock)
    const { id, secret } = await newKey('team', { team: 'a' })
    const reading = authenticator.authenticate(secret)
    authenticator.forget()
    await reading
    await deleteApiKey(db, world.organizationId, id)
    await assert.rejects(authenticator.authenticate(secret), /not known/)
  })
})
