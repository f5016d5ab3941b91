/**
 * The permission matrix: every action of the API for each of nine kinds of callers, and the same for
 * another organization, whose resources must not be visible, counted, changed or hinted at.
 */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { api } from '../server/api.ts'
import { expectProblem, readJson } from './answers.ts'
import { eventsSoFar } from './feed.ts'
import { addIntegration } from './integrations.ts'
import { onStore } from './stores.ts'
import { CALLERS, expectOk, newProduct, newWorld, odcs, odps, uniqueId } from './world.ts'
import type { CallerName, CallOptions, World } from './world.ts'

interface Row {
  /** The route as in the endpoint table. */
  route: string
  action: string
  /** The status for each caller, in the order of CALLERS. */
  statuses: string
  /** Creates the resources for the action, and returns the request. */
  request(world: World): Promise<Sent>
}

interface Sent {
  path: string
  body?: unknown
}

//                        —   Uo  Ue  Um  Ur  T   Tr  O   Or
const READ = '401 200 200 200 200 200 200 200 200'
const POSTED = '401 200 200 200 403 200 403 200 403'
const RESOURCE_OF_A = '401 200 200 403 403 200 403 200 403'
const TEAM_OF_A = '401 200 403 403 403 200 403 200 403'
const OF_B = '401 200 403 403 403 403 403 200 403'
const UNKNOWN_TEAM = '401 422 422 403 403 422 403 422 403'
const UNKNOWN_TEAM_B = '401 422 403 403 403 403 403 422 403'
const NEW_WITHOUT_OWNER = '401 200 403 403 403 200 403 200 403'
const PRODUCT_WITHOUT_OWNER = '401 422 422 403 403 200 403 422 403'
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
const CANCEL_OF_B = '401 204 403 403 403 403 403 204 403'

const PRODUCT = '/api/dataproducts/{id}'
const CONTRACT = '/api/datacontracts/{id}'
const ASSET = '/api/assets/{id}'
const TEAM = '/api/teams/{id}'
const KEY = '/api/api-keys/{organizationApiKeyId}'

