import { clip, formatPath } from '../../formats/text/value.ts'
import type { Caller } from '../requests/access/caller.ts'
import { ApiError } from '../platform/errors.ts'
import { newDocumentEvent } from '../ledger/events/event.ts'
import type { DriftState } from '../ledger/drift/drift-plan.ts'
import type { Plan } from '../ledger/history/plan.ts'
import type { ChangeMetadata } from '../ledger/history/revision.ts'
import { checkPreconditions } from '../requests/http/conditional.ts'
import { invalidDocument, locateInDocument, unknownTeam } from '../requests/http/document.ts'
import { KINDS, type DocumentKind } from '../platform/kinds.ts'
import { retryLostRaces } from '../platform/kit/lost-races.ts'
import type { Database } from '../platform/tables.ts'
import type { RegisteredDocument } from './document.ts'
import type {
  DocumentPlan,
  DocumentPut,
  Guard,
  ResourceDraft,
  ResourceReading,
  PutContext,
  Resource,
  ResourceChange,
  ResourceKey,
  ResourceTypes,
  SerialWork,
  WriteServices,
} from './resource.ts'
import { assertNoDrift, planDrift, readDrift } from './drift-service.ts'
import { findSignalsSubject, settleAfter, type DriftCheck } from './settle-service.ts'
import * as store from './store.ts'
import { requireManagedTags } from './tag-service.ts'

/** The result of a PUT. */
export interface DocumentPutDone {
  plan: DocumentPlan
  /** The format of the document that was sent. */
  format: string
  /** The stored document; undefined after a dry run. */
  stored: RegisteredDocument | undefined
  /** Of a contract with `failOn=drift`: whether its assets are what it promises. Absent = not asked for. */
  drift?: DriftState | undefined
}

/**
 * Registers or replaces a document, or with `dryRun` only returns what that would do. Errors: permission_missing,
 * precondition_failed, document_invalid, query_invalid, document_too_costly, overloaded, format_ended,
 * invalid_state, change_breaking, drift.
 */
export async function writeDocument<T extends ResourceTypes>(
  work: WriteServices,
  caller: Caller,
  resource: Resource<T>,
  put: T['put'],
): Promise<DocumentPutDone> {
  const last: Attempt<T>['last'] = { version: undefined, reading: undefined }
  return await withOptimisticRetry(work, caller, resource, put.id, (work) =>
    attemptPut({ work, caller, resource, put, last }),
  )
}

/**
 * Repeats an attempt that lost a race and therefore returned undefined or violated a constraint. Writers of one
 * document take turns in this process; across processes the version decides. With a `lock`, each attempt is a
 * transaction that holds it.
 */
export async function withOptimisticRetry<Done, Work extends SerialWork>(
  work: Work,
  { organizationId }: Pick<Caller, 'organizationId'>,
  { kind, lock }: { kind: DocumentKind; lock?: Resource<ResourceTypes>['lock'] },
  id: string,
  attempt: (work: Work) => Promise<Done | undefined>,
): Promise<Done> {
  const attemptOnce = async (): Promise<Done | undefined> => {
    if (lock === undefined) return await attempt(work)
    return await work.db.transaction().execute(async (db) => {
      await lock(db, organizationId)
      return await attempt({ ...work, db })
    })
  }
  const key = `${organizationId}/${kind}/${id}`
  const contended = { serialize: work.serialize, key, called: KINDS[kind].called }
  return await retryLostRaces(contended, attemptOnce)
}

interface Attempt<T extends ResourceTypes> {
  work: WriteServices
  caller: Caller
  resource: Resource<T>
  put: T['put']
  /** The result of the previous attempt, by the version that the document was compared with. */
  last: { version: number | null | undefined; reading: ResourceReading<T['draft']> | undefined }
}

