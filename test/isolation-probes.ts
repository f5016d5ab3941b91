/** The requests that name a resource of another organization, and these resources. */

import { randomUUID } from 'node:crypto'
import { RECORDS } from '../formats/record/kinds.ts'
import type { PlainRecordKind } from '../formats/record/plain-record-kind.ts'
import type { RecordKind } from '../formats/record/record-kind.ts'
import { DEFAULT_ROLES } from '../server/requests/access/permission.ts'
import { addMember } from '../server/people/organizations/service.ts'
import { readJson } from './answers.ts'
import { newDirectory } from './directory.ts'
import { addForeignDrift, listDriftProbes } from './drift.ts'
import { eventsSoFar } from './feed.ts'
import { addIncident } from './incidents.ts'
import { needsRoom } from './isolation-rooms.ts'
import { addIntegration } from './integrations.ts'
import {
  addKey,
  ASSET,
  BRANCH_RESULTS,
  buildDocument,
  buildLineageEvent,
  buildResult,
  CONTRACT,
  LINEAGE,
  PRODUCT,
  RESULTS,
  TEAM,
  TRACES,
  type Sent,
} from './permissions/requests.ts'
import { addPlainRecord, buildPlainRecord, findPlainKind } from './plain-records.ts'
import { buildRecord, findRecordKind, toRecordId } from './records.ts'
import { addSpans, newSpan, toTraces } from './usage.ts'
import { expectOk, odcs, odps, uniqueId } from './world.ts'
import type { CallOptions, World } from './world.ts'

/** A text of the other organization that no answer may have. */
export const CANARY = 'canary-of-another-organization'

// Settings of the other organization; each is at an address without an id.
export const CANARY_SETTINGS: readonly { address: string; document: object }[] = [
  { address: '/api/organization/features', document: { customScript: CANARY } },
  {
    address: '/api/settings/team-roles',
    document: {
      mode: 'custom-team-roles',
      'team-roles': [...DEFAULT_ROLES, CANARY].map((name) => ({ name, permissions: [] })),
    },
  },
  { address: '/api/settings/customization', document: { dataContract: { note: CANARY } } },
  {
    address: '/api/settings/scim-mapping',
    document: { scimGroupDefaults: { defaultTeamMemberRole: CANARY } },
  },
  { address: '/api/settings/email-templates', document: { templates: { [CANARY]: {} } } },
]

/** The collections of documents that the other organization has. */
export const ROOMS = [
  'dataproducts',
  'datacontracts',
  'assets',
  ...RECORDS.map(({ collection }) => collection.slice('/api/'.length)),
]

/** The names of another organization's resources, or names that do not exist. */
export interface Names {
  id: string
  keyId: string
  eventId: string
  email: string
}

/** Makes a request that names the resources of another organization. */
export type RequestOf = (names: Names) => Sent

function fillPath(route: string, { id, keyId, email }: Names): string {
  return route
    .replace('{id}', id)
    .replace('{externalId}', id)
    .replace('{channelId}', id)
    .replace('{email}', email)
    .replace('{version}', '1')
    .replace('{branch}', 'b')
    .replace('{tagId}', id)
    .replace('{organizationApiKeyId}', keyId)
    .replace('{ingestionRunId}', keyId)
}

