/** The permission matrix: every action of the API for each of nine kinds of callers. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { RECORDS } from '../formats/record/kinds.ts'
import { PLAIN_RECORDS } from '../formats/record/plain-kinds.ts'
import { api } from '../server/api.ts'
import { ORGANIZATION_DOCUMENTS } from '../server/organization-documents/kinds.ts'
import { expectProblem, readJson } from './answers.ts'
import { addIntegration } from './integrations.ts'
import { CLIENT_PERMISSIONS } from './client-permissions.ts'
import {
  ASSET,
  ASSIGNED_TAG,
  assignableTag,
  atMissing,
  atPath,
  BRANCH_RESULTS,
  changedOne,
  CONTRACT,
  draftDiff,
  existingAsset,
  existingKey,
  existingOne,
  existingResult,
  existingTeam,
  existingUsage,
  KEY,
  LINEAGE,
  movedTeam,
  newBranchResult,
  newKey,
  newLineageEvent,
  newOne,
  newResult,
  newTeam,
  newUsage,
  organizationKey,
  PRODUCT,
  RESULT,
  RESULTS,
  sameTeam,
  TEAM,
  TRACES,
  unknownTag,
  versionDiff,
  type DocumentRoom,
  type PermissionRow as Row,
  type RequestMaker,
  type Sent,
} from './permission-requests.ts'
import { hasOwner } from './records.ts'
import { listPlainRows } from './plain-record-rows.ts'
import { onStore } from './stores.ts'
import { CALLERS, newProduct, newWorld, uniqueId, type World } from './world.ts'

//                        —   Uo  Ue  Um  Ur  T   Tr  O   Or
const READ = '401 200 200 200 200 200 200 200 200'
const POSTED = '401 200 200 200 403 200 403 200 403'
const RESOURCE_OF_A = '401 200 200 403 403 200 403 200 403'
const TEAM_OF_A = '401 200 403 403 403 200 403 200 403'
const OF_B = '401 200 403 403 403 403 403 200 403'
const OWNER_READ = '401 200 403 403 403 403 403 200 200'
const MEMBERS = '/api/organization/members'
const UNKNOWN_TEAM = '401 422 422 403 403 422 403 422 403'
const UNKNOWN_TEAM_B = '401 422 403 403 403 403 403 422 403'
const NEW_WITHOUT_OWNER = '401 200 403 403 403 200 403 200 403'
const NEW_OF_A_TEAM_KEY = '401 422 422 403 403 200 403 422 403'
const UNKNOWN_OWNER = '401 400 400 403 403 400 403 400 403'
const UNKNOWN_PARENT = '401 422 403 403 403 422 403 422 403'
const UNKNOWN = '401 404 404 404 403 404 403 404 403'
const UNKNOWN_READ = '401 404 404 404 404 404 404 404 404'
const NEW_KEY = '401 403 403 403 403 403 403 201 403'
const NO_KEY = '401 403 403 403 403 403 403 422 403'
const WRONG_KEY = '401 403 403 403 403 403 403 400 403'
const KEY_OF_A = '401 204 204 403 403 204 403 204 403'
const KEY_OF_B = '401 204 403 403 403 403 403 204 403'
const NOT_A_TEAM_KEY = '401 403 403 403 403 403 403 403 403'
const SEEN_OF_B = '401 200 404 404 404 404 404 200 200'
const SEEN_WITHOUT_OWNER = '401 200 200 200 200 404 404 200 200'
const RUN_OF_A = '401 202 202 403 403 202 403 202 403'
const RUN_OF_B = '401 202 403 403 403 403 403 202 403'
const CANCEL_OF_A = '401 204 204 403 403 204 403 204 403'
const EVENT_OF_A = '401 201 201 403 403 201 403 201 403'
const EVENT_OF_B = '401 201 403 403 403 403 403 201 403'
const CANCEL_OF_B = '401 204 403 403 403 403 403 204 403'

const ROWS: readonly Row[] = [
  ...documentRows('dataproducts', PRODUCT),
  ...ownerlessRows('dataproducts', PRODUCT, NEW_OF_A_TEAM_KEY),
  row('GET', `${PRODUCT}/contracts`, 'of B', READ, existingOne('dataproducts', 'b', '/contracts')),
  row('GET', `${PRODUCT}/lineage`, 'of B', READ, existingOne('dataproducts', 'b', '/lineage')),
  row('GET', `${PRODUCT}/usage`, 'of B', READ, existingOne('dataproducts', 'b', '/usage')),

  ...CLIENT_PERMISSIONS.map((one) => row(...one)),
  ...documentRows('datacontracts', CONTRACT),
  ...ownerlessRows('datacontracts', CONTRACT, NEW_WITHOUT_OWNER),
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
    if (!hasOwner(kind)) return unownedRows(room, one)
    const statuses = kind.mayBeUnowned === true ? OF_B : UNKNOWN_TEAM
    const ownerless = row('PUT', one, 'without an owner', statuses, newOne(room, ''))
    return [...documentRows(room, one), ownerless]
  }),

  ...PLAIN_RECORDS.flatMap(listPlainRows),

  ...assetRows(),

  ...integrationRows('/api/integrations'),
  ...foreignIntegrationRows('/api/integrations/ingest'),

  row('GET', '/api/teams', 'list', READ, atPath('/api/teams')),
  row('GET', TEAM, 'B', READ, atPath('/api/teams/b')),
  row('GET', TEAM, 'an unknown id', UNKNOWN_READ, atMissing('/api/teams')),
  row('GET', `${TEAM}/versions`, 'of B', READ, atPath('/api/teams/b/versions')),
  row('GET', `${TEAM}/versions/{version}`, 'of B', READ, atPath('/api/teams/b/versions/1')),
  row('PUT', TEAM, 'a new one', OF_B, newTeam(undefined)),
  row('PUT', TEAM, 'a new one below A', TEAM_OF_A, newTeam('a')),
  row('PUT', TEAM, 'a new one below B', OF_B, newTeam('b')),
  row('PUT', TEAM, 'a new one below an unknown team', UNKNOWN_PARENT, newTeam('nobody')),
  row('PUT', TEAM, 'A itself', TEAM_OF_A, sameTeam('a')),
  row('PUT', TEAM, 'B itself', OF_B, sameTeam('b')),
  row('PUT', TEAM, 'one below A', TEAM_OF_A, movedTeam('a', 'a')),
  row('PUT', TEAM, 'from A to below B', OF_B, movedTeam('a', 'b')),
  row('PUT', TEAM, 'from B to below A', OF_B, movedTeam('b', 'a')),
  row('PUT', TEAM, 'from A to the top', OF_B, movedTeam('a', undefined)),
  row('PUT', TEAM, 'from the top to below A', OF_B, movedTeam(undefined, 'a')),
  row('DELETE', TEAM, 'one below A', TEAM_OF_A, existingTeam('a')),
  row('DELETE', TEAM, 'one below B', OF_B, existingTeam('b')),
  row('DELETE', TEAM, 'one at the top', OF_B, existingTeam(undefined)),
  row('DELETE', TEAM, 'an unknown id', UNKNOWN, atMissing('/api/teams')),

  row('GET', RESULTS, 'all', READ, atPath(RESULTS)),
  row('GET', RESULT, 'of a contract of B', READ, existingResult('b')),
  row('GET', RESULT, 'an unknown id', UNKNOWN_READ, atMissing(RESULTS)),
  row('POST', RESULTS, 'of no contract', RESOURCE_OF_A, newResult(undefined)),
  row('POST', RESULTS, 'of a contract of A', RESOURCE_OF_A, newResult('a')),
  row('POST', RESULTS, 'of a contract of B', OF_B, newResult('b')),
  row('POST', RESULTS, 'of a contract without an owner', OF_B, newResult('')),
  row('POST', BRANCH_RESULTS, 'of a contract of A', RESOURCE_OF_A, newBranchResult('a')),
  row('POST', BRANCH_RESULTS, 'of a contract of B', OF_B, newBranchResult('b')),
  row('DELETE', RESULT, 'of a contract of A', RESOURCE_OF_A, existingResult('a')),
  row('DELETE', RESULT, 'of a contract of B', OF_B, existingResult('b')),
  row('DELETE', RESULT, 'an unknown id', UNKNOWN, atMissing(RESULTS)),

  row('GET', LINEAGE, 'all events', READ, atPath(LINEAGE)),
  row('POST', LINEAGE, 'of no product', EVENT_OF_A, newLineageEvent(undefined)),
  row('POST', LINEAGE, 'of a product of A', EVENT_OF_A, newLineageEvent('a')),
  row('POST', LINEAGE, 'of a product of B', EVENT_OF_B, newLineageEvent('b')),
  row('DELETE', LINEAGE, 'the events of a run', OF_B, atPath(`${LINEAGE}?runId=unknown`)),

  row('GET', '/api/schemas/{file}', 'one', READ, atPath('/api/schemas/odcs.schema.json')),
  row('GET', '/api/search', 'what there is', READ, atPath('/api/search?query=team')),

  row('GET', '/api/events', 'the feed', READ, atPath('/api/events')),

  row('GET', TRACES, 'all spans', READ, atPath(`${TRACES}?limit=1`)),
  row('POST', TRACES, 'of a product of A', RESOURCE_OF_A, newUsage('a')),
  row('POST', TRACES, 'of a product of B', OF_B, newUsage('b')),
  row('POST', TRACES, 'of an unknown product', RESOURCE_OF_A, newUsage(undefined)),
  row('DELETE', TRACES, 'of a product of A', RESOURCE_OF_A, existingUsage('a')),
  row('DELETE', TRACES, 'of a product of B', OF_B, existingUsage('b')),
  row('DELETE', TRACES, 'of an unknown product', OF_B, existingUsage(undefined)),
  row('DELETE', TRACES, 'of the organization', OF_B, atPath(`${TRACES}?scopeName=unknown`)),

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
    row('GET', address, 'read', readers === 'any key' ? READ : OWNER_READ, atPath(address)),
    row('PUT', address, 'replace', OF_B, async () => ({ path: address, body: initial })),
  ]),
]

/** Lists the reading actions on documents, the same for every kind of them. */
function readingRows(room: DocumentRoom, one: string): Row[] {
  const list = `/api/${room}`
  const of = (owner: string, more = '') => existingOne(room, owner, more)
  return [
    row('GET', list, 'list', READ, atPath(list)),
    row('GET', one, 'of B', READ, of('b')),
    row('GET', one, 'an unknown id', UNKNOWN_READ, atMissing(list)),
    row('GET', `${one}/versions`, 'of B', READ, of('b', '/versions')),
    row('GET', `${one}/versions/{version}`, 'of B', READ, of('b', '/versions/1')),
    row('GET', `${one}/diff`, 'of B', READ, versionDiff(room, 'b')),
    row('POST', `${one}/diff`, 'a draft of B', POSTED, draftDiff(room, 'b')),
  ]
}

