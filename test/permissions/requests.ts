/** Requests for tests of permissions; each first creates the resources that it needs. */

import { sealActivity } from '../../server/ledger/activity/seal-service.ts'
import { readJson } from '../answers.ts'
import { addSpans, newSpan, toTraces } from '../usage.ts'
import { buildRecord, findRecordKind, toRecordId } from '../records.ts'
import { expectOk, odcs, odps, uniqueId, type World } from '../world.ts'

/** A request without its method. */
export interface Sent {
  path: string
  body?: unknown
}

/** Creates the resources for a request, and returns it. */
export type RequestMaker = (world: World) => Promise<Sent>

/** A row of the permission matrix. */
export interface PermissionRow {
  /** The route as in the endpoint table. */
  route: string
  action: string
  /** The status for each caller, in the order of CALLERS. */
  statuses: string
  /** Creates the resources for the action, and returns the request. */
  request: RequestMaker
}

/** The segment of a path with documents: `dataproducts`, `datacontracts`, `assets`, or that of a kind of record. */
export type DocumentRoom = string

/** Paths of the endpoint table. */
export const PRODUCT = '/api/dataproducts/{id}'
export const CONTRACT = '/api/datacontracts/{id}'
export const ASSET = '/api/assets/{id}'
export const ASSIGNED_TAG = '/api/assets/{id}/assigned-tags/{tagId}'
export const TEAM = '/api/teams/{id}'
export const TRACES = '/api/v1/traces'
export const KEY = '/api/api-keys/{organizationApiKeyId}'
export const LINEAGE = '/api/v1/lineage'
export const LINEAGE_BATCH = `${LINEAGE}/batch` as const
export const RESULTS = '/api/test-results'
export const CHECKS = '/api/datacontracts/{id}/checks'
export const INCIDENTS = '/api/incidents'
export const INCIDENT = '/api/incidents/{id}'
export const ACKNOWLEDGE = '/api/incidents/{id}/acknowledge'
export const RESULT = '/api/test-results/{id}'
export const RESULT_CHECKS = `${RESULT}/checks`
export const BRANCH_RESULTS = '/api/datacontracts/{id}/branches/{branch}/test-results'

/** Requests a fixed path. */
export function atPath(path: string): RequestMaker {
  return async () => ({ path })
}

/** Requests a resource that does not exist. */
export function atMissing(path: string): RequestMaker {
  return async () => ({ path: `${path}/${uniqueId()}` })
}

/** Creates a document of a team, and requests it. */
export function existingOne(room: DocumentRoom, owner: string, more = ''): RequestMaker {
  return async (world) => ({ path: `${await addDocument(world, room, owner)}${more}` })
}

/** Creates an asset of a team, and requests it. */
export function existingAsset(owner: string, more = ''): RequestMaker {
  return existingOne('assets', owner, more)
}

/** Creates an asset of a team and a tag; the request names both. */
export function assignableTag(owner: string): RequestMaker {
  return async (world) => {
    const tag = `pii/${uniqueId()}`
    await expectOk(world.as('O', 'PUT', `/api/tags/${tag}`, { body: {} }))
    return { path: `${await addDocument(world, 'assets', owner)}/assigned-tags/${tag}` }
  }
}

/** Creates an asset of team A; the request names a tag that does not exist. */
export async function unknownTag(world: World): Promise<Sent> {
  return { path: `${await addDocument(world, 'assets', 'a')}/assigned-tags/${uniqueId()}` }
}

/** Creates nothing; the request contains a new document. */
export function newOne(room: DocumentRoom, owner: string, more = ''): RequestMaker {
  return async () => {
    const id = newId(room)
    return { path: `/api/${room}/${id}${more}`, body: buildDocument(room, id, owner) }
  }
}

/** Creates a document of one team; the request gives it to another one. */
export function changedOne(room: DocumentRoom, from: string, to: string, query = ''): RequestMaker {
  return async (world) => {
    const path = await addDocument(world, room, from)
    return { path: `${path}${query}`, body: buildDocument(room, getId(path), to, 'Changed') }
  }
}

