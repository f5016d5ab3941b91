/**
 * Rules for every endpoint of the pages: requests without a session or with an API key are rejected, and no
 * page of another site can change anything in a person's name.
 */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { ui } from '../server/ui.ts'
import { newToken } from '../server/platform/kit/token.ts'
import { expectProblem, readJson, readText } from './answers.ts'
import { invite, newPerson, PASSWORD, setUpOwner, tokenIn } from './people.ts'
import type { Browser } from './people.ts'
import { serveRaw, type RawServer } from './raw-http.ts'
import { onStore } from './stores.ts'
import { newProduct, newWorld, uniqueId, withSession, type World } from './world.ts'
import type { Session } from '../server/people/organizations/signed-in.ts'

const OWN = { 'sec-fetch-site': 'same-origin' }
const ORIGIN = 'http://portbook.test'

/** Requests of a browser for a page of another site, and of clients that are not browsers. */
const FORGED: readonly [string, Record<string, string>][] = [
  ['no proof of its origin', {}],
  ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
  [
    'Sec-Fetch-Site: cross-site, and our Origin',
    { 'sec-fetch-site': 'cross-site', origin: ORIGIN },
  ],
  ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site' }],
  ['Sec-Fetch-Site: none', { 'sec-fetch-site': 'none' }],
  ['another Origin', { origin: 'https://evil.test' }],
  ['the Origin null', { origin: 'null' }],
  ['an empty Origin', { origin: '' }],
  ['an Origin that begins like ours', { origin: `${ORIGIN}.evil.test` }],
  ['our Origin with another port', { origin: `${ORIGIN}:8443` }],
  ['only a Referer', { referer: `${ORIGIN}/` }],
  ['a form', { ...OWN, 'content-type': 'application/x-www-form-urlencoded' }],
  ['a form with files', { ...OWN, 'content-type': 'multipart/form-data; boundary=x' }],
  ['plain text', { ...OWN, 'content-type': 'text/plain' }],
  ['plain text with a JSON parameter', { ...OWN, 'content-type': 'text/plain; application/json' }],
  ['no media type', { ...OWN, 'content-type': '' }],
]