/** Lists the actions on documents of a kind that has no owners: only organization owners may write. */
function unownedRows(room: DocumentRoom, one: string): Row[] {
  return [
    ...readingRows(room, one),
    row('PUT', one, 'a new one', OF_B, newOne(room, '')),
    row('PUT', one, 'a dry run of a new one', OF_B, newOne(room, '', '?dryRun=true')),
    row('PUT', one, 'a change', OF_B, changedOne(room, '', '')),
    row('DELETE', one, 'an existing one', OF_B, existingOne(room, '')),
    row('DELETE', one, 'an unknown id', UNKNOWN, atMissing(`/api/${room}`)),
  ]
}

/** Lists the actions on documents that teams own, the same for every kind of them. */
function documentRows(room: DocumentRoom, one: string): Row[] {
  const list = `/api/${room}`
  const of = (owner: string, more = '') => existingOne(room, owner, more)
  return [
    ...readingRows(room, one),
    row('GET', one, 'of A', READ, of('a')),
    row('PUT', one, 'a new one of A', RESOURCE_OF_A, newOne(room, 'a')),
    row('PUT', one, 'a new one of B', OF_B, newOne(room, 'b')),
    row(
      'PUT',
      one,
      'a dry run of a new one of A',
      RESOURCE_OF_A,
      newOne(room, 'a', '?dryRun=true'),
    ),
    row('PUT', one, 'a dry run of a new one of B', OF_B, newOne(room, 'b', '?dryRun=true')),
    row('PUT', one, 'one of A', RESOURCE_OF_A, changedOne(room, 'a', 'a')),
    row('PUT', one, 'one of B', OF_B, changedOne(room, 'b', 'b')),
    row('PUT', one, 'from A to B', OF_B, changedOne(room, 'a', 'b')),
    row('PUT', one, 'from B to A', OF_B, changedOne(room, 'b', 'a')),
    row('PUT', one, 'a new one of an unknown team', UNKNOWN_TEAM, newOne(room, 'nobody')),
    row('PUT', one, 'from A to an unknown team', UNKNOWN_TEAM, changedOne(room, 'a', 'nobody')),
    row('PUT', one, 'from B to an unknown team', UNKNOWN_TEAM_B, changedOne(room, 'b', 'nobody')),
    row('DELETE', one, 'of A', RESOURCE_OF_A, of('a')),
    row('DELETE', one, 'of B', OF_B, of('b')),
    row('DELETE', one, 'an unknown id', UNKNOWN, atMissing(list)),
  ]
}