/** Creates a document; the request compares it with a draft. */
export function draftDiff(room: DocumentRoom, owner: string): RequestMaker {
  return async (world) => {
    const path = await addDocument(world, room, owner)
    return { path: `${path}/diff`, body: buildDocument(room, getId(path), owner, 'Changed') }
  }
}

/** Creates a data contract; the request generates files from it. */
export function newGeneration(owner: string): RequestMaker {
  return async (world) => {
    const path = await addDocument(world, 'datacontracts', owner)
    return { path: `${path}/generate`, body: { type: 'sql-select' } }
  }
}

/** Creates two versions of a document; the request compares them. */
export function versionDiff(room: DocumentRoom, owner: string): RequestMaker {
  return async (world) => {
    const path = await addDocument(world, room, owner)
    const body = buildDocument(room, getId(path), owner, 'Changed')
    await expectOk(world.as('O', 'PUT', path, { body }))
    return { path: `${path}/diff` }
  }
}

async function addDocument(world: World, room: DocumentRoom, owner: string): Promise<string> {
  const id = newId(room)
  const path = `/api/${room}/${id}`
  await expectOk(world.as('O', 'PUT', path, { body: buildDocument(room, id, owner) }))
  return path
}

function newId(room: DocumentRoom): string {
  const record = findRecordKind(`/api/${room}`)
  return record === undefined ? uniqueId() : toRecordId(record, uniqueId())
}

/** Returns a document of a team. */
export function buildDocument(
  room: DocumentRoom,
  id: string,
  owner: string,
  name = 'Document',
): object {
  // An empty owner means no owner.
  const record = findRecordKind(`/api/${room}`)
  if (record !== undefined) return buildRecord(record, id, { owner, name })
  if (room === 'assets') return { id, info: owner === '' ? { name } : { name, owner } }
  return (room === 'dataproducts' ? odps : odcs)(id, { name, team: { name: owner } })
}