function filled(path: string): string {
  return path.replaceAll(/\{\w+\}/g, randomUUID())
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  for (const { method, path, described } of ui) {
    const isOpen = described.permission === 'public'
    const isSafe = method === 'GET'

    test(`${method} ${path} › 401 with a key, ${isOpen ? 'and needs no session' : 'and without a session'}`, async () => {
      const call = (headers: Record<string, string>): Promise<Response> =>
        world.call(method, filled(path), { body: {}, headers: { ...OWN, ...headers } })
      const key = world.keys.O ?? ''
      const session = withSession(world.sessions.Uo)
      await expectProblem(call({ 'x-api-key': key }), 401, /API keys are not accepted here/)
      await expectProblem(call({ authorization: `Bearer ${world.keys.Uo}` }), 401)
      await expectProblem(call({ ...session, 'x-api-key': key }), 401)
      await expectProblem(call({ ...session, authorization: 'Basic eDp5' }), 401)
      if (isOpen) {
        assert.notEqual((await call({})).status, 401)
        return
      }
      await expectProblem(call({}), 401, /Sign in/)
      for (const token of ['', 'x', newToken('pbc_'), newToken('pbk_'), key]) {
        await expectProblem(call(withSession(token)), 401)
      }
    })

    if (isSafe) {
      test(`${method} ${path} › is not cached and not readable by other origins`, async () => {
        const headers = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
        const answer = await world.asPerson('Uo', method, filled(path), { headers })
        assert.equal(answer.headers.get('access-control-allow-origin'), null)
        assert.equal(answer.headers.get('set-cookie'), null)
        if (answer.ok) assert.equal(answer.headers.get('cache-control'), 'no-store')
      })
      continue
    }

    test(`${method} ${path} › 403 for requests that do not come from our own pages`, async () => {
      for (const [what, forged] of FORGED) {
        const { cookie = '' } = withSession(world.sessions.Uo)
        const body = forged['content-type']?.includes('form') === true ? 'name=x' : '{"name":"x"}'
        const sent = { body, headers: { cookie, ...forged } }
        const answer = await world.call(method, filled(path), sent)
        const problem = await expectProblem(answer, 403, /own pages|Content-Type/)
        assert.equal(answer.headers.get('set-cookie'), null, what)
        assert.equal(problem.violations, undefined)
      }
    })
  }

  test('PUT /ui/profile › a forged request changes nothing', async () => {
    const before = await readText(world.asPerson('Um', 'GET', '/ui/session'))
    for (const [, forged] of FORGED) {
      const { cookie = '' } = withSession(world.sessions.Um)
      const sent = { body: { name: 'Evil' }, headers: { cookie, ...forged } }
      await expectProblem(world.call('PUT', '/ui/profile', sent), 403)
    }
    assert.equal(await readText(world.asPerson('Um', 'GET', '/ui/session')), before)
    await readText(world.asPerson('Um', 'PUT', '/ui/profile', { body: { name: 'Mine' } }))
  })

  test('GET /ui/session › an unknown organization or an invalid id › the first organization', async () => {
    const own = await readJson<Session>(world.asPerson('Um', 'GET', '/ui/session'))
    assert.equal(own.organization?.id, world.organizationId)
    assert.deepEqual(
      own.teams.map(({ id, roles, permissions }) => ({ id, roles, permissions })),
      [
        {
          id: 'a',
          roles: ['Member'],
          permissions: [
            'DATAPRODUCT_CHANGE_REQUEST_SUBMIT',
            'DATACONTRACT_CHANGE_REQUEST_SUBMIT',
            'ASSET_CHANGE_REQUEST_SUBMIT',
            'MANAGED_TAG_CHANGE_REQUEST_SUBMIT',
            'ACCESS_REQUEST',
          ],
        },
      ],
    )
    for (const named of [randomUUID(), '', 'x', `${world.organizationId}x`]) {
      const headers = { 'portbook-organization': named }
      const answer = world.asPerson('Um', 'GET', '/ui/session', { headers })
      assert.deepEqual(await readJson(answer), own)
    }
  })

  describe('over HTTP', () => {
    let owner: Browser
    let session: Session
    const servers: RawServer[] = []
    before(async () => {
      await store().pool.query('truncate organization, user_account, setup_link cascade')
      ;({ browser: owner, session } = await setUpOwner(newProduct(store())))
      // Two servers that share only the database.
      for (let count = 0; count < 2; count += 1) {
        servers.push(await serveRaw(await newWorld(newProduct(store()))))
      }
    })
    after(async () => {
      for (const server of servers) await server.close()
    })

    /** Sends a request to one of the two servers like a browser. */
    async function send(
      server: number,
      path: string,
      { token, body, method = 'POST' }: { token?: string; body?: unknown; method?: string } = {},
    ): Promise<Response> {
      const { url = '' } = servers[server] ?? {}
      return await fetch(`${url}${path}`, {
        method,
        headers: {
          origin: new URL(url).origin,
          'content-type': 'application/json',
          ...(token === undefined ? {} : { cookie: `__Host-portbook-session=${token}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    }
    const signIn = async (server: number, email: string, password = PASSWORD): Promise<string> => {
      const answer = await send(server, '/ui/sign-in', { body: { email, password } })
      assert.equal(answer.status, 200, await answer.text())
      return tokenIn(answer.headers.get('set-cookie') ?? '') ?? ''
    }
    const statuses = async (token: string): Promise<number[]> =>
      await Promise.all(
        servers.map(async (_, server) => {
          return (await send(server, '/ui/session', { token, method: 'GET' })).status
        }),
      )

    test('a session › works on both servers, and ends on both at sign-out', async () => {
      const token = await signIn(0, session.user.email)
      assert.deepEqual(await statuses(token), [200, 200])
      const answer = await send(1, '/ui/sign-out', { token })
      assert.equal(answer.status, 200)
      assert.equal(tokenIn(answer.headers.get('set-cookie') ?? ''), undefined)
      assert.deepEqual(await statuses(token), [401, 401])
    })

    test('a replayed cookie › 401 on both servers after a password change, and after removal', async () => {
      const product = newProduct(store())
      const person = await newPerson(product, owner)
      const stolen = await signIn(1, person.email)
      const token = await signIn(0, person.email)
      const newPassword = `another long one ${uniqueId()}`
      const body = { currentPassword: PASSWORD, newPassword }
      const changed = await send(0, '/ui/password', { token, body })
      assert.equal(changed.status, 204)
      for (const replayed of [stolen, token]) assert.deepEqual(await statuses(replayed), [401, 401])
      const kept = tokenIn(changed.headers.get('set-cookie') ?? '') ?? ''
      assert.deepEqual(await statuses(kept), [200, 200])
      const other = await signIn(1, person.email, newPassword)
      await readText(owner.ask('DELETE', `/ui/members/${person.session.user.id}`), 204)
      for (const replayed of [kept, other]) assert.deepEqual(await statuses(replayed), [401, 401])
    })

    test('sign-out-everywhere › ends the sessions on both servers', async () => {
      const { email } = await newPerson(newProduct(store()), owner)
      const tokens = [await signIn(0, email), await signIn(1, email)]
      const answer = await send(0, '/ui/sign-out-everywhere', { token: tokens[1] ?? '' })
      assert.equal(answer.status, 204)
      for (const token of tokens) assert.deepEqual(await statuses(token), [401, 401])
    })

    test('failed attempts on two servers › are counted together', async () => {
      const { email } = await newPerson(newProduct(store()), owner)
      const guess = async (server: number): Promise<number> =>
        (await send(server, '/ui/sign-in', { body: { email, password: 'wrong' } })).status
      const answers: number[] = []
      for (let count = 0; count < 5; count += 1) answers.push(await guess(count % 2))
      assert.deepEqual(answers, [401, 401, 401, 401, 401])
      // The next attempt is allowed after a second, and these two need only a part of it.
      assert.ok((await Promise.all([guess(0), guess(1)])).includes(429))
    })

    test('an invitation › is accepted on only one of two servers at the same time', async () => {
      const token = await invite(owner, `i-${uniqueId()}@example.test`)
      const body = { token, name: 'N', password: PASSWORD }
      const answers = await Promise.all(
        [0, 1].map(async (server) => {
          return (await send(server, '/ui/invitations/accept', { body })).status
        }),
      )
      assert.equal(answers.filter((status) => status === 200).length, 1, String(answers))
    })
  })
})