/** Lists the actions with documents that name no owner. */
function ownerlessRows(room: DocumentRoom, one: string, statuses: string): Row[] {
  return [
    row('PUT', one, 'a new one without an owner', statuses, newOne(room, '')),
    row('PUT', one, 'a new one of A by ?owner=', RESOURCE_OF_A, newOne(room, '', '?owner=a')),
    row('PUT', one, 'a new one of B by ?owner=', OF_B, newOne(room, '', '?owner=b')),
    row('PUT', one, 'one of A that names no owner', RESOURCE_OF_A, changedOne(room, 'a', '')),
    row('PUT', one, 'from A to B by ?owner=', OF_B, changedOne(room, 'a', '', '?owner=b')),
    row('PUT', one, 'from B to A by ?owner=', OF_B, changedOne(room, 'b', '', '?owner=a')),
    row(
      'PUT',
      one,
      'a new one of an unknown team by ?owner=',
      UNKNOWN_OWNER,
      newOne(room, '', '?owner=nobody'),
    ),
  ]
}

/** Lists the actions on assets, which need not have an owner; deleting a missing one succeeds. */
function assetRows(): Row[] {
  const list = '/api/assets'
  return [
    row('GET', list, 'list', READ, atPath(list)),
    row('GET', ASSET, 'of A', READ, existingAsset('a')),
    row('GET', ASSET, 'without an owner', READ, existingAsset('')),
    row('GET', ASSET, 'an unknown id', UNKNOWN_READ, atMissing(list)),
    row('GET', `${ASSET}/versions`, 'of B', READ, existingAsset('b', '/versions')),
    row('GET', `${ASSET}/versions/{version}`, 'of B', READ, existingAsset('b', '/versions/1')),
    row('GET', `${ASSET}/model`, 'of B', READ, existingAsset('b', '/model')),
    row('PUT', ASSET, 'a new one of A', RESOURCE_OF_A, newOne('assets', 'a')),
    row('PUT', ASSET, 'a new one of B', OF_B, newOne('assets', 'b')),
    row('PUT', ASSET, 'a new one without an owner', OF_B, newOne('assets', '')),
    row('PUT', ASSET, 'a dry run of a new one of B', OF_B, newOne('assets', 'b', '?dryRun=true')),
    row('PUT', ASSET, 'one of A', RESOURCE_OF_A, changedOne('assets', 'a', 'a')),
    row('PUT', ASSET, 'from A to B', OF_B, changedOne('assets', 'a', 'b')),
    row('PUT', ASSET, 'from B to A', OF_B, changedOne('assets', 'b', 'a')),
    row('PUT', ASSET, 'from A to no owner', OF_B, changedOne('assets', 'a', '')),
    row('PUT', ASSET, 'from no owner to A', OF_B, changedOne('assets', '', 'a')),
    row('PUT', ASSET, 'a new one of an unknown team', UNKNOWN_TEAM, newOne('assets', 'nobody')),
    row(
      'PUT',
      ASSET,
      'from A to an unknown team',
      UNKNOWN_TEAM,
      changedOne('assets', 'a', 'nobody'),
    ),
    row('DELETE', ASSET, 'of A', RESOURCE_OF_A, existingAsset('a')),
    row('DELETE', ASSET, 'of B', OF_B, existingAsset('b')),
    row('DELETE', ASSET, 'without an owner', OF_B, existingAsset('')),
    row('DELETE', ASSET, 'an unknown id', RESOURCE_OF_A, atMissing(list)),
    row('GET', `${ASSET}/assigned-tags`, 'of B', READ, existingAsset('b', '/assigned-tags')),
    ...['PUT', 'DELETE'].flatMap((method) => [
      row(method, ASSIGNED_TAG, 'of A', RESOURCE_OF_A, assignableTag('a')),
      row(method, ASSIGNED_TAG, 'of B', OF_B, assignableTag('b')),
      row(method, ASSIGNED_TAG, 'of no owner', OF_B, assignableTag('')),
      row(method, ASSIGNED_TAG, 'an unknown tag', UNKNOWN_TEAM, unknownTag),
      row(method, ASSIGNED_TAG, 'an unknown asset', UNKNOWN, async () => ({
        path: `${list}/${uniqueId()}/assigned-tags/x`,
      })),
    ]),
  ]
}