const ROWS: readonly Row[] = [
  ...rowsOf('dataproducts', PRODUCT),
  row('GET', `${PRODUCT}/contracts`, 'of B', READ, existing('dataproducts', 'b', '/contracts')),
  row('GET', `${PRODUCT}/lineage`, 'of B', READ, existing('dataproducts', 'b', '/lineage')),

  ...rowsOf('datacontracts', CONTRACT),
  ...['model', 'ports', 'datacontract.yaml'].map((part) =>
    row('GET', `${CONTRACT}/${part}`, 'of B', READ, existing('datacontracts', 'b', `/${part}`)),
  ),
  row(
    'GET',
    `${CONTRACT}/export`,
    'of B',
    READ,
    existing('datacontracts', 'b', '/export?format=odcs'),
  ),

  row('GET', CONTRACT, 'without an owner', READ, existing('datacontracts', '')),
  row('PUT', CONTRACT, 'a new one without an owner', NEW_WITHOUT_OWNER, anew('datacontracts', '')),
  row('PUT', CONTRACT, 'one without an owner', OF_B, changed('datacontracts', '', '')),
  row('PUT', CONTRACT, 'from no owner to A', OF_B, changed('datacontracts', '', 'a')),
  row(
    'PUT',
    CONTRACT,
    'from no owner to A by ?owner=',
    OF_B,
    changed('datacontracts', '', '', '?owner=a'),
  ),
  row('DELETE', CONTRACT, 'without an owner', OF_B, existing('datacontracts', '')),
  row(
    'PUT',
    PRODUCT,
    'a new one without an owner',
    PRODUCT_WITHOUT_OWNER,
    anew('dataproducts', ''),
  ),

  ...assetRows(),

  ...integrationRows('/api/integrations'),
  ...integrationRowsOfB('/api/integrations/ingest'),

  row('GET', '/api/teams', 'list', READ, fixed('/api/teams')),
  row('GET', TEAM, 'B', READ, fixed('/api/teams/b')),
  row('GET', TEAM, 'an unknown id', UNKNOWN_READ, unknown('/api/teams')),
  row('GET', `${TEAM}/versions`, 'of B', READ, fixed('/api/teams/b/versions')),
  row('GET', `${TEAM}/versions/{version}`, 'of B', READ, fixed('/api/teams/b/versions/1')),
  row('PUT', TEAM, 'a new one', OF_B, newTeam(undefined)),
  row('PUT', TEAM, 'a new one below A', TEAM_OF_A, newTeam('a')),
  row('PUT', TEAM, 'a new one below B', OF_B, newTeam('b')),
  row('PUT', TEAM, 'a new one below an unknown team', UNKNOWN_PARENT, newTeam('nobody')),
  row('PUT', TEAM, 'A itself', TEAM_OF_A, teamItself('a')),
  row('PUT', TEAM, 'B itself', OF_B, teamItself('b')),
  row('PUT', TEAM, 'one below A', TEAM_OF_A, moved('a', 'a')),
  row('PUT', TEAM, 'from A to below B', OF_B, moved('a', 'b')),
  row('PUT', TEAM, 'from B to below A', OF_B, moved('b', 'a')),
  row('PUT', TEAM, 'from A to the top', OF_B, moved('a', undefined)),
  row('PUT', TEAM, 'from the top to below A', OF_B, moved(undefined, 'a')),
  row('DELETE', TEAM, 'one below A', TEAM_OF_A, team('a')),
  row('DELETE', TEAM, 'one below B', OF_B, team('b')),
  row('DELETE', TEAM, 'one at the top', OF_B, team(undefined)),
  row('DELETE', TEAM, 'an unknown id', UNKNOWN, unknown('/api/teams')),

  row('GET', '/api/search', 'what there is', READ, fixed('/api/search?query=team')),

  row('GET', '/api/events', 'the feed', READ, fixed('/api/events')),

  row('POST', '/api/api-keys', 'scope team of A', NEW_KEY, newKey({ scope: 'team' })),
  row('POST', '/api/api-keys', 'scope team_read of A', NEW_KEY, newKey({ scope: 'team_read' })),
  row('POST', '/api/api-keys', 'of an unknown team', NO_KEY, newKey({ teamId: 'nobody' })),
  row('POST', '/api/api-keys', 'scope organization', WRONG_KEY, newKey({ scope: 'organization' })),
  row('DELETE', KEY, 'of A', KEY_OF_A, key('a')),
  row('DELETE', KEY, 'of B', KEY_OF_B, key('b')),
  row('DELETE', KEY, 'an unknown id', UNKNOWN, async () => ({
    path: `/api/api-keys/${randomUUID()}`,
  })),
  row('DELETE', KEY, 'not of a team', NOT_A_TEAM_KEY, organizationKey),

  row('GET', '/api/organization/settings', 'read', READ, fixed('/api/organization/settings')),
]

type DocumentRoom = 'dataproducts' | 'datacontracts' | 'assets'

/** Lists the actions on documents, the same for every kind of them. */
function rowsOf(room: DocumentRoom, one: string): Row[] {
  const list = `/api/${room}`
  const of = (owner: string, more = '') => existing(room, owner, more)
  return [
    row('GET', list, 'list', READ, fixed(list)),
    row('GET', one, 'of A', READ, of('a')),
    row('GET', one, 'of B', READ, of('b')),
    row('GET', one, 'an unknown id', UNKNOWN_READ, unknown(list)),
    row('GET', `${one}/versions`, 'of B', READ, of('b', '/versions')),
    row('GET', `${one}/versions/{version}`, 'of B', READ, of('b', '/versions/1')),
    row('GET', `${one}/diff`, 'of B', READ, twoVersions(room, 'b')),
    row('POST', `${one}/diff`, 'a draft of B', POSTED, draft(room, 'b')),
    row('PUT', one, 'a new one of A', RESOURCE_OF_A, anew(room, 'a')),
    row('PUT', one, 'a new one of B', OF_B, anew(room, 'b')),
    row('PUT', one, 'a dry run of a new one of A', RESOURCE_OF_A, anew(room, 'a', '?dryRun=true')),
    row('PUT', one, 'a dry run of a new one of B', OF_B, anew(room, 'b', '?dryRun=true')),
    row('PUT', one, 'one of A', RESOURCE_OF_A, changed(room, 'a', 'a')),
    row('PUT', one, 'one of B', OF_B, changed(room, 'b', 'b')),
    row('PUT', one, 'from A to B', OF_B, changed(room, 'a', 'b')),
    row('PUT', one, 'from B to A', OF_B, changed(room, 'b', 'a')),
    row('PUT', one, 'a new one of an unknown team', UNKNOWN_TEAM, anew(room, 'nobody')),
    row('PUT', one, 'from A to an unknown team', UNKNOWN_TEAM, changed(room, 'a', 'nobody')),
    row('PUT', one, 'from B to an unknown team', UNKNOWN_TEAM_B, changed(room, 'b', 'nobody')),
    row('PUT', one, 'a new one of A by ?owner=', RESOURCE_OF_A, anew(room, '', '?owner=a')),
    row('PUT', one, 'a new one of B by ?owner=', OF_B, anew(room, '', '?owner=b')),
    row('PUT', one, 'one of A that names no owner', RESOURCE_OF_A, changed(room, 'a', '')),
    row('PUT', one, 'from A to B by ?owner=', OF_B, changed(room, 'a', '', '?owner=b')),
    row('PUT', one, 'from B to A by ?owner=', OF_B, changed(room, 'b', '', '?owner=a')),
    row(
      'PUT',
      one,
      'a new one of an unknown team by ?owner=',
      UNKNOWN_OWNER,
      anew(room, '', '?owner=nobody'),
    ),
    row('DELETE', one, 'of A', RESOURCE_OF_A, of('a')),
    row('DELETE', one, 'of B', OF_B, of('b')),
    row('DELETE', one, 'an unknown id', UNKNOWN, unknown(list)),
  ]
}

