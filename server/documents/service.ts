import { sortedProblems } from '../../formats/text/problem.ts'
import { clip, dotted } from '../../formats/text/value.ts'
import type { Caller } from '../access/caller.ts'
import { notFound, Refusal } from '../errors.ts'
import type { Plan } from '../history/plan.ts'
import type { ChangeMetadata } from '../history/revision.ts'
import type { Body } from '../http/body.ts'
import { checkPreconditions, type Conditions } from '../http/conditional.ts'
import {
  invalidDocument,
  locateInDocument,
  unknownTeam,
  type StoredText,
} from '../http/document.ts'
import type { Services } from '../http/endpoint.ts'
import { StoreUnavailable, violatedConstraint } from '../kit/connection.ts'
import { checkPermission, requirePermission, requireWriter } from './authorization-service.ts'
import type { DocumentRow, RegisteredDocument } from './document.ts'
import type { DocumentType } from './document-type.ts'
import * as store from './store.ts'
import { deprecationWarnings, refuseEndedFormat } from './sunset.ts'
import type { Assessment } from './task.ts'

/** A PUT of a document. */
export interface DocumentPut {
  id: string
  body: Body
  conditions: Conditions
  strict: boolean
  dryRun: boolean
  /** Rejects changes of this level; undefined accepts every change. */
  failOn?: 'breaking' | undefined
  /** External id of the owner if the document names none. */
  owner?: string | undefined
  requestId: string
}

/** The stored document after a PUT, and the plan of the change. */
export interface DocumentPutDone {
  stored: RegisteredDocument
  plan: DocumentPlan
}

/** The plan of a change. */
export interface DocumentPlan extends Omit<Plan, 'changes'> {
  /** A JSON array of changes; empty except for dry runs. */
  changesJson: string
}

type Work = Pick<
  Services,
  'db' | 'clock' | 'inTurn' | 'offload' | 'dpsUntil' | 'dcsUntil' | 'baseUrl'
>

// Each attempt lost a race against another process. A healthy store never loses this many in a row.
const ATTEMPTS_MAX = 50

/**
 * Registers or replaces a document, or with `dryRun` only returns what that would do. Errors: permission_missing,
 * precondition_failed, document_invalid, query_invalid, document_too_costly, overloaded, format_ended,
 * change_breaking.
 */
export async function putDocument<Outlook>(
  work: Work,
  caller: Caller,
  type: DocumentType<Outlook>,
  put: DocumentPut,
): Promise<DocumentPutDone> {
  const last: Attempt<Outlook>['last'] = { version: undefined, assessment: undefined }
  return await settle(work, caller, type, put.id, () =>
    attemptPut({ work, caller, type, put, last }),
  )
}

/** A request to delete a document. */
interface DocumentRemoval {
  id: string
  conditions: Conditions
  requestId: string
}

/**
 * Deletes a document. Errors: not_found, permission_missing, precondition_failed, in_use.
 */
export async function removeDocument(
  work: Work,
  caller: Caller,
  type: DocumentType,
  removal: DocumentRemoval,
): Promise<void> {
  const { db, clock } = work
  const { id } = removal
  await settle(work, caller, type, id, async () => {
    const { organizationId } = caller
    const { state, version } = await findDeletable(work, caller, type, removal)
    const metadata = toChangeMetadata(caller, removal.requestId)
    const input = { ...textOf(state), id }
    const events = await work.offload.run(organizationId, type.tasks.listDeletionEvents, input, [
      input,
    ])
    const done = await store.deleteDocument(db, clock, type, metadata, id, version, events)
    return done ? true : undefined
  })
}

/**
 * Returns what deleting a document would do; nothing is written. It is breaking if a data product
 * reads the document. Errors: as those of `removeDocument`, and document_too_costly, overloaded.
 */
export async function planDeletion(
  work: Work,
  caller: Caller,
  type: DocumentType,
  removal: DocumentRemoval,
): Promise<DocumentPlan> {
  const { id } = removal
  const { state } = await findDeletable(work, caller, type, removal)
  const document = { id, json: state.documentJson ?? state.document ?? '' }
  const affected = await type.listReaders(work, caller.organizationId, document)
  return { ...emptyPlan('deleted'), level: affected.length > 0 ? 'breaking' : 'none', affected }
}

async function findDeletable(
  work: Work,
  caller: Caller,
  type: DocumentType,
  { id, conditions }: DocumentRemoval,
): Promise<{ state: store.DocumentState; version: number }> {
  const { organizationId } = caller
  const state = await store.findState(work.db, work.clock, type, organizationId, id)
  const { version } = state
  if (version === null) throw notFound()
  requirePermission(caller, 'RESOURCES_DELETE', state.owner, type)
  checkPreconditions(conditions, state.digest ?? undefined)
  await type.refuseUse(work, organizationId, id)
  return { state, version }
}

