/**
 * The permissions on the people of an organization: for unauthenticated callers, strangers, members and
 * owners.
 */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { ui } from '../server/ui.ts'
import { newSession } from './session.ts'
import { expectProblem, readText } from './answers.ts'
import { newBrowser, newMember, PASSWORD, setUpOwner, type Browser } from './people.ts'
import { onStore } from './stores.ts'
import { expectOk, newProduct, newWorld, uniqueId, type Product, type World } from './world.ts'

interface Row {
  route: string
  /**
   * The status without a session, for a stranger who names the organization, for a member, and for an
   * owner.
   */
  statuses: string
  request(place: Place): Promise<{ path?: string; body?: unknown }>
}

interface Place {
  product: Product
  owner: Browser
  organizationId: string
}

const NAMED = { name: 'N' }
const PROFILE = '401 200 200 200'
const OWNERS = '401 403 403'

const ROWS: readonly Row[] = [
  row('GET', '/ui/start', '200 200 200 200', {}),
  row('POST', '/ui/set-up', '404 404 404 404', {
    token: 'x',
    organization: 'O',
    name: 'N',
    email: 'a@b.example',
    password: PASSWORD,
  }),
  row('POST', '/ui/sign-in', '401 401 401 401', { email: 'a@b.example', password: 'x' }),
  row('GET', '/ui/sign-in/options', '200 200 200 200', undefined),
  row('POST', '/ui/sign-in/provider', '404 404 404 404', {
    providerId: '00000000-0000-7000-8000-000000000001',
    next: '/',
  }),
  row('POST', '/ui/sign-in/provider/finish', '400 400 400 400', { providerId: 'x', query: '' }),
  row('POST', '/ui/invitations/look', '404 404 404 404', { token: 'x' }),
  row('POST', '/ui/invitations/accept', '404 404 404 404', { token: 'x', password: PASSWORD }),
  row('POST', '/ui/password-reset/look', '404 404 404 404', { token: 'x' }),
  row('POST', '/ui/password-reset', '404 404 404 404', { token: 'x', password: PASSWORD }),
  row('GET', '/ui/session', PROFILE, undefined),
  row('PUT', '/ui/profile', PROFILE, NAMED),
  row('POST', '/ui/password', '401 422 422 422', {
    currentPassword: 'x',
    newPassword: PASSWORD,
  }),
  row('GET', '/ui/sessions', PROFILE, undefined),
  row('DELETE', '/ui/sessions', '401 204 204 204', {}),
  row('DELETE', '/ui/sessions/{id}', '401 404 404 404', {}),
  row('GET', '/ui/members', '401 403 200 200', undefined),
  {
    route: 'GET /ui/members/{userId}/sessions',
    statuses: `${OWNERS} 200`,
    request: async (place) => ({ path: `${(await aMember(place)).path}/sessions` }),
  },
  {
    route: 'DELETE /ui/members/{userId}/sessions/{id}',
    statuses: `${OWNERS} 404`,
    request: async (place) => ({ path: `${(await aMember(place)).path}/sessions/x` }),
  },
  {
    route: 'PUT /ui/members/{userId}',
    statuses: `${OWNERS} 200`,
    request: async (place) => ({ ...(await aMember(place)), body: { role: 'Owner' } }),
  },
  {
    route: 'DELETE /ui/members/{userId}',
    statuses: `${OWNERS} 204`,
    request: aMember,
  },
  {
    route: 'POST /ui/members/{userId}/password-reset',
    statuses: `${OWNERS} 201`,
    request: async (place) => ({ path: `${(await aMember(place)).path}/password-reset` }),
  },
  {
    route: 'GET /ui/members/{userId}/erasure',
    statuses: `${OWNERS} 200`,
    request: async (place) => ({ path: `${(await aMember(place)).path}/erasure` }),
  },
  {
    route: 'POST /ui/members/{userId}/erasure',
    statuses: `${OWNERS} 200`,
    async request({ product, organizationId }) {
      const { session, email } = await newMember(product, organizationId)
      return { path: `/ui/members/${session.user.id}/erasure`, body: { email } }
    },
  },
  row('GET', '/ui/invitations', `${OWNERS} 200`, undefined),
  {
    route: 'POST /ui/invitations',
    statuses: `${OWNERS} 201`,
    request: async () => ({ body: { email: `i-${uniqueId()}@example.test`, role: 'Member' } }),
  },
  {
    route: 'DELETE /ui/invitations/{id}',
    statuses: `${OWNERS} 204`,
    async request({ owner }) {
      const body = { email: `i-${uniqueId()}@example.test`, role: 'Member' }
      const answer = await expectOk(owner.ask('POST', '/ui/invitations', body))
      const { id } = (await answer.json()) as { id: string }
      return { path: `/ui/invitations/${id}` }
    },
  },
  row('GET', '/ui/sign-in-rule', `${OWNERS} 200`, undefined),
  row('PUT', '/ui/sign-in-rule', `${OWNERS} 200`, { rule: 'any', breakGlass: [] }),
  row('PUT', '/ui/organization', `${OWNERS} 200`, NAMED),
  row('GET', '/ui/search-synonyms', '401 403 200 200', undefined),
  row('PUT', '/ui/search-synonyms', `${OWNERS} 200`, { groups: [['wagon', 'railcar']] }),
  row('POST', '/ui/test-mail', `${OWNERS} 422`, undefined),
  row('GET', '/ui/health', `${OWNERS} 200`, undefined),
  row('POST', '/ui/organizations', `${OWNERS} 201`, NAMED),
  row('POST', '/ui/sign-out', '401 200 200 200', {}),
  row('POST', '/ui/sign-out-everywhere', '401 204 204 204', {}),
]