/** Lists the actions on assets, which need not have an owner; deleting a missing one succeeds. */
function assetRows(): Row[] {
  const list = '/api/assets'
  return [
    row('GET', list, 'list', READ, fixed(list)),
    row('GET', ASSET, 'of A', READ, assetOf('a')),
    row('GET', ASSET, 'without an owner', READ, assetOf('')),
    row('GET', ASSET, 'an unknown id', UNKNOWN_READ, unknown(list)),
    row('GET', `${ASSET}/versions`, 'of B', READ, assetOf('b', '/versions')),
    row('GET', `${ASSET}/versions/{version}`, 'of B', READ, assetOf('b', '/versions/1')),
    row('GET', `${ASSET}/model`, 'of B', READ, assetOf('b', '/model')),
    row('PUT', ASSET, 'a new one of A', RESOURCE_OF_A, anew('assets', 'a')),
    row('PUT', ASSET, 'a new one of B', OF_B, anew('assets', 'b')),
    row('PUT', ASSET, 'a new one without an owner', OF_B, anew('assets', '')),
    row('PUT', ASSET, 'a dry run of a new one of B', OF_B, anew('assets', 'b', '?dryRun=true')),
    row('PUT', ASSET, 'one of A', RESOURCE_OF_A, changed('assets', 'a', 'a')),
    row('PUT', ASSET, 'from A to B', OF_B, changed('assets', 'a', 'b')),
    row('PUT', ASSET, 'from B to A', OF_B, changed('assets', 'b', 'a')),
    row('PUT', ASSET, 'from A to no owner', OF_B, changed('assets', 'a', '')),
    row('PUT', ASSET, 'from no owner to A', OF_B, changed('assets', '', 'a')),
    row('PUT', ASSET, 'a new one of an unknown team', UNKNOWN_TEAM, anew('assets', 'nobody')),
    row('PUT', ASSET, 'from A to an unknown team', UNKNOWN_TEAM, changed('assets', 'a', 'nobody')),
    row('DELETE', ASSET, 'of A', RESOURCE_OF_A, assetOf('a')),
    row('DELETE', ASSET, 'of B', OF_B, assetOf('b')),
    row('DELETE', ASSET, 'without an owner', OF_B, assetOf('')),
    row('DELETE', ASSET, 'an unknown id', RESOURCE_OF_A, unknown(list)),
  ]
}