// Writers of one document take turns in this process. Across processes the version decides, and the loser
// tries again.
async function settle<T>(
  work: Work,
  caller: Caller,
  { kind, called }: { kind: string; called: string },
  id: string,
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  return await work.inTurn(`${caller.organizationId}/${kind}/${id}`, async () => {
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
      const done = await attempt().catch(undefinedIfOutrun)
      if (done !== undefined) return done
    }
    throw new StoreUnavailable(`too many writers change one ${called}`)
  })
}

// A team that was deleted or a version that was taken since it was read violates a constraint; the next
// attempt finds out which.
function undefinedIfOutrun(error: unknown): undefined {
  if (violatedConstraint(error) === undefined) throw error
}

interface Attempt<Outlook> {
  work: Work
  caller: Caller
  type: DocumentType<Outlook>
  put: DocumentPut
  /** The result of the previous attempt, by the version that the document was compared with. */
  last: { version: number | null | undefined; assessment: Assessment<Outlook> | undefined }
}

type Accepted<Outlook> = Assessment<Outlook> & { ok: true }

async function attemptPut<Outlook>(
  attempt: Attempt<Outlook>,
): Promise<DocumentPutDone | undefined> {
  const { work, caller, type, put } = attempt
  const { db, clock } = work
  const { organizationId } = caller
  const bytes = Buffer.byteLength(put.body.text)
  const state = await store.findState(db, clock, type, organizationId, put.id, bytes)
  if (state.version !== null && isSameText(state, put)) {
    requirePermission(caller, 'RESOURCES_EDIT', state.owner, type)
    checkPreconditions(put.conditions, state.digest ?? undefined)
    refuseEndedFormat(state.format ?? '', state.now, work)
    return { stored: toRegistered(state), plan: emptyPlan('unchanged') }
  }
  requireWriter(caller, state)
  const assessment = await assess(attempt, state)
  const ownerId = assessment.ok ? assessment.ownerId : undefined
  const ownerTeamId = await findOwner(attempt, state, ownerId)
  checkPermission(attempt, state, { id: ownerId, teamId: ownerTeamId })
  checkPreconditions(put.conditions, state.digest ?? undefined)
  if (!assessment.ok) throw invalidDocument(assessment.problems)
  refuseEndedFormat(assessment.format, state.now, work)
  await checkOwner(attempt, assessment, ownerTeamId)
  const plan = await planOf(attempt, state, assessment)
  if (plan.outcome === 'unchanged') {
    const stored = await findStored(attempt, state)
    return stored && { stored, plan }
  }
  refuseBreaking(put, assessment)
  const { format, digest, level } = assessment
  const { text: document, mediaType } = put.body
  const stored = {
    document,
    documentJson: null,
    mediaType,
    format,
    digest,
    level,
    ownerId: assessment.ownerId,
  }
  if (assessment.row === undefined) return { stored, plan }
  const row = { ...stored, ...assessment.row, externalId: put.id, ownerTeamId }
  return (await write(attempt, state, row, assessment)) ? { stored: row, plan } : undefined
}

async function write<Outlook>(
  { work, caller, type, put }: Attempt<Outlook>,
  { version }: store.DocumentState,
  row: DocumentRow,
  { events }: Accepted<Outlook>,
): Promise<boolean> {
  const { db, clock } = work
  const metadata = toChangeMetadata(caller, put.requestId)
  return version === null
    ? await store.insertDocument(db, clock, type, metadata, row, events)
    : await store.updateDocument(db, clock, type, metadata, row, events, version)
}

// After a lost race the document is compared with the version that won.
async function assess<Outlook>(
  { work, caller, type, put, last }: Attempt<Outlook>,
  state: store.DocumentState,
): Promise<Assessment<Outlook>> {
  if (last.assessment !== undefined && last.version === state.version) return last.assessment
  const { id, body, strict, dryRun, failOn } = put
  const before = state.version === null ? undefined : textOf(state)
  const input = {
    id,
    text: body.text,
    mediaType: body.mediaType,
    strict,
    dryRun,
    before,
    withChanges: dryRun || failOn !== undefined,
    digest: state.digest,
    owner: { requested: put.owner, current: state.owner, callerTeam: caller.team },
  }
  const texts = [{ document: body.text, mediaType: body.mediaType }, ...(before ? [before] : [])]
  const { organizationId } = caller
  last.assessment = await work.offload.run(organizationId, type.tasks.assess, input, texts)
  last.version = state.version
  return last.assessment
}