const PEOPLE =
  /^\/ui\/(start|set-up|sign-|session|profile|password|members|invitations|organization|search-synonyms|test-mail|health)/

function row(method: string, path: string, statuses: string, body: unknown): Row {
  return { route: `${method} ${path}`, statuses, request: async () => ({ body }) }
}

async function aMember({ product, organizationId }: Place): Promise<{ path: string }> {
  const { session } = await newMember(product, organizationId)
  return { path: `/ui/members/${session.user.id}` }
}

test('every address for people has a row', () => {
  const routes = ui
    .filter(({ path }) => PEOPLE.test(path))
    .map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual(ROWS.map(({ route }) => route).toSorted(), routes.toSorted())
})

onStore((store) => {
  let place: Place
  let other: World
  before(async () => {
    const product = newProduct(store())
    const { browser: owner, session } = await setUpOwner(product)
    place = { product, owner, organizationId: session.organization?.id ?? '' }
    other = await newWorld(product)
  })

  for (const { route, statuses, request } of ROWS) {
    test(`${route} › ${statuses} without a session, for a stranger, a member, an owner`, async () => {
      const [method = '', pattern = ''] = route.split(' ')
      const { product, organizationId } = place
      const stranger = newBrowser(product)
      const { db, clock } = product.services
      stranger.token = await newSession(db, clock, other.userIds.Uo)
      const { browser: member } = await newMember(product, organizationId)
      const { browser: anOwner } = await newMember(product, organizationId, 'Owner')
      const answered: string[] = []
      for (const browser of [newBrowser(product), stranger, member, anOwner]) {
        browser.organization = organizationId
        const { path = pattern, body } = await request(place)
        answered.push(String((await browser.ask(method, path, body)).status))
      }
      assert.equal(answered.join(' '), statuses)
    })
  }

  test('resources of another organization › look like missing ones, and stay unchanged', async () => {
    const theirs = await newWorld(place.product)
    const ask: Browser['ask'] = (method, path, body) =>
      theirs.asPerson('Uo', method, path, { body })
    const { path: invitation = '' } = await getInvitation({
      ...place,
      owner: { ...place.owner, ask },
    })
    const member = `/ui/members/${theirs.userIds.Um}`
    const everything = async (): Promise<string> =>
      (await readText(ask('GET', '/ui/members'))) + (await readText(ask('GET', '/ui/invitations')))
    const before = await everything()
    const { owner } = place
    const unknown = randomUUID()
    for (const [method, path, body] of [
      ['PUT', member, { role: 'Owner' }],
      ['DELETE', member, undefined],
      ['POST', `${member}/password-reset`, undefined],
      ['GET', `${member}/erasure`, undefined],
      ['POST', `${member}/erasure`, { email: 'x@example.test' }],
      ['DELETE', invitation, undefined],
    ] as const) {
      const seen = await expectProblem(owner.ask(method, path, body), 404)
      const unseen = path.replace(/(?<=\/(members|invitations)\/)[^/]+/, unknown)
      const nothing = await expectProblem(owner.ask(method, unseen, body), 404)
      assert.deepEqual({ ...seen, instance: '' }, { ...nothing, instance: '' })
    }
    for (const path of ['/ui/members', '/ui/invitations']) {
      const text = await readText(owner.ask('GET', path))
      for (const id of Object.values(theirs.userIds)) assert.ok(!text.includes(id))
      assert.ok(!text.includes(invitation.split('/').at(-1) ?? ''))
    }
    assert.equal(await everything(), before)
  })

  async function getInvitation(of: Place): Promise<{ path?: string }> {
    const row = ROWS.find(({ route }) => route === 'DELETE /ui/invitations/{id}')
    return (await row?.request(of)) ?? {}
  }
})