/** Lists the actions on integrations and their runs below one of the two addresses. */
function integrationRows(list: string): Row[] {
  const one = `${list}/{externalId}`
  const run = `${one}/runs/{ingestionRunId}`
  const of = (owner: string | null, more = '') => integrationOf(list, owner, more)
  const reads: [string, string][] = [
    [one, ''],
    [`${one}/runs`, '/runs'],
    [`${one}/runs/latest`, '/runs/latest'],
    [run, '/runs/{run}'],
  ]
  return [
    row('GET', list, 'list', READ, fixed(list)),
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
function integrationRowsOfB(list: string): Row[] {
  return integrationRows(list).filter(({ action }) => action === 'list' || action === 'of B')
}

/** Creates an integration, with a run if the address needs one. */
function integrationOf(list: string, owner: string | null, more: string): Row['request'] {
  return async (world) => {
    const path = `${list}/${await addIntegration(world, owner)}`
    if (!more.startsWith('/runs')) return { path: `${path}${more}` }
    const asked = world.as('O', 'POST', `${path}/run`)
    const { ingestionRunId } = await readJson<{ ingestionRunId: string }>(asked, 202)
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
      const answered: string[] = []
      let made: Sent | undefined
      for (const caller of CALLERS) {
        made ??= await request(world)
        const response = await world.as(caller, method, made.path, { body: made.body })
        answered.push(`${caller} ${response.status}`)
        // A rejected or read-only request leaves its resource for the next caller.
        if (response.ok && method !== 'GET') made = undefined
      }
      const expected = statuses.split(' ').map((status, at) => `${CALLERS[at]} ${status}`)
      assert.deepEqual(answered, expected)
    })
  }

  test('anything under /ui with a key › 401', async () => {
    for (const caller of CALLERS) {
      for (const [method, path] of UI_REQUESTS) {
        await expectProblem(world.as(caller, method, path, { body: {} }), 401)
      }
    }
  })

  for (const { method, path: route } of api) {
    test(`${method} ${route} › resources of another organization look like missing ones`, async () => {
      const other = await newWorld(world)
      // Callers that can only read get the same response as all others; callers that can write leave the
      // resource unchanged.
      const read = method === 'GET' ? await foreignTo(other, route) : undefined
      const probes: [CallerName, RequestOf, Names][] = []
      for (const caller of CALLERS) {
        for (const requestOf of probesOf(method, route)) {
          probes.push([caller, requestOf, read ?? (await foreignTo(other, route))])
        }
      }
      // Everything in the feed from now on is a result of the following requests.
      await eventsSoFar(other)
      const before = await snapshot(other)
      for (const [caller, requestOf, theirs] of probes) {
        const seen = await ask(world, caller, method, requestOf, theirs)
        const unseen = await ask(world, caller, method, requestOf, unknownLike(theirs))
        assert.deepEqual(seen, unseen, `${caller} ${requestOf(theirs).path}`)
        assert.ok(!seen.text.includes(CANARY), `${caller} sees it: ${seen.text}`)
      }
      assert.deepEqual(await snapshot(other), before)
    })
  }
})

const UI_REQUESTS = [
  ['GET', '/ui'],
  ['GET', '/ui/session'],
  ['POST', '/ui/api-keys'],
  ['DELETE', '/ui/members/1'],
] as const

const CANARY = 'canary-of-another-organization'

/** The names of another organization's resources, or names that do not exist. */
interface Names {
  id: string
  keyId: string
  eventId: string
  email: string
}

type RequestOf = (names: Names) => Sent

function filled(route: string, id: string, keyId: string): string {
  return route
    .replace('{id}', id)
    .replace('{externalId}', id)
    .replace('{version}', '1')
    .replace('{organizationApiKeyId}', keyId)
    .replace('{ingestionRunId}', keyId)
}

/** Lists the requests of a route that can name a resource of another organization. */
function probesOf(method: string, route: string): RequestOf[] {
  const at =
    (more = ''): RequestOf =>
    ({ id, keyId }) => ({
      path: `${filled(route, id, keyId)}${more}`,
    })
  const sending =
    (bodyOf: (names: Names) => unknown): RequestOf =>
    (names) => ({
      path: at()(names).path,
      body: bodyOf(names),
    })
  switch (`${method} ${route}`) {
    case 'GET /api/dataproducts':
    case 'GET /api/datacontracts':
      return [at(), at(`?q=${CANARY}`), ({ id }) => ({ path: `${route}?teamId=${id}` })]
    case 'GET /api/assets':
      return [at(), at(`?q=${CANARY}`), ({ id }) => ({ path: `${route}?owner=${id}` })]
    case 'GET /api/integrations':
    case 'GET /api/integrations/ingest':
      return [at(), at('?p=0'), ({ id }) => ({ path: `${route}?owningTeamExternalId=${id}` })]
    case 'GET /api/teams':
      return [at(), ({ email }) => ({ path: `${route}?email=${email}` })]
    case 'GET /api/events':
      return [
        at(),
        at('?include=document'),
        ({ eventId }) => ({ path: `${route}?lastEventId=${eventId}` }),
      ]
    case `GET ${PRODUCT}`:
    case `GET ${CONTRACT}`:
    case `GET ${TEAM}`:
      return [at(), at('?asOf=9999-12-31T00:00:00Z')]
    case `PUT ${PRODUCT}`:
      return [sending(({ id }) => odps(id)), sending(({ id }) => odps(id, { team: { name: id } }))]
    case `PUT ${CONTRACT}`:
      return [sending(({ id }) => odcs(id)), sending(({ id }) => odcs(id, { team: { name: id } }))]
    case `PUT ${ASSET}`:
      return [
        sending(() => ({ info: { name: 'X' } })),
        sending(({ id }) => ({ info: { name: 'X', owner: id } })),
      ]
    case `POST ${PRODUCT}/diff`:
      return [sending(({ id }) => odps(id))]
    case `POST ${CONTRACT}/diff`:
      return [sending(({ id }) => odcs(id))]
    case `GET ${CONTRACT}/export`:
      return [at('?format=odcs')]
    case `PUT ${TEAM}`:
      return [
        sending(() => ({ name: 'T' })),
        ({ id }) => ({ path: `/api/teams/below-${id}`, body: { name: 'T', parent: id } }),
      ]
    case 'POST /api/api-keys':
      return [sending(({ id }) => ({ scope: 'team', teamId: id }))]
    default:
      return [at()]
  }
}

