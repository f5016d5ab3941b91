/** The permission matrix: every action of the API for each of nine kinds of callers. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { RECORDS } from '../formats/record/kinds.ts'
import { PLAIN_RECORDS } from '../formats/record/plain-kinds.ts'
import { api } from '../server/api.ts'
import type { Route } from '../server/http/endpoint.ts'
import { ORGANIZATION_DOCUMENTS } from '../server/organization-documents/kinds.ts'
import { ui } from '../server/ui.ts'
import { expectProblem, readJson } from './answers.ts'
import { listAgreementRows, listPortAccessRows } from './permissions/agreements.ts'
import { listAssetRows } from './permissions/assets.ts'
import { CLIENT_ROWS } from './permissions/clients.ts'
import { fillPath, OWNED_RESOURCES } from './permissions/existence.ts'
import { listDocumentRows, listOwnerlessRows, listUnownedRows } from './permissions/documents.ts'
import { listForeignIntegrationRows, listIntegrationRows } from './permissions/integrations.ts'
import { listPlainRows } from './permissions/plain-records.ts'
import { REPORT_ROWS } from './permissions/reports.ts'
import {
  CONTRACT,
  KEY,
  PRODUCT,
  atMissing,
  atPath,
  changedOne,
  existingKey,
  existingOne,
  existingSeal,
  newKey,
  newOne,
  organizationKey,
  type PermissionRow,
  type Sent,
} from './permissions/requests.ts'
import { row } from './permissions/row.ts'
import {
  KEY_OF_A,
  KEY_OF_B,
  NEW_KEY,
  NEW_OF_A_TEAM_KEY,
  NEW_WITHOUT_OWNER,
  NOT_A_TEAM_KEY,
  NO_KEY,
  OF_B,
  ORGANIZATION_KEY_READ,
  OWNER_READ,
  READ,
  UNKNOWN,
  UNKNOWN_READ,
  UNKNOWN_TEAM,
  WRONG_KEY,
} from './permissions/statuses.ts'
import { TEAM_ROWS } from './permissions/teams.ts'
import { WEBHOOK_ROWS } from './permissions/webhooks.ts'
import { hasOwner } from './records.ts'
import { onStore } from './stores.ts'
import { CALLERS, newProduct, newWorld, type World } from './world.ts'

const MEMBERS = '/api/organization/members'

const STATUSES_OF_READERS = {
  'any key': READ,
  'an organization key or a session': ORGANIZATION_KEY_READ,
  'an owner of the organization': OWNER_READ,
} as const

const ROWS: readonly PermissionRow[] = [
  ...listDocumentRows('dataproducts', PRODUCT),
  ...listOwnerlessRows('dataproducts', PRODUCT, NEW_OF_A_TEAM_KEY),
  row('GET', `${PRODUCT}/contracts`, 'of B', READ, existingOne('dataproducts', 'b', '/contracts')),
  row('GET', `${PRODUCT}/lineage`, 'of B', READ, existingOne('dataproducts', 'b', '/lineage')),
  row('GET', `${PRODUCT}/usage`, 'of B', READ, existingOne('dataproducts', 'b', '/usage')),

  ...CLIENT_ROWS,
  ...listDocumentRows('datacontracts', CONTRACT),
  ...listOwnerlessRows('datacontracts', CONTRACT, NEW_WITHOUT_OWNER),
  ...['model', 'ports', 'datacontract.yaml'].map((part) =>
    row('GET', `${CONTRACT}/${part}`, 'of B', READ, existingOne('datacontracts', 'b', `/${part}`)),
  ),
  row(
    'GET',
    `${CONTRACT}/export`,
    'of B',
    READ,
    existingOne('datacontracts', 'b', '/export?format=odcs'),
  ),

  row('GET', CONTRACT, 'without an owner', READ, existingOne('datacontracts', '')),
  row('PUT', CONTRACT, 'one without an owner', OF_B, changedOne('datacontracts', '', '')),
  row('PUT', CONTRACT, 'from no owner to A', OF_B, changedOne('datacontracts', '', 'a')),
  row(
    'PUT',
    CONTRACT,
    'from no owner to A by ?owner=',
    OF_B,
    changedOne('datacontracts', '', '', '?owner=a'),
  ),
  row('DELETE', CONTRACT, 'without an owner', OF_B, existingOne('datacontracts', '')),

  ...RECORDS.flatMap((kind) => {
    const { collection } = kind
    const [room, one] = [collection.slice('/api/'.length), `${collection}/{id}`]
    if (!hasOwner(kind)) return listUnownedRows(room, one)
    const statuses = kind.mayBeUnowned === true ? OF_B : UNKNOWN_TEAM
    const ownerless = row('PUT', one, 'without an owner', statuses, newOne(room, ''))
    return [...listDocumentRows(room, one), ownerless]
  }),

  ...PLAIN_RECORDS.flatMap(listPlainRows),

  ...listAssetRows(),

  ...listIntegrationRows('/api/integrations'),
  ...listForeignIntegrationRows('/api/integrations/ingest'),

  ...TEAM_ROWS,

  ...REPORT_ROWS,

  ...WEBHOOK_ROWS,

  ...listPortAccessRows(),
  ...listAgreementRows('/api/access'),
  ...listAgreementRows('/api/datausageagreements'),

  row('GET', '/api/search', 'what there is', READ, atPath('/api/search?query=team')),

  row('GET', '/api/events', 'the feed', READ, atPath('/api/events')),
  row('GET', '/api/activity', 'the entries', READ, atPath('/api/activity')),
  row('GET', '/api/activity', 'an export', READ, atPath('/api/activity?format=csv')),
  row('GET', '/api/activity/seal', 'a seal', READ, existingSeal()),

  row('POST', '/api/api-keys', 'scope team of A', NEW_KEY, newKey({ scope: 'team' })),
  row('POST', '/api/api-keys', 'scope team_read of A', NEW_KEY, newKey({ scope: 'team_read' })),
  row('POST', '/api/api-keys', 'of an unknown team', NO_KEY, newKey({ teamId: 'nobody' })),
  row('POST', '/api/api-keys', 'scope organization', WRONG_KEY, newKey({ scope: 'organization' })),
  row('DELETE', KEY, 'of A', KEY_OF_A, existingKey('a')),
  row('DELETE', KEY, 'of B', KEY_OF_B, existingKey('b')),
  row('DELETE', KEY, 'an unknown id', UNKNOWN, async () => ({
    path: `/api/api-keys/${randomUUID()}`,
  })),
  row('DELETE', KEY, 'not of a team', NOT_A_TEAM_KEY, organizationKey),

  row('GET', '/api/organization/settings', 'read', READ, atPath('/api/organization/settings')),
  row('GET', MEMBERS, 'list', READ, atPath(MEMBERS)),
  row('GET', `${MEMBERS}/{email}`, 'an owner', READ, async (world) => {
    const [member] = await readJson<{ emailAddress: string }[]>(world.as('O', 'GET', MEMBERS))
    return { path: `${MEMBERS}/${member?.emailAddress ?? ''}` }
  }),
  row('GET', `${MEMBERS}/{email}`, 'an unknown address', UNKNOWN_READ, atMissing(MEMBERS)),
  ...ORGANIZATION_DOCUMENTS.flatMap(({ address, readers, initial }) => [
    row('GET', address, 'read', STATUSES_OF_READERS[readers], atPath(address)),
    row('PUT', address, 'replace', OF_B, async () => ({ path: address, body: initial })),
  ]),
]

test('every route of the API has rows in the matrix', () => {
  const routes = api.map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual([...new Set(ROWS.map(({ route }) => route))].toSorted(), routes.toSorted())
})

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  for (const { route, action, statuses, request } of ROWS) {
    test(`${route} › ${action} › ${statuses}`, async () => {
      const [method = ''] = route.split(' ')
      const statusesByCaller: string[] = []
      let sent: Sent | undefined
      for (const caller of CALLERS) {
        sent ??= await request(world)
        const response = await world.as(caller, method, sent.path, { body: sent.body })
        statusesByCaller.push(`${caller} ${response.status}`)
        // A rejected or read-only request leaves its resource for the next caller.
        if (response.ok && method !== 'GET') sent = undefined
      }
      const expected = statuses.split(' ').map((status, at) => `${CALLERS[at]} ${status}`)
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
    for (const caller of CALLERS) {
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