async function attemptPut<T extends ResourceTypes>(
  attempt: Attempt<T>,
): Promise<DocumentPutDone | undefined> {
  const { work, caller, resource, put } = attempt
  const { access } = resource
  const key = { organizationId: caller.organizationId, id: put.id }
  const state = await resource.load(work, key, put)
  if (resource.isSameText?.(state, put)) {
    access.requireEdit(caller, put.id, state)
    checkPreconditions(put.conditions, state.digest ?? undefined)
    resource.assertWritable?.(work, state, { format: state.format ?? undefined, isSame: true })
    return await answerUnchanged(attempt, key, state, emptyPlan('unchanged'))
  }
  access.requireWriter?.(caller, state)
  const context = { work, caller, put, state }
  const reading = await readOnce(attempt, context)
  const ownerId = reading.ok ? reading.ownerId : undefined
  const isSameOwner = ownerId === state.owner && state.ownerTeamId !== null
  const ownerTeamId = isSameOwner
    ? state.ownerTeamId
    : await findOwner(work.db, key.organizationId, ownerId ?? null)
  await access.requireChange(context, { id: ownerId, teamId: ownerTeamId })
  if (reading.ok) resource.requireDecisions?.({ ...context, draft: reading, ownerTeamId })
  checkPreconditions(put.conditions, state.digest ?? undefined)
  const written = reading.ok ? reading : { format: undefined, isSame: false }
  resource.assertWritable?.(work, state, written)
  if (!reading.ok) throw invalidDocument(reading.problems)
  const change = { ...context, draft: reading, ownerTeamId }
  await checkOwner(resource.nodesMax, change)
  await resource.checkReferences?.(change)
  if (!reading.isSame) {
    const sent = { body: put.body, tags: reading.restrictedTags }
    await requireManagedTags(work, caller, resource, sent)
  }
  const guard = reading.isSame ? undefined : resource.getGuard?.(change)
  await guard?.(work.db)
  const plan = await toPlan(resource, change)
  const { format } = reading
  rejectBreaking(put, reading)
  if (put.dryRun) return await planOnly(resource, change, plan)
  if (plan.outcome === 'unchanged') return await answerUnchanged(attempt, key, state, plan)
  const saved = await saveGuarded(resource, change, guard)
  return saved && { plan, format, ...saved }
}

// A gate for drift rejects a dry run as it rejects the change.
async function planOnly<T extends ResourceTypes>(
  resource: Resource<T>,
  change: ResourceChange<T>,
  plan: DocumentPlan,
): Promise<DocumentPutDone | undefined> {
  const { work, caller, put, state, draft } = change
  const done = { plan, format: draft.format, stored: undefined }
  const { organizationId } = caller
  const key = { organizationId, id: put.id }
  const subject = await resource.getRealitySubject?.(work, key, state, draft)
  if (subject === undefined) return done
  const check = getDriftCheck(put, organizationId)
  if (draft.isSame) {
    const drift = await check?.(work)
    const current = await readDrift(work, organizationId, subject)
    return { ...done, plan: { ...plan, ...(current && { drift: current }) }, drift }
  }
  const planned = await planDrift(
    work,
    toMetadata(caller, put),
    subject,
    async (work) => {
      return await save(resource, { ...change, work })
    },
    check,
  )
  return (
    planned && {
      ...done,
      plan: { ...plan, ...(planned.plan && { drift: planned.plan }) },
      drift: planned.drift,
    }
  )
}

/** Returns the gate of a PUT with `failOn=drift`; undefined without it. */
function getDriftCheck(
  { id, failOn }: DocumentPut,
  organizationId: string,
): DriftCheck | undefined {
  if (failOn?.includes('drift') !== true) return undefined
  return ({ db, clock }) => assertNoDrift(db, clock, organizationId, id)
}

// The first check of the guard answers early, the second one decides.
async function saveGuarded<T extends ResourceTypes>(
  resource: Resource<T>,
  change: ResourceChange<T>,
  guard: Guard | undefined,
): Promise<(Pick<DocumentPutDone, 'drift'> & { stored: RegisteredDocument }) | undefined> {
  const { work, caller, put, state } = change
  const { version } = state
  const key = { organizationId: caller.organizationId, id: put.id }
  const subject =
    (await resource.getRealitySubject?.(work, key, state, change.draft)) ??
    findSignalsSubject(resource)
  const isGuarded = guard !== undefined && version !== null
  if (!isGuarded && subject === undefined) {
    const stored = await save(resource, change)
    return stored && { stored }
  }
  const metadata = toMetadata(caller, put)
  const check = getDriftCheck(put, caller.organizationId)
  const settled = await settleAfter(
    work,
    metadata,
    subject,
    async (work) => {
      if (isGuarded) {
        if (!(await store.lockVersion(work.db, resource.kind, key, version))) return undefined
        await guard(work.db)
      }
      return await save(resource, { ...change, work })
    },
    check,
  )
  return settled.done && { stored: settled.done, drift: settled.drift }
}