/** Lists the requests of a route that can name a resource of another organization. */
export function listProbes(method: string, route: string): RequestOf[] {
  const at =
    (more = ''): RequestOf =>
    (names) => ({
      path: `${fillPath(route, names)}${more}`,
    })
  const sending =
    (toBody: (names: Names) => unknown): RequestOf =>
    (names) => ({
      path: at()(names).path,
      body: toBody(names),
    })
  // People and groups have ids of the server.
  const sendingToKey =
    (toBody: (names: Names) => unknown): RequestOf =>
    (names) => ({ path: route.replace('{id}', names.keyId), body: toBody(names) })
  const plain = findPlainKind(route)
  if (plain !== undefined) return listPlainProbes(plain, method, at)
  const record = findRecordKind(route)
  if (record !== undefined) return listRecordProbes(record, `${method} ${route}`, at)
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
    case `POST ${CONTRACT}/generate`:
      return [sending(() => ({ type: 'sql-select' })), sending(() => ({ type: 'custom' }))]
    case `POST ${CONTRACT}/drift/proposal`:
      return [sending(() => ({})), sending(({ keyId }) => ({ findings: [keyId] }))]
    case `GET ${CONTRACT}/export`:
      return [at('?format=odcs')]
    case `PUT ${TEAM}`:
      return [
        sending(() => ({ name: 'T' })),
        ({ id }) => ({ path: `/api/teams/below-${id}`, body: { name: 'T', parent: id } }),
      ]
    case `GET ${RESULTS}`:
      return [
        at(),
        at(`?server=${CANARY}`),
        ({ id }) => ({ path: `${route}?dataContractId=${id}` }),
      ]
    case 'GET /api/trust':
      return [
        at(),
        ({ id }) => ({
          path: `${route}?dataProductId=${id}&outputPortId=out&dataContractId=${id}`,
        }),
      ]
    case `POST ${RESULTS}`:
      return [
        sending(({ id }) => buildResult(id, id)),
        sending(({ id }) => buildResult('own', id)),
        sending(({ id }) => buildResult(id, 'own')),
      ]
    case `POST ${BRANCH_RESULTS}`:
      return [sending(({ id }) => ({ id })), sending(({ id }) => buildResult(id, 'own'))]
    case `GET ${LINEAGE}`:
      return [
        at(),
        at(`?jobName=${CANARY}`),
        ({ id }) => ({ path: `${route}?dataProductId=${id}` }),
      ]
    case `POST ${LINEAGE}`:
      return [
        ({ id }) => ({ path: `${route}?dataProductId=${id}`, body: buildLineageEvent('own') }),
      ]
    case `DELETE ${LINEAGE}`:
      return [at(`?runId=${CANARY}`), at(`?jobNamespace=tests&jobName=${CANARY}`)]
    case `POST ${TRACES}`:
      return [sending(({ id }) => toTraces(id, [newSpan({})]))]
    case `GET ${TRACES}`:
    case `DELETE ${TRACES}`:
      return [
        at(`?scopeName=${CANARY}`),
        ({ id }) => ({ path: `${route}?dataProductId=${id}` }),
        ({ id }) => ({ path: `${route}?dataContractId=${id}` }),
      ]
    case 'GET /api/scim/v2/Users':
    case 'GET /api/scim/v2/Groups':
      return [
        at(`?filter=${encodeURIComponent(`displayName eq "${CANARY}"`)}`),
        ({ keyId }) => ({ path: `${route}?filter=${encodeURIComponent(`id eq "${keyId}"`)}` }),
      ]
    case 'POST /api/scim/v2/Users':
      return [sending(({ email }) => ({ userName: email }))]
    case 'POST /api/scim/v2/Groups':
      return [sending(({ id, keyId }) => ({ displayName: id, members: [{ value: keyId }] }))]
    case 'PUT /api/scim/v2/Users/{id}':
      return [sendingToKey(({ email }) => ({ userName: email }))]
    case 'PUT /api/scim/v2/Groups/{id}':
      return [sendingToKey(({ id }) => ({ displayName: id }))]
    case 'PATCH /api/scim/v2/Users/{id}':
    case 'PATCH /api/scim/v2/Groups/{id}':
      return [sendingToKey(() => ({ Operations: [] }))]
    case 'GET /api/scim/v2/Users/{id}':
    case 'GET /api/scim/v2/Groups/{id}':
    case 'DELETE /api/scim/v2/Users/{id}':
    case 'DELETE /api/scim/v2/Groups/{id}':
      return [({ keyId }) => ({ path: route.replace('{id}', keyId) })]
    case 'POST /api/api-keys':
      return [sending(({ id }) => ({ scope: 'team', teamId: id }))]
    default:
      return listDriftProbes(method, route) ?? [at()]
  }
}

function listPlainProbes(
  kind: PlainRecordKind,
  method: string,
  at: (more?: string) => RequestOf,
): RequestOf[] {
  // Records with ids of the server are named by them.
  const named: RequestOf = (names) =>
    at()(kind.id === 'of the server' ? { ...names, id: names.keyId } : names)
  if (method === 'GET' && kind.holder.by === 'product') {
    return [named, (names) => at(`?dataProductId=${names.id}`)(names)]
  }
  if (method === 'GET' || method === 'DELETE') return [named]
  return [(names) => ({ ...named(names), body: buildPlainRecord(kind, names.id, names.id) })]
}

