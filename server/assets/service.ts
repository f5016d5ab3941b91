import type { Problem } from '../../formats/text/problem.ts'
import { NODES_MAX } from '../../formats/text/json-scan.ts'
import type { Caller } from '../access/caller.ts'
import { Refusal } from '../errors.ts'
import type { Plan } from '../history/plan.ts'
import type { ChangeMetadata } from '../history/revision.ts'
import type { Affected } from '../ports/port.ts'
import type { Body } from '../http/body.ts'
import { checkPreconditions, type Conditions } from '../http/conditional.ts'
import {
  invalidDocument,
  locateInDocument,
  unknownTeam,
  type StoredDocument,
} from '../http/document.ts'
import type { Services } from '../http/endpoint.ts'
import { StoreUnavailable, violatedConstraint } from '../kit/connection.ts'
import { toStoredDocument, type AssetRow, type StoredAsset } from './asset.ts'
import { createIngestedAssetError, requirePermission, requireSomewhere } from './rule.ts'
import * as store from './store.ts'
import { assessAsset, type AssetAssessment } from './task.ts'

/** A request to PUT an asset. */
export interface AssetPut {
  id: string
  body: Body
  conditions: Conditions
  strict: boolean
  dryRun: boolean
  requestId: string
}

/** The stored asset after a PUT, and the plan of the PUT. */
export interface AssetPutDone {
  stored: StoredDocument
  plan: Plan
}

type Work = Pick<Services, 'db' | 'clock' | 'inTurn' | 'offload'>

// Each lost race means that another process wrote: a healthy store does not lose this many in a
// row.
const ATTEMPTS_MAX = 50

const USERS_NAMED_MAX = 5

/**
 * Registers or replaces an asset; with `dryRun` only returns the plan. Errors: permission_missing,
 * precondition_failed, document_invalid; the latter also for one that an integration writes.
 */
export async function putAsset(work: Work, caller: Caller, put: AssetPut): Promise<AssetPutDone> {
  let assessment: Promise<AssetAssessment> | undefined
  const assessOnce = (): Promise<AssetAssessment> => (assessment ??= assess(work, caller, put))
  return await withOptimisticRetry(work, caller, put.id, () =>
    attemptPut({ work, caller, put, assessOnce }),
  )
}

/**
 * Deletes an asset that was PUT. One that does not exist, or is gone from its source, counts as
 * deleted: connectors delete without checking. Errors: permission_missing, precondition_failed,
 * document_invalid if an integration writes it, in_use.
 */
export async function removeAsset(
  work: Work,
  caller: Caller,
  remove: { id: string; conditions: Conditions; requestId: string },
): Promise<void> {
  const { db, clock } = work
  const { organizationId } = caller
  await withOptimisticRetry(work, caller, remove.id, async () => {
    const existing = await store.findAsset(db, organizationId, remove.id)
    if (existing === undefined || existing.ingestion?.isDeleted === true) {
      requireSomewhere(caller, 'RESOURCES_DELETE')
      checkPreconditions(remove.conditions, undefined)
      return true
    }
    requirePermission(caller, 'RESOURCES_DELETE', existing.owner)
    checkPreconditions(remove.conditions, toStoredDocument(existing).digest)
    if (existing.ingestion !== null) throw createIngestedAssetError(existing.ingestion)
    assertDeletable(await store.listUsers(db, organizationId, remove.id))
    const metadata = toChangeMetadata(caller, remove.requestId)
    const done = await store.deleteAsset(db, clock, metadata, remove.id, existing.version)
    return done ? true : undefined
  })
}

// Writers of one asset are serialized in this process; between processes the version decides, and
// the loser retries.
async function withOptimisticRetry<T>(
  work: Work,
  caller: Caller,
  id: string,
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  return await work.inTurn(`${caller.organizationId}/asset/${id}`, async () => {
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
      const done = await attempt().catch(ignoreLostRace)
      if (done !== undefined) return done
    }
    throw new StoreUnavailable('too many concurrent writers of one asset')
  })
}

// The owning team or the next version number may be lost to a concurrent change. A constraint
// rejects the write, and the next attempt reads the new state.
function ignoreLostRace(error: unknown): undefined {
  if (violatedConstraint(error) === undefined) throw error
}

async function assess(
  { offload }: Work,
  { organizationId }: Caller,
  { id, body, strict, dryRun }: AssetPut,
): Promise<AssetAssessment> {
  const { text, mediaType } = body
  const input = { id, text, mediaType, strict, dryRun }
  return await offload.run(organizationId, assessAsset, input, [{ document: text, mediaType }])
}

interface Attempt {
  work: Work
  caller: Caller
  put: AssetPut
  assessOnce(): Promise<AssetAssessment>
}