/** Creates, in another organization, a team with a member and a key, and a product of that team. */
async function foreignTo(other: World, route: string): Promise<Names> {
  const id = `theirs-${uniqueId()}`
  const email = `${CANARY}-${id}@example.test`
  const members = [{ emailAddress: email, role: 'Owner' }]
  const asked: CallOptions = { body: { name: CANARY, members } }
  await expectOk(other.as('O', 'PUT', `/api/teams/${id}`, asked))
  for (const room of ['dataproducts', 'datacontracts', 'assets'] as const) {
    if (!route.includes(room)) continue
    const body = documentOf(room, id, id, CANARY)
    await expectOk(other.as('O', 'PUT', `/api/${room}/${id}`, { body }))
  }
  const keyId = route.includes('api-keys')
    ? await addKey(other, id)
    : await foreignRun(other, route, id)
  const eventId = route === '/api/events' ? ((await eventsSoFar(other))[0]?.id ?? '') : randomUUID()
  return { id, keyId, eventId, email }
}

/**
 * Creates, for the addresses of integrations, an integration of a team with the same id, and a run with the
 * given id.
 */
async function foreignRun(other: World, route: string, id: string): Promise<string> {
  if (!route.startsWith('/api/integrations')) return randomUUID()
  await addIntegration(other, id, { externalId: id, name: CANARY })
  const asked = other.as('O', 'POST', `/api/integrations/${id}/run`)
  return (await readJson<{ ingestionRunId: string }>(asked, 202)).ingestionRunId
}

function unknownLike(theirs: Names): Names {
  const id = `theirs-${uniqueId()}`
  const email = theirs.email.replace(theirs.id, id)
  return { id, keyId: randomUUID(), eventId: randomUUID(), email }
}

/**
 * Returns a response without the parts that may differ between two names that the caller cannot resolve.
 */
async function ask(
  world: World,
  caller: CallerName,
  method: string,
  requestOf: RequestOf,
  names: Names,
): Promise<{ status: number; headers: string[]; text: string }> {
  const { path, body } = requestOf(names)
  const response = await world.as(caller, method, path, { body })
  const text = (await response.text())
    .replaceAll(names.id, '<id>')
    .replaceAll(names.keyId, '<key>')
    .replaceAll(names.eventId, '<event>')
    .replaceAll(names.email, '<email>')
  const headers = [...response.headers.keys()].toSorted()
  // Lists of the caller's own organization grow at the same time and are not compared.
  const isOwn = method === 'GET' && response.status === 200 && !/<id>|<key>|<email>/.test(text)
  return { status: response.status, headers, text: isOwn && text !== '[]' ? '<own>' : text }
}

/** Returns everything that an organization can see of itself, and the number of its keys. */
async function snapshot(of: World): Promise<unknown> {
  const lists = ['/api/dataproducts', '/api/datacontracts', '/api/assets', '/api/teams']
  const paths = [...lists, '/api/integrations/ingest', '/api/events?include=document']
  const answers = paths.map(async (path) => await (await of.as('O', 'GET', path)).text())
  const counted = of.services.db
    .selectFrom('organization')
    .select('api_key_count')
    .where('id', '=', of.organizationId)
    .executeTakeFirstOrThrow()
  return [await Promise.all(answers), await counted]
}