/** Lists the actions on integrations and their runs below one of the two addresses. */
function integrationRows(list: string): Row[] {
  const one = `${list}/{externalId}`
  const run = `${one}/runs/{ingestionRunId}`
  const of = (owner: string | null, more = '') => integrationRequest(list, owner, more)
  const reads: [string, string][] = [
    [one, ''],
    [`${one}/runs`, '/runs'],
    [`${one}/runs/latest`, '/runs/latest'],
    [run, '/runs/{run}'],
  ]
  return [
    row('GET', list, 'list', READ, atPath(list)),
    ...reads.flatMap(([route, more]) => [
      row('GET', route, 'of A', READ, of('a', more)),
      row('GET', route, 'of B', SEEN_OF_B, of('b', more)),
      row('GET', route, 'without an owner', SEEN_WITHOUT_OWNER, of(null, more)),
      row('GET', route, 'an unknown id', UNKNOWN_READ, async () => ({
        path: `${list}/${uniqueId()}${more.replace('{run}', randomUUID())}`,
      })),
    ]),
    row('POST', `${one}/run`, 'of A', RUN_OF_A, of('a', '/run')),
    row('POST', `${one}/run`, 'of B', RUN_OF_B, of('b', '/run')),
    row('POST', `${one}/run`, 'without an owner', RUN_OF_B, of(null, '/run')),
    row('POST', `${one}/cancel`, 'of A', CANCEL_OF_A, of('a', '/cancel')),
    row('POST', `${one}/cancel`, 'of B', CANCEL_OF_B, of('b', '/cancel')),
    row('POST', `${one}/cancel`, 'without an owner', CANCEL_OF_B, of(null, '/cancel')),
    ...['run', 'cancel'].map((verb) =>
      row('POST', `${one}/${verb}`, 'an unknown id', UNKNOWN, async () => ({
        path: `${list}/${uniqueId()}/${verb}`,
      })),
    ),
  ]
}