function getId(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Creates nothing; the request contains a new team. */
export function newTeam(parent: string | undefined): RequestMaker {
  return async () => ({ path: `/api/teams/${uniqueId()}`, body: { name: 'New', parent } })
}

/** Creates a team, and requests it. */
export function existingTeam(parent: string | undefined): RequestMaker {
  return async (world) => ({ path: await addTeam(world, parent) })
}

/** Creates a team; the request moves it. */
export function movedTeam(from: string | undefined, to: string | undefined): RequestMaker {
  return async (world) => ({
    path: await addTeam(world, from),
    body: { name: 'Moved', parent: to },
  })
}

/**
 * The request changes a team of the world.
 * Each PUT changes the team and keeps its members, because otherwise the callers would lose their roles.
 */
export function sameTeam(id: string): RequestMaker {
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

/** Creates a data product of a team, if one is given; the request reports its usage. */
export function newUsage(owner: string | undefined): RequestMaker {
  return async (world) => {
    const product = owner === undefined ? uniqueId() : await addProduct(world, owner)
    return { path: TRACES, body: toTraces(product, [newSpan({})]) }
  }
}

/** Creates a data product of a team, if one is given, with usage; the request deletes it. */
export function existingUsage(owner: string | undefined): RequestMaker {
  return async (world) => {
    const product = owner === undefined ? uniqueId() : await addProduct(world, owner)
    await addSpans(world, product, [newSpan({})])
    return { path: `${TRACES}?dataProductId=${product}` }
  }
}

async function addProduct(world: World, owner: string): Promise<string> {
  return getId(await addDocument(world, 'dataproducts', owner))
}

/** Creates nothing; the request creates a key. */
export function newKey(body: { scope?: string; teamId?: string }): RequestMaker {
  return async () => ({
    path: '/api/api-keys',
    body: { scope: 'team', teamId: 'a', displayName: 'K', ...body },
  })
}

/** Creates a contract of a team, if one is given; the request publishes a test result of it. */
export function newResult(owner: string | undefined): RequestMaker {
  return async (world) => {
    const path = owner === undefined ? uniqueId() : await addDocument(world, 'datacontracts', owner)
    return { path: RESULTS, body: buildResult(getId(path), uniqueId()) }
  }
}

/** Creates a contract of a team; the request publishes a test result of a branch of it. */
export function newBranchResult(owner: string): RequestMaker {
  return async (world) => {
    const path = await addDocument(world, 'datacontracts', owner)
    return { path: `${path}/branches/b/test-results`, body: { id: uniqueId() } }
  }
}

/** Creates a contract of a team and a test result of it, and requests the result. */
export function existingResult(owner: string): RequestMaker {
  return async (world) => {
    const { path, body } = await newResult(owner)(world)
    const published = world.as('O', 'POST', path, { body })
    return { path: `${path}/${(await readJson<{ id: string }>(published)).id}` }
  }
}

/** Creates a contract of a team and a test result of it, and requests the checks of the result. */
export function existingResultChecks(owner: string): RequestMaker {
  return async (world) => ({ path: `${(await existingResult(owner)(world)).path}/checks` })
}

/** Creates a contract of a team and a test result of it, and requests the checks of the contract. */
export function existingChecks(owner: string): RequestMaker {
  return async (world) => {
    const { path, body } = await newResult(owner)(world)
    await expectOk(world.as('O', 'POST', path, { body }))
    const { dataContractId } = body as { dataContractId: string }
    return { path: `/api/datacontracts/${dataContractId}/checks` }
  }
}

/** Creates a contract of a team with an open incident, and requests the incident, or its acknowledgement. */
export function existingIncident(owner: string, action = ''): RequestMaker {
  return async (world) => {
    const { path, body } = await newResult(owner)(world)
    await expectOk(world.as('O', 'POST', path, { body: { ...(body as object), result: 'failed' } }))
    const { dataContractId } = body as { dataContractId: string }
    const list = world.as('O', 'GET', `${INCIDENTS}?dataContractId=${dataContractId}`)
    const [incident] = await readJson<{ id: string }[]>(list)
    const at = `${INCIDENTS}/${incident?.id}${action}`
    return action === '' ? { path: at } : { path: at, body: {} }
  }
}

/** Returns a test result of a contract. */
export function buildResult(contractId: string, id: string, server = 'production'): object {
  return { id, dataContractId: contractId, server, result: 'passed' }
}

/** Creates a data product of a team, if one is given; the request stores a lineage event of it. */
export function newLineageEvent(owner: string | undefined): RequestMaker {
  return async (world) => {
    const product = owner === undefined ? '' : await addDocument(world, 'dataproducts', owner)
    const query = product === '' ? '' : `?dataProductId=${getId(product)}`
    return { path: `${LINEAGE}${query}`, body: buildLineageEvent(uniqueId()) }
  }
}

/** Sends a batch with one event of a data product. */
export function newLineageBatch(owner: string | undefined): RequestMaker {
  return async (world) => {
    const { path, body } = await newLineageEvent(owner)(world)
    return { path: path.replace(LINEAGE, LINEAGE_BATCH), body: [body] }
  }
}

/** Returns a run event of OpenLineage; run and job have the same name. */
export function buildLineageEvent(name: string): object {
  return { eventType: 'START', run: { runId: name }, job: { namespace: 'tests', name } }
}

/** Creates a key of a team, and requests it. */
export function existingKey(teamId: string): RequestMaker {
  return async (world) => {
    return { path: `/api/api-keys/${await addKey(world, teamId)}` }
  }
}

/** Creates a key of a team; returns its id. */
export async function addKey(world: World, teamId: string): Promise<string> {
  const body = { scope: 'team', teamId }
  const { organizationApiKeyId } = await readJson<{ organizationApiKeyId: string }>(
    world.as('O', 'POST', '/api/api-keys', { body }),
    201,
  )
  return organizationApiKeyId
}

/** Seals the activity, and requests the newest seal. */
export function existingSeal(): RequestMaker {
  return async ({ services }) => {
    await sealActivity(services)
    return { path: '/api/activity/seal' }
  }
}

/** Requests the key of the caller O. */
export async function organizationKey(world: World): Promise<Sent> {
  const { caller } = await readJson<{ caller: { organizationApiKeyId: string } }>(
    world.as('O', 'GET', '/api/organization/settings'),
  )
  return { path: `/api/api-keys/${caller.organizationApiKeyId}` }
}