// Most PUTs of a pipeline send the stored text again. It was accepted before and is not parsed, unless a
// strict or a dry run needs the details.
function isSameText(state: store.DocumentState, put: DocumentPut): boolean {
  const { body, strict, dryRun, owner = state.owner } = put
  if (strict || dryRun || owner !== state.owner) return false
  return state.document === body.text && state.mediaType === body.mediaType
}

async function findOwner<Outlook>(
  { work, caller }: Attempt<Outlook>,
  state: store.DocumentState,
  owner: string | null | undefined,
): Promise<string | null> {
  if (owner === undefined || owner === null) return null
  if (owner === state.owner) return state.ownerTeamId
  return await store.findTeamId(work.db, caller.organizationId, owner)
}

// Only a dry run computes the affected consumers.
async function planOf<Outlook>(
  { work, caller, type, put }: Attempt<Outlook>,
  { version }: store.DocumentState,
  assessment: Accepted<Outlook>,
): Promise<DocumentPlan> {
  const { isSame, level, changes, outlook } = assessment
  const outcome = isSame ? 'unchanged' : version === null ? 'created' : 'updated'
  const plan = { ...emptyPlan(outcome), level, changesJson: changes.json }
  if (outlook === undefined) return plan
  const { organizationId } = caller
  const change = { organizationId, id: put.id, outlook, isUpdate: version !== null && !isSame }
  const { warnings, ...consequences } = await type.consequencesOf(work, change)
  const deprecation = deprecationWarnings(assessment.format, work)
  const all = sortedProblems([...deprecation, ...assessment.warnings, ...warnings])
  return { ...plan, ...consequences, warnings: all }
}

function emptyPlan(outcome: Plan['outcome']): DocumentPlan {
  return { outcome, level: 'none', changesJson: '[]', warnings: [], affected: [] }
}

function refuseBreaking<Outlook>(
  { failOn }: DocumentPut,
  { level, changes }: Accepted<Outlook>,
): void {
  if (failOn !== 'breaking' || level !== 'breaking') return
  const { json, breakingCount, firstBreaking = '' } = changes
  const rest = breakingCount > 1 ? ` (and ${breakingCount - 1} more)` : ''
  throw new Refusal('change_breaking', `The change is breaking. ${firstBreaking}${rest}`, {
    extensions: { level },
    jsonExtensions: { changes: json },
  })
}

// The JSON form of a YAML document parses many times faster.
function textOf({ document, documentJson, mediaType }: store.DocumentState): StoredText {
  if (documentJson !== null) return { document: documentJson, mediaType: 'application/json' }
  if (document === null || mediaType === null) throw new Error('a row without a document')
  return { document, mediaType }
}

// If the document has a JSON form, its text was not read with the state. Undefined if it has changed since.
async function findStored<Outlook>(
  { work, caller, type, put }: Attempt<Outlook>,
  state: store.DocumentState,
): Promise<RegisteredDocument | undefined> {
  if (state.document !== null) return toRegistered(state)
  const found = await store.findDocument(work.db, type, caller.organizationId, put.id)
  return found?.digest === state.digest ? found : undefined
}

function toRegistered(state: store.DocumentState): RegisteredDocument {
  const { document, documentJson, mediaType, format, digest, owner: ownerId } = state
  if (document === null || mediaType === null || format === null || digest === null) {
    throw new Error('a row without a document')
  }
  return { document, documentJson, mediaType, format, digest, ownerId }
}

function toChangeMetadata(caller: Caller, requestId: string): ChangeMetadata {
  return { organizationId: caller.organizationId, principal: caller.principal, requestId }
}

// A document must not name another owner than the request does, and the team must exist.
async function checkOwner<Outlook>(
  { work, caller, type, put }: Attempt<Outlook>,
  { ownerId, ownerPath, isOwnerInDocument }: Accepted<Outlook>,
  ownerTeamId: string | null,
): Promise<void> {
  const isContradiction = put.owner !== undefined && ownerId !== put.owner
  if (!isContradiction && (ownerId === null || ownerTeamId !== null)) return
  if (!isOwnerInDocument) throw unknownTeam(ownerId ?? '', { field: 'owner' }, 'query_invalid')
  const contradiction = `The document names the team "${clip(ownerId ?? '')}", but ?owner= names "${clip(put.owner ?? '')}". Make them equal, or leave ?owner= out.`
  const text = { document: put.body.text, mediaType: put.body.mediaType }
  const input = { ...text, path: ownerPath, nodesMax: type.nodesMax }
  const place = await work.offload.run(caller.organizationId, locateInDocument, input, [text])
  const violation = { field: dotted(ownerPath), ...place }
  throw isContradiction
    ? invalidDocument([{ ...violation, message: contradiction }])
    : unknownTeam(ownerId ?? '', violation)
}
