import { createHash, randomUUIDv7 } from 'node:crypto'
import type { SourceText } from '../../formats/text/text.ts'
import type { Caller } from '../access/caller.ts'
import { missingPermission } from '../http/missing-permission.ts'
import { may, maySomewhere, type Permission } from '../access/permission.ts'
import { deleteKeysOfOwner } from '../api-keys/service.ts'
import { notFound, Refusal } from '../errors.ts'
import type { Plan } from '../history/plan.ts'
import { listAnswerAsOf } from '../history/service.ts'
import { checkPreconditions, type Conditions } from '../http/conditional.ts'
import { documentListAnswer } from '../http/document-list.ts'
import { invalidDocument, readStored, unknownTeam, type StoredDocument } from '../http/document.ts'
import type { Answer, ReadingServices } from '../http/endpoint.ts'
import type { Clock, Instant } from '../kit/clock.ts'
import { violatedConstraint } from '../kit/connection.ts'
import type { Database } from '../tables.ts'
import { changesOf, sizeOf } from './change.ts'
import * as store from './store.ts'
import type { TeamState } from './store.ts'
import { parentNamed, readTeam, type Team } from '../../formats/team/team.ts'

/** A PUT of a team. */
export interface TeamPut {
  id: string
  source: SourceText
  conditions: Conditions
  strict: boolean
  dryRun: boolean
  requestId: string
}

/**
 * Creates or replaces a team; with `dryRun` only returns the plan. Errors: permission_missing,
 * precondition_failed, document_invalid.
 */
export async function putTeam(
  db: Database,
  clock: Clock,
  caller: Caller,
  put: TeamPut,
): Promise<{ stored: StoredDocument; plan: Plan }> {
  return await db.transaction().execute(async (transaction) => {
    const { organizationId, principal } = caller
    await store.lockTeams(transaction, organizationId)
    const parent = parentNamed(put.source.value)
    const state = await store.findState(transaction, organizationId, put.id, parent)
    checkPermission(caller, put.id, state, parent)
    checkPreconditions(put.conditions, state.digest ?? undefined)
    const reading = readTeam(put.source, put)
    if (!reading.ok) throw invalidDocument(reading.problems)
    const { team, warnings } = reading
    checkParent(put.source, team, state)
    const digest = createHash('sha256').update(team.canonical).digest('hex')
    const plan = planOf(team, state, digest, warnings)
    if (plan.outcome === 'unchanged' || put.dryRun) {
      const document = plan.outcome === 'unchanged' ? (state.document ?? '') : team.document
      return { stored: storedOf(document, digest), plan }
    }
    const metadata = { organizationId, principal, requestId: put.requestId }
    const row = {
      ...team,
      uuid: state.id ?? randomUUIDv7(),
      parentId: state.newParentId,
      digest,
      level: plan.level,
    }
    await (plan.outcome === 'created' ? store.insertTeam : store.updateTeam)(
      transaction,
      clock,
      metadata,
      row,
    )
    return { stored: storedOf(team.document, digest), plan }
  })
}

/** A team's document. Errors: not_found. */
export async function getTeam(
  db: Database,
  organizationId: string,
  id: string,
): Promise<StoredDocument> {
  const found = await store.findTeam(db, organizationId, id)
  if (found === undefined) throw notFound()
  return storedOf(found.document, found.digest)
}

/** Returns a page of teams as JSON, now or as of an instant, optionally only those of one direct member. */
export async function listTeams(
  { db, offload }: ReadingServices,
  organizationId: string,
  filter: { p: number; email?: string | undefined; asOf?: Instant | undefined },
  request: { path: string; search: URLSearchParams },
): Promise<Answer> {
  const { p: page, email, asOf: instant } = filter
  if (instant !== undefined) {
    const filters = email === undefined ? [] : [store.hadMember(email)]
    const list = {
      organizationId,
      kind: 'team' as const,
      instant,
      filters,
      order: store.BY_CREATION,
      page,
    }
    return await listAnswerAsOf({ db, offload }, list, request)
  }
  const references = await store.listReferences(db, organizationId, page, email)
  const load = (ids: readonly string[]): Promise<string[]> =>
    store.loadDocuments(db, organizationId, ids)
  return await documentListAnswer(references, load, { ...request, page })
}