// Parses again only if another version was stored since.
async function readOnce<T extends ResourceTypes>(
  { resource, last }: Attempt<T>,
  context: PutContext<T>,
): Promise<ResourceReading<T['draft']>> {
  const { version } = context.state
  if (last.reading !== undefined && last.version === version) return last.reading
  last.reading = await resource.read(context)
  last.version = version
  return last.reading
}

async function answerUnchanged<T extends ResourceTypes>(
  { work, resource, put }: Attempt<T>,
  key: ResourceKey,
  state: T['state'],
  plan: DocumentPlan,
): Promise<DocumentPutDone | undefined> {
  const stored = await resource.findStored(work, key, state)
  const drift = await getDriftCheck(put, key.organizationId)?.(work)
  return stored && { plan, format: stored.format, stored, drift }
}

async function save<T extends ResourceTypes>(
  { kind, condition, toRow, getChangeEvents, getFollowingWrite }: Resource<T>,
  change: ResourceChange<T>,
): Promise<RegisteredDocument | undefined> {
  const { work, caller, put, draft, state } = change
  const { db, clock } = work
  const { version } = state
  const row = await toRow(change)
  const action = version === null ? 'Created' : 'Updated'
  const events = getChangeEvents?.(draft) ?? newDocumentEvent(kind, action)
  const following = getFollowingWrite?.(change)
  const write = { kind, metadata: toMetadata(caller, put), row, events, condition, following }
  const isDone =
    version === null
      ? await store.insertDocument(db, clock, write)
      : await store.updateDocument(db, clock, write, version)
  return isDone ? { ...row, ownerId: draft.ownerId } : undefined
}

/** Returns who changes a document, and by which request. */
export function toMetadata(
  { organizationId, principal }: Caller,
  { requestId }: { requestId: string },
): ChangeMetadata {
  return { organizationId, principal, requestId }
}

/** Finds the internal id of an owner; null if there is none, or no such team. */
export async function findOwner(
  db: Database,
  organizationId: string,
  owner: string | null,
): Promise<string | null> {
  return owner === null ? null : await store.findTeamId(db, organizationId, owner)
}

// A document must not name another owner than the request does, and the team must exist.
async function checkOwner(
  nodesMax: number,
  { work, caller, put, draft, ownerTeamId }: ResourceChange<ResourceTypes>,
): Promise<void> {
  const { ownerId, ownerPath } = draft
  const isContradiction = put.owner !== undefined && ownerId !== put.owner
  if (!isContradiction && (ownerId === null || ownerTeamId !== null)) return
  if (ownerPath === undefined) throw unknownTeam(ownerId ?? '', { field: 'owner' }, 'query_invalid')
  const text = { document: put.body.text, mediaType: put.body.mediaType }
  const input = { ...text, path: ownerPath, nodesMax }
  const place = await work.offload.run(caller.organizationId, locateInDocument, input, [text])
  const violation = { field: formatPath(ownerPath), ...place }
  if (!isContradiction) throw unknownTeam(ownerId ?? '', violation)
  const message = `The document names the team "${clip(ownerId ?? '')}", but ?owner= names "${clip(put.owner ?? '')}". Make them equal, or leave ?owner= out.`
  throw invalidDocument([{ ...violation, message }])
}

// Only a dry run computes the consequences.
async function toPlan<T extends ResourceTypes>(
  resource: Resource<T>,
  change: ResourceChange<T>,
): Promise<DocumentPlan> {
  const { draft, state, put } = change
  const outcome = draft.isSame ? 'unchanged' : state.version === null ? 'created' : 'updated'
  const plan = { ...emptyPlan(outcome), level: draft.level, changesJson: draft.changes.json }
  if (!put.dryRun) return plan
  const { warnings, ...consequences } = (await resource.getConsequences?.(change)) ?? {
    affected: [],
    warnings: draft.warnings,
  }
  return { ...plan, ...consequences, warnings: [...warnings] }
}

/** Creates a plan without changes and without affected readers. */
export function emptyPlan(outcome: Plan['outcome']): DocumentPlan {
  return { outcome, level: 'none', changesJson: '[]', warnings: [], affected: [] }
}

function rejectBreaking({ failOn }: DocumentPut, { level, changes }: ResourceDraft): void {
  if (failOn?.includes('breaking') !== true || level !== 'breaking') return
  const { json, breakingCount, firstBreaking = '' } = changes
  const rest = breakingCount > 1 ? ` (and ${breakingCount - 1} more)` : ''
  throw new ApiError('change_breaking', `The change is breaking. ${firstBreaking}${rest}`, {
    extensions: { level },
    jsonExtensions: { changes: json },
  })
}
