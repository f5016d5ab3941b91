import type { Problem } from '../../formats/text/problem.ts'
import { NODES_MAX } from '../../formats/text/json-scan.ts'
import type { Caller } from '../access/caller.ts'
import { Refusal } from '../errors.ts'
import type { Plan } from '../history/plan.ts'
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
import { shownOf, type AssetRow, type KnownAsset } from './asset.ts'
import { belongsToIntegration, requirePermission, requireSomewhere } from './rule.ts'
import * as store from './store.ts'
import { assessAsset, type AssetAssessment } from './task.ts'

/** What a PUT of an asset asks for. */
export interface AssetPut {
  id: string
  body: Body
  conditions: Conditions
  strict: boolean
  dryRun: boolean
  requestId: string
}

/** An asset as it is stored after a PUT, and what the PUT did or would do. */
export interface AssetPutDone {
  stored: StoredDocument
  plan: Plan
}

type Work = Pick<Services, 'db' | 'clock' | 'inTurn' | 'offload'>

// Each lost race means that another process wrote: so many in a row do not happen to a healthy one.
const ATTEMPTS_MAX = 50

const USERS_NAMED_MAX = 5

/**
 * Registers or replaces an asset, or with `dryRun` only says what that would do. Errors:
 * permission_missing, precondition_failed, document_invalid; the latter also for one that an
 * integration writes.
 */
export async function putAsset(work: Work, caller: Caller, put: AssetPut): Promise<AssetPutDone> {
  let assessment: Promise<AssetAssessment> | undefined
  const assessOnce = (): Promise<AssetAssessment> => (assessment ??= assess(work, caller, put))
  return await settle(work, caller, put.id, () => attemptPut({ work, caller, put, assessOnce }))
}

/**
 * Deletes an asset that was PUT. One that is not there, or is gone from its source, counts as
 * deleted: connectors delete without asking. Errors: permission_missing, precondition_failed,
 * document_invalid when an integration writes it, in_use.
 */
export async function removeAsset(
  work: Work,
  caller: Caller,
  remove: { id: string; conditions: Conditions; requestId: string },
): Promise<void> {
  const { db, clock } = work
  const { organizationId } = caller
  await settle(work, caller, remove.id, async () => {
    const known = await store.findAsset(db, organizationId, remove.id)
    if (known === undefined || known.ingestion?.isDeleted === true) {
      requireSomewhere(caller, 'RESOURCES_DELETE')
      checkPreconditions(remove.conditions, undefined)
      return true
    }
    requirePermission(caller, 'RESOURCES_DELETE', known.owner)
    checkPreconditions(remove.conditions, shownOf(known).digest)
    if (known.ingestion !== null) throw belongsToIntegration(known.ingestion)
    refuseUse(await store.listUsers(db, organizationId, remove.id))
    const origin = originOf(caller, remove.requestId)
    const done = await store.deleteAsset(db, clock, origin, remove.id, known.version)
    return done ? true : undefined
  })
}

// Writers of one asset take turns in this process; against other processes the version decides, and
// who loses looks again.
async function settle<T>(
  work: Work,
  caller: Caller,
  id: string,
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  return await work.inTurn(`${caller.organizationId}/asset/${id}`, async () => {
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
      const done = await attempt().catch(undefinedIfOutrun)
      if (done !== undefined) return done
    }
    throw new StoreUnavailable('too many writers change one asset')
  })
}

// The owning team, or the number of the next version, can be gone when it is written. The store
// refuses that by a constraint, and the next look tells what became of it.
function undefinedIfOutrun(error: unknown): undefined {
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
  const known = await store.findAsset(work.db, organizationId, put.id)
  if (known !== undefined && isSameText(known, put)) {
    requirePermission(caller, 'RESOURCES_EDIT', known.owner)
    checkPreconditions(put.conditions, known.digest)
    return { stored: known, plan: newPlan('unchanged') }
  }
  // A document is not read for a caller who may write none.
  requireSomewhere(caller, known === undefined ? 'RESOURCES_ADD' : 'RESOURCES_EDIT')
  const assessment = await attempt.assessOnce()
  const isOwnerThere = await checkOwners(attempt, known, assessment)
  checkPreconditions(put.conditions, known && shownOf(known).digest)
  if (known !== undefined && known.ingestion !== null) throw belongsToIntegration(known.ingestion)
  if (!assessment.ok) throw invalidDocument(assessment.problems)
  const { row } = assessment
  if (!isOwnerThere) throw await unknownOwner(attempt, row.owner ?? '')
  const plan = newPlan(known === undefined ? 'created' : 'updated')
  if (known?.digest === row.digest) plan.outcome = 'unchanged'
  if (put.dryRun) await explain(attempt, plan, assessment.warnings)
  const stored = known !== undefined && plan.outcome === 'unchanged' ? known : row
  if (put.dryRun || stored === known) return { stored, plan }
  return (await write(attempt, row, known)) ? { stored, plan } : undefined
}

// What was accepted before, byte for byte, is not read again: most PUTs of a connector change nothing.
function isSameText(known: KnownAsset, { body, strict, dryRun }: AssetPut): boolean {
  const isPlain = known.ingestion === null && !strict && !dryRun
  return isPlain && known.document === body.text && known.mediaType === body.mediaType
}

// Returns whether the team that the document names is there. A change of owner concerns both.
async function checkOwners(
  { work, caller }: Attempt,
  known: KnownAsset | undefined,
  assessment: AssetAssessment,
): Promise<boolean> {
  const needed = known === undefined ? 'RESOURCES_ADD' : 'RESOURCES_EDIT'
  requireSomewhere(caller, needed)
  if (known !== undefined) requirePermission(caller, 'RESOURCES_EDIT', known.owner)
  if (!assessment.ok) return true
  const { owner } = assessment.row
  if (owner !== null && owner !== known?.owner) {
    const team = await store.findTeamId(work.db, caller.organizationId, owner)
    if (team === undefined) return false
  }
  requirePermission(caller, needed, owner)
  return true
}

function newPlan(outcome: Plan['outcome']): Plan {
  return { outcome, level: 'none', changes: [], warnings: [], affected: [] }
}

// Whom a change concerns is asked for by a dry run alone.
async function explain(
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
  known: KnownAsset | undefined,
): Promise<boolean> {
  const { db, clock } = work
  const origin = originOf(caller, put.requestId)
  return known === undefined
    ? await store.insertAsset(db, clock, origin, row)
    : await store.updateAsset(db, clock, origin, row, known.version)
}

function originOf({ organizationId, principal }: Caller, requestId: string): store.ChangeOrigin {
  return { organizationId, principal, requestId }
}

function refuseUse(users: readonly store.AssetUser[]): void {
  if (users.length === 0) return
  const named = users.slice(0, USERS_NAMED_MAX).map(({ id }) => `data product ${id}`)
  const more = users.length - named.length
  const rest = more > 0 ? ` and ${more} more` : ''
  throw new Refusal(
    'in_use',
    `The asset cannot be deleted while ${named.join(', ')}${rest} names it. Take it out there first.`,
  )
}

async function unknownOwner({ work, caller, put }: Attempt, owner: string): Promise<Refusal> {
  const text = { document: put.body.text, mediaType: put.body.mediaType }
  const input = { ...text, path: ['info', 'owner'], nodesMax: NODES_MAX }
  const place = await work.offload.run(caller.organizationId, locateInDocument, input, [text])
  return unknownTeam(owner, { field: 'info.owner', ...place })
}