function listRecordProbes(
  record: RecordKind,
  endpoint: string,
  at: (more?: string) => RequestOf,
): RequestOf[] {
  const { collection } = record
  const sending =
    (toOwner: (id: string) => string): RequestOf =>
    (names) => ({
      path: at()(names).path,
      body: buildRecord(record, names.id, { owner: toOwner(names.id), name: 'X' }),
    })
  switch (endpoint) {
    case `GET ${collection}`:
      return [at(), at(`?q=${CANARY}`), ({ id }) => ({ path: `${collection}?teamId=${id}` })]
    case `GET ${collection}/{id}`:
      return [at(), at('?asOf=9999-12-31T00:00:00Z')]
    case `PUT ${collection}/{id}`:
      return [sending(() => 'a'), sending((id) => id)]
    case `POST ${collection}/{id}/diff`:
      return [sending(() => 'a')]
    default:
      return [at()]
  }
}

/** Creates, in another organization, a team with a member and a key, and a product of that team. */
export async function addForeignResources(other: World, route: string): Promise<Names> {
  const id = newForeignId(route)
  const email = `${CANARY}-${id}@example.test`
  const members = [{ emailAddress: email, role: 'Owner' }]
  const team: CallOptions = { body: { name: CANARY, members } }
  await expectOk(other.as('O', 'PUT', `/api/teams/${id}`, team))
  if (route.startsWith('/api/organization/members')) {
    const person = { email, name: CANARY, passwordHash: 'none', role: 'Member' as const }
    await addMember(other.services.db, other.organizationId, person)
  }
  for (const { address, document } of CANARY_SETTINGS) {
    if (route === address) await expectOk(other.as('O', 'PUT', address, { body: document }))
  }
  for (const room of ROOMS) {
    if (!needsRoom(route, room)) continue
    const body = buildDocument(room, id, id, CANARY)
    await expectOk(other.as('O', 'PUT', `/api/${room}/${id}`, { body }))
  }
  if (/test-results|checks|incidents/.test(route) || route === '/api/trust') {
    const body = buildResult(id, id, CANARY)
    await expectOk(other.as('O', 'POST', RESULTS, { body }))
  }
  if (route === LINEAGE) {
    const event = { body: buildLineageEvent(CANARY) }
    await expectOk(other.as('O', 'POST', `${LINEAGE}?dataProductId=${id}`, event))
  }
  const plain = findPlainKind(route)
  if (route === TRACES || route.endsWith('/usage')) {
    await addSpans(other, id, [newSpan({ user: CANARY })], { scope: CANARY, contract: id })
  }
  const keyId = route.includes('api-keys')
    ? await addKey(other, id)
    : route.includes('/scim/')
      ? await addProvisioned(other, route, { id, email })
      : plain === undefined
        ? await addForeignRun(other, route, id)
        : await addPlainRecord(other, plain, { id, team: id, more: { description: CANARY } })
  const eventId = route === '/api/events' ? ((await eventsSoFar(other))[0]?.id ?? '') : randomUUID()
  return { id, keyId, eventId, email }
}

/** Creates a person or a group by the directory of an organization, and returns the id. */
async function addProvisioned(
  { keys, ...other }: World,
  route: string,
  { id, email }: { id: string; email: string },
): Promise<string> {
  const directory = await newDirectory(other, keys.O)
  const isGroup = route.includes('/Groups')
  const resource = isGroup
    ? await directory.createGroup([], { displayName: `${CANARY} ${id}` })
    : await directory.createUser({ userName: email, displayName: CANARY })
  return resource.id
}

/**
 * Creates, for the addresses of integrations, an integration of a team with the same id, and a run with the
 * given id.
 */
async function addForeignRun(other: World, route: string, id: string): Promise<string> {
  if (route.includes('/incidents')) return await addIncident(other, id, CANARY)
  if (/drift|links/.test(route)) return await addForeignDrift(other, id, CANARY)
  if (!route.startsWith('/api/integrations')) return randomUUID()
  await addIntegration(other, id, { externalId: id, name: CANARY })
  const started = other.as('O', 'POST', `/api/integrations/${id}/run`)
  return (await readJson<{ ingestionRunId: string }>(started, 202)).ingestionRunId
}

function newForeignId(route: string): string {
  const record = findRecordKind(route)
  const id = `theirs-${uniqueId()}`
  return record === undefined ? id : toRecordId(record, id)
}

/** Returns names like others, of resources that do not exist anywhere. */
export function toMissingNames(names: Names): Names {
  const id = names.id.startsWith('theirs-') ? `theirs-${uniqueId()}` : randomUUID()
  const email = names.email.replace(names.id, id)
  return { id, keyId: randomUUID(), eventId: randomUUID(), email }
}