/**
 * Deletes a team without resources and subteams, together with its keys. Errors: not_found,
 * permission_missing, precondition_failed, in_use.
 */
export async function removeTeam(
  db: Database,
  clock: Clock,
  caller: Caller,
  remove: { id: string; conditions: Conditions; requestId: string },
): Promise<void> {
  const { organizationId, principal } = caller
  const metadata = { organizationId, principal, requestId: remove.requestId }
  try {
    await db.transaction().execute(async (transaction) => {
      await store.lockTeams(transaction, organizationId)
      const state = await store.findState(transaction, organizationId, remove.id, undefined)
      if (state.id === null) throw notFound()
      requirePermission(caller, 'TEAM_DELETE', remove.id)
      checkPreconditions(remove.conditions, state.digest ?? undefined)
      refuseUse(await store.listUses(transaction, organizationId, remove.id))
      await deleteKeysOfOwner(transaction, organizationId, { teamId: state.id })
      await store.deleteTeam(transaction, clock, metadata, remove.id)
    })
  } catch (error) {
    // Something came to belong to the team in the last instant: the store does not let it dangle.
    if (violatedConstraint(error) === undefined) throw error
    throw new Refusal('in_use', 'The team owns something and cannot be deleted.', { cause: error })
  }
}

// The position in the tree decides who may change a team, so a move needs permission at the old and the new
// position. Only organization owners may change teams without a parent.
function checkPermission(
  caller: Caller,
  id: string,
  state: TeamState,
  newParent: string | undefined,
): void {
  const oldParent = state.parent ?? undefined
  const exists = state.id !== null
  if (exists) requirePermission(caller, 'TEAM_EDIT', id)
  if (exists && oldParent === newParent) return
  const parentUnknown = newParent !== undefined && state.newParentId === null
  const mayAdd = parentUnknown
    ? maySomewhere(caller, 'TEAM_ADD')
    : may(caller, 'TEAM_ADD', newParent)
  if (!mayAdd) throw missingPermission('TEAM_ADD', newParent ?? null)
  if (exists) requirePermission(caller, 'TEAM_EDIT', oldParent)
}

function requirePermission(caller: Caller, permission: Permission, team: string | undefined): void {
  if (!may(caller, permission, team)) throw missingPermission(permission, team ?? null)
}

function checkParent(source: SourceText, team: Team, state: TeamState): void {
  const say = (message: string): Refusal =>
    invalidDocument([{ field: 'parent', message, ...source.locate(['parent']) }])
  if (team.parent === undefined) return
  if (state.newParentId === null) {
    throw unknownTeam(team.parent, { field: 'parent', ...source.locate(['parent']) })
  }
  if (state.makesCycle)
    throw say(`“${team.parent}” is a subteam of this team and cannot be its parent.`)
}

function refuseUse(found: store.TeamUses): void {
  const { dataProducts, dataContracts, integrations, assets, teams } = found
  const uses = [
    ...dataProducts.map((id) => `data product ${id}`),
    ...dataContracts.map((id) => `data contract ${id}`),
    ...integrations.map((id) => `integration ${id}`),
    ...assets.map((id) => `asset ${id}`),
    ...teams.map((id) => `team ${id} below it`),
  ]
  if (uses.length === 0) return
  throw new Refusal('in_use', `The team cannot be deleted while it has ${uses.join(', ')}.`)
}

function planOf(team: Team, state: TeamState, digest: string, warnings: Plan['warnings']): Plan {
  const nothing: Omit<Plan, 'outcome'> = { level: 'none', changes: [], warnings, affected: [] }
  if (state.document === null) return { ...nothing, outcome: 'created' }
  if (state.digest === digest) return { ...nothing, outcome: 'unchanged' }
  const before = readStored(storedOf(state.document, ''))
  const after = readStored(storedOf(team.document, ''))
  const changes = changesOf(before.value, after.value)
  return { outcome: 'updated', level: sizeOf(changes), changes, warnings, affected: [] }
}

function storedOf(document: string, digest: string): StoredDocument {
  return { document, mediaType: 'application/json', digest }
}
