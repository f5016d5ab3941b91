/** The permission matrix: every action of the API for each kind of callers. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { api } from '../server/api.ts'
import { DIRECTORY_PATH } from '../server/requests/access/directory-caller.ts'
import type { Route } from '../server/requests/http/endpoint.ts'
import { ui } from '../server/ui.ts'
import { expectProblem } from './answers.ts'
import { fillPath, OWNED_RESOURCES } from './permissions/existence.ts'
import { IDENTITY_CALLERS, newIdentityCallers } from './identity-callers.ts'
import { toLimitedStatus } from './permissions/limited.ts'
import { KEY, type Sent } from './permissions/requests.ts'
import { ROWS } from './permissions/rows.ts'
import { ORGANIZATION_KEY_READ } from './permissions/statuses.ts'
import { onStore } from './stores.ts'
import { ALL_CALLERS, CALLERS, newProduct, newWorld, type World } from './world.ts'

test('every route of the API has rows in the matrix', () => {
  const routes = api.map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual([...new Set(ROWS.map(({ route }) => route))].toSorted(), routes.toSorted())
})

onStore((store) => {
  let world: World
  let identityCallers: Awaited<ReturnType<typeof newIdentityCallers>>
  before(async () => {
    world = await newWorld(newProduct(store()))
    identityCallers = await newIdentityCallers(world)
  })

  for (const { route, action, statuses, request } of ROWS) {
    test(`${route} › ${action} › ${statuses}`, async () => {
      const [method = ''] = route.split(' ')
      const statusesByCaller: string[] = []
      let sent: Sent | undefined
      for (const caller of [...ALL_CALLERS, ...IDENTITY_CALLERS] as const) {
        sent ??= await request(world)
        const { path, body } = sent
        const response =
          caller === 'session of a provider' || caller === 'key of a directory'
            ? await identityCallers[caller](method, path, { body })
            : await world.as(caller, method, path, { body })
        statusesByCaller.push(`${caller} ${response.status}`)
        // A rejected or read-only request leaves its resource for the next caller.
        if (response.ok && method !== 'GET') sent = undefined
      }
      const listed = statuses.split(' ')
      const limited = toLimitedStatus(route, listed[CALLERS.indexOf('T')])
      const isOfDirectory = route.includes(DIRECTORY_PATH)
      const isForSessions = statuses === ORGANIZATION_KEY_READ && !isOfDirectory
      const person = isForSessions ? '200' : listed[CALLERS.indexOf('Ue')]
      const directory = isOfDirectory ? listed[CALLERS.indexOf('O')] : '403'
      const names = [...ALL_CALLERS, ...IDENTITY_CALLERS]
      const expected = [...listed, limited, person, directory].map(
        (status, at) => `${names[at]} ${status}`,
      )
      assert.deepEqual(statusesByCaller, expected)
    })
  }

  for (const resource of OWNED_RESOURCES) {
    const { routes, shown = routes, create, mayBeUnowned } = resource
    for (const owner of mayBeUnowned === true ? ['b', null] : ['b']) {
      test(`${routes} of ${owner ?? 'no team'} › exists for every verb or for none`, async () => {
        const parameters = await create(world, owner)
        for (const caller of HIDING_CALLERS) {
          const isUi = routes.startsWith('/ui/')
          if (isUi && caller === 'T') continue
          const ask = (method: string, path: string): Promise<Response> => {
            const body = method === 'GET' ? {} : { body: {} }
            const isPerson = path.startsWith('/ui/') && caller !== 'T'
            return isPerson
              ? world.asPerson(caller, method, path, body)
              : world.as(caller, method, path, body)
          }
          const { status: seen } = await ask('GET', fillPath(shown, parameters))
          assert.ok(seen === 200 || seen === 404, `GET ${shown} as ${caller}: ${seen}`)
          for (const { method, path, described } of listResourceRoutes(routes)) {
            const { status }: Response = await ask(method, fillPath(path, parameters))
            const isLimited = typeof described.permission === 'object'
            const what: string = `${method} ${path} as ${caller} is ${status}, GET is ${seen}`
            if (seen === 404) assert.equal(status, 404, what)
            else if (isLimited) assert.equal(status, 403, what)
            else assert.notEqual(status, 403, what)
          }
        }
      })
    }
  }

  test('anything under /ui with a key › 401', async () => {
    for (const caller of ALL_CALLERS) {
      for (const [method, path] of UI_REQUESTS) {
        await expectProblem(world.as(caller, method, path, { body: {} }), 401)
      }
    }
  })
})

/** Callers who may not change what team B or no team owns. */
const HIDING_CALLERS = ['Ue', 'Um', 'T'] as const

// Personal actions, whose permission is that of the person, not of a team.
const PERSONAL = /\/(?:star|request-access)$/

/** Lists the routes on one resource that a more special resource does not have. */
function listResourceRoutes(routes: string): Route[] {
  return [...api, ...ui].filter(
    ({ method, path }) =>
      method !== 'GET' &&
      !PERSONAL.test(path) &&
      isOfResource(path, routes) &&
      !OWNED_RESOURCES.some(
        (other) => other.routes.length > routes.length && isOfResource(path, other.routes),
      ),
  )
}

function isOfResource(path: string, routes: string): boolean {
  return path === routes || path.startsWith(routes.endsWith('/') ? routes : `${routes}/`)
}

test('every route that changes something of a team is a route of an owned resource', () => {
  const missing = [...api, ...ui].filter(
    ({ method, path, described: { permission } }) =>
      method !== 'GET' &&
      path.includes('{') &&
      typeof permission === 'object' &&
      !OWNED_RESOURCES.some(({ routes }) => isOfResource(path, routes)),
  )
  assert.deepEqual(
    missing.map(({ method, path }) => `${method} ${path}`),
    // Costs and keys are read in lists only.
    ['DELETE /api/costs/{id}', `DELETE ${KEY}`],
  )
})

const UI_REQUESTS = [
  ['GET', '/ui'],
  ['GET', '/ui/session'],
  ['POST', '/ui/api-keys'],
  ['DELETE', '/ui/members/1'],
] as const