function row(
  method: string,
  path: string,
  action: string,
  statuses: string,
  request: Row['request'],
): Row {
  return { route: `${method} ${path}`, action, statuses, request }
}

function fixed(path: string): Row['request'] {
  return async () => ({ path })
}

function unknown(path: string): Row['request'] {
  return async () => ({ path: `${path}/${uniqueId()}` })
}

function existing(room: DocumentRoom, owner: string, more = ''): Row['request'] {
  return async (world) => ({ path: `${await addDocument(world, room, owner)}${more}` })
}

function assetOf(owner: string, more = ''): Row['request'] {
  return existing('assets', owner, more)
}

function anew(room: DocumentRoom, owner: string, more = ''): Row['request'] {
  return async () => {
    const id = uniqueId()
    return { path: `/api/${room}/${id}${more}`, body: documentOf(room, id, owner) }
  }
}

function changed(room: DocumentRoom, from: string, to: string, query = ''): Row['request'] {
  return async (world) => {
    const path = await addDocument(world, room, from)
    return { path: `${path}${query}`, body: documentOf(room, idIn(path), to, 'Changed') }
  }
}

function draft(room: DocumentRoom, owner: string): Row['request'] {
  return async (world) => {
    const path = await addDocument(world, room, owner)
    return { path: `${path}/diff`, body: documentOf(room, idIn(path), owner, 'Changed') }
  }
}

function twoVersions(room: DocumentRoom, owner: string): Row['request'] {
  return async (world) => {
    const path = await addDocument(world, room, owner)
    const body = documentOf(room, idIn(path), owner, 'Changed')
    await expectOk(world.as('O', 'PUT', path, { body }))
    return { path: `${path}/diff` }
  }
}

async function addDocument(world: World, room: DocumentRoom, owner: string): Promise<string> {
  const id = uniqueId()
  const path = `/api/${room}/${id}`
  await expectOk(world.as('O', 'PUT', path, { body: documentOf(room, id, owner) }))
  return path
}

function documentOf(room: DocumentRoom, id: string, owner: string, name = 'Document'): object {
  // An empty owner means no owner.
  if (room === 'assets') return { id, info: owner === '' ? { name } : { name, owner } }
  return (room === 'dataproducts' ? odps : odcs)(id, { name, team: { name: owner } })
}

function idIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function newTeam(parent: string | undefined): Row['request'] {
  return async () => ({ path: `/api/teams/${uniqueId()}`, body: { name: 'New', parent } })
}

function team(parent: string | undefined): Row['request'] {
  return async (world) => ({ path: await addTeam(world, parent) })
}

function moved(from: string | undefined, to: string | undefined): Row['request'] {
  return async (world) => ({
    path: await addTeam(world, from),
    body: { name: 'Moved', parent: to },
  })
}

// Each PUT changes the team and keeps its members, because otherwise the callers would lose their roles.
function teamItself(id: string): Row['request'] {
  return async (world) => {
    const path = `/api/teams/${id}`
    const document = await readJson<object>(world.as('O', 'GET', path))
    return { path, body: { ...document, description: uniqueId() } }
  }
}

async function addTeam(world: World, parent: string | undefined): Promise<string> {
  const path = `/api/teams/${uniqueId()}`
  await expectOk(world.as('O', 'PUT', path, { body: { name: 'Team', parent } }))
  return path
}

function newKey(body: { scope?: string; teamId?: string }): Row['request'] {
  return async () => ({
    path: '/api/api-keys',
    body: { scope: 'team', teamId: 'a', displayName: 'K', ...body },
  })
}

function key(teamId: string): Row['request'] {
  return async (world) => {
    return { path: `/api/api-keys/${await addKey(world, teamId)}` }
  }
}

async function addKey(world: World, teamId: string): Promise<string> {
  const body = { scope: 'team', teamId }
  const { organizationApiKeyId } = await readJson<{ organizationApiKeyId: string }>(
    world.as('O', 'POST', '/api/api-keys', { body }),
    201,
  )
  return organizationApiKeyId
}

async function organizationKey(world: World): Promise<Sent> {
  const { caller } = await readJson<{ caller: { organizationApiKeyId: string } }>(
    world.as('O', 'GET', '/api/organization/settings'),
  )
  return { path: `/api/api-keys/${caller.organizationApiKeyId}` }
}