/** Lists the same actions below the other address, where every endpoint is the same. */
function foreignIntegrationRows(list: string): Row[] {
  return integrationRows(list).filter(({ action }) => action === 'list' || action === 'of B')
}

/** Creates an integration, with a run if the address needs one. */
function integrationRequest(list: string, owner: string | null, more: string): RequestMaker {
  return async (world) => {
    const path = `${list}/${await addIntegration(world, owner)}`
    if (!more.startsWith('/runs')) return { path: `${path}${more}` }
    const started = world.as('O', 'POST', `${path}/run`)
    const { ingestionRunId } = await readJson<{ ingestionRunId: string }>(started, 202)
    return { path: `${path}${more.replace('{run}', ingestionRunId)}` }
  }
}

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

  test('anything under /ui with a key › 401', async () => {
    for (const caller of CALLERS) {
      for (const [method, path] of UI_REQUESTS) {
        await expectProblem(world.as(caller, method, path, { body: {} }), 401)
      }
    }
  })
})

const UI_REQUESTS = [
  ['GET', '/ui'],
  ['GET', '/ui/session'],
  ['POST', '/ui/api-keys'],
  ['DELETE', '/ui/members/1'],
] as const

function row(
  method: string,
  path: string,
  action: string,
  statuses: string,
  request: RequestMaker,
): Row {
  return { route: `${method} ${path}`, action, statuses, request }
}