async function attemptPut(attempt: Attempt): Promise<AssetPutDone | undefined> {
  const { work, caller, put } = attempt
  const { organizationId } = caller
  const existing = await store.findAsset(work.db, organizationId, put.id)
  if (existing !== undefined && isSameText(existing, put)) {
    requirePermission(caller, 'RESOURCES_EDIT', existing.owner)
    checkPreconditions(put.conditions, existing.digest)
    return { stored: existing, plan: newPlan('unchanged') }
  }
  // Do not parse documents of callers without any write permission.
  requireSomewhere(caller, existing === undefined ? 'RESOURCES_ADD' : 'RESOURCES_EDIT')
  const assessment = await attempt.assessOnce()
  const isOwnerThere = await checkOwners(attempt, existing, assessment)
  checkPreconditions(put.conditions, existing && toStoredDocument(existing).digest)
  if (existing !== undefined && existing.ingestion !== null)
    throw createIngestedAssetError(existing.ingestion)
  if (!assessment.ok) throw invalidDocument(assessment.problems)
  const { row } = assessment
  if (!isOwnerThere) throw await unknownOwner(attempt, row.owner ?? '')
  const plan = newPlan(existing === undefined ? 'created' : 'updated')
  if (existing?.digest === row.digest) plan.outcome = 'unchanged'
  if (put.dryRun) await addWarningsAndConsumers(attempt, plan, assessment.warnings)
  const stored = existing !== undefined && plan.outcome === 'unchanged' ? existing : row
  if (put.dryRun || stored === existing) return { stored, plan }
  return (await write(attempt, row, existing)) ? { stored, plan } : undefined
}

// An identical text is not parsed again: most PUTs of a connector change nothing.
function isSameText(existing: StoredAsset, { body, strict, dryRun }: AssetPut): boolean {
  const isPlain = existing.ingestion === null && !strict && !dryRun
  return isPlain && existing.document === body.text && existing.mediaType === body.mediaType
}

// Returns whether the team in the document exists. A change of owner requires permissions for both.
async function checkOwners(
  { work, caller }: Attempt,
  existing: StoredAsset | undefined,
  assessment: AssetAssessment,
): Promise<boolean> {
  const needed = existing === undefined ? 'RESOURCES_ADD' : 'RESOURCES_EDIT'
  requireSomewhere(caller, needed)
  if (existing !== undefined) requirePermission(caller, 'RESOURCES_EDIT', existing.owner)
  if (!assessment.ok) return true
  const { owner } = assessment.row
  if (owner !== null && owner !== existing?.owner) {
    const team = await store.findTeamId(work.db, caller.organizationId, owner)
    if (team === undefined) return false
  }
  requirePermission(caller, needed, owner)
  return true
}

function newPlan(outcome: Plan['outcome']): Plan {
  return { outcome, level: 'none', changes: [], warnings: [], affected: [] }
}

// Only a dry run computes the affected consumers.
async function addWarningsAndConsumers(
  { work, caller, put }: Attempt,
  plan: Plan,
  warnings: readonly Problem[],
): Promise<void> {
  plan.warnings.push(...warnings)
  if (plan.outcome !== 'updated') return
  const users = await store.listUsers(work.db, caller.organizationId, put.id)
  plan.affected.push(...affectedAmong(users))
}

function affectedAmong(users: readonly store.AssetUser[]): Affected[] {
  const teams = new Map(users.map(({ ownerId, ownerName }) => [ownerId, ownerName]))
  return [
    ...users.map(({ id, name, ownerId }): Affected => {
      return { resourceType: 'DATA_PRODUCT', id, name, ownerId }
    }),
    ...Array.from(teams, ([id, name]): Affected => {
      return { resourceType: 'TEAM', id, name, ownerId: id }
    }),
  ]
}

async function write(
  { work, caller, put }: Attempt,
  row: AssetRow,
  existing: StoredAsset | undefined,
): Promise<boolean> {
  const { db, clock } = work
  const metadata = toChangeMetadata(caller, put.requestId)
  return existing === undefined
    ? await store.insertAsset(db, clock, metadata, row)
    : await store.updateAsset(db, clock, metadata, row, existing.version)
}

function toChangeMetadata(
  { organizationId, principal }: Caller,
  requestId: string,
): ChangeMetadata {
  return { organizationId, principal, requestId }
}

function assertDeletable(users: readonly store.AssetUser[]): void {
  if (users.length === 0) return
  const named = users.slice(0, USERS_NAMED_MAX).map(({ id }) => `data product ${id}`)
  const more = users.length - named.length
  const rest = more > 0 ? ` and ${more} more` : ''
  throw new Refusal(
    'in_use',
    `The asset cannot be deleted while ${named.join(', ')}${rest} names it. Remove it there first.`,
  )
}

async function unknownOwner({ work, caller, put }: Attempt, owner: string): Promise<Refusal> {
  const text = { document: put.body.text, mediaType: put.body.mediaType }
  const input = { ...text, path: ['info', 'owner'], nodesMax: NODES_MAX }
  const place = await work.offload.run(caller.organizationId, locateInDocument, input, [text])
  return unknownTeam(owner, { field: 'info.owner', ...place })
}
