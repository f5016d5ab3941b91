import { highestLevel } from '../../formats/diff/level.ts'
import { sortedProblems } from '../../formats/problem.ts'
import type { SourceText } from '../../formats/text.ts'
import { clip, dotted } from '../../formats/value.ts'
import type { Caller } from '../access/caller.ts'
import { may, maySomewhere, type Permission } from '../access/permission.ts'
import { notFound, Refusal } from '../errors.ts'
import type { Plan } from '../history/plan.ts'
import type { Body } from '../http/body.ts'
import { checkPreconditions, type Conditions } from '../http/conditional.ts'
import { invalidDocument, readDocument, readStored } from '../http/document.ts'
import type { Services } from '../http/endpoint.ts'
import { StoreUnavailable, violatedConstraint } from '../kit/connection.ts'
import { digestOf, rowOf } from './document.ts'
import type { DocumentReading, DocumentType } from './document.ts'
import type { ReadDocument, RegisteredDocument } from './document.ts'
import * as store from './store.ts'
import { deprecationWarnings, refuseEndedFormat } from './sunset.ts'

/** What a PUT of a document asks for. */
export interface DocumentPut {
  id: string
  body: Body
  conditions: Conditions
  strict: boolean
  dryRun: boolean
  /** Refuses a change of this level; undefined = changes of every level are taken. */
  failOn?: 'breaking' | undefined
  requestId: string
}

/** A document as it is stored after a PUT, and what the PUT did or would do. */
export interface DocumentPutDone {
  stored: RegisteredDocument
  plan: Plan
}

type Work = Pick<Services, 'db' | 'clock' | 'inTurn' | 'dpsUntil' | 'dcsUntil' | 'baseUrl'>

// Each lost race means that another process wrote: so many in a row do not happen to a healthy one.
const ATTEMPTS_MAX = 50

/**
 * Registers or replaces a document, or with `dryRun` only says what that would do. Errors:
 * permission_missing, precondition_failed, document_invalid, format_ended, change_breaking.
 */
export async function putDocument<Read extends ReadDocument>(
  work: Work,
  caller: Caller,
  type: DocumentType<Read>,
  put: DocumentPut,
): Promise<DocumentPutDone> {
  let body: ReadBody<Read> | undefined
  const readOnce = (): ReadBody<Read> => (body ??= readBody(type, put))
  return await settle(work, caller, type, put.id, () =>
    attemptPut({ work, caller, type, put, readOnce }),
  )
}

interface ReadBody<Read extends ReadDocument> {
  source: SourceText
  reading: DocumentReading<Read>
}

function readBody<Read extends ReadDocument>(
  type: DocumentType<Read>,
  put: DocumentPut,
): ReadBody<Read> {
  const source = readDocument(put.body, type)
  return { source, reading: type.read(source, put) }
}

/**
 * Deletes a document. Errors: not_found, permission_missing, precondition_failed, in_use.
 */
export async function removeDocument<Read extends ReadDocument>(
  work: Work,
  caller: Caller,
  type: DocumentType<Read>,
  remove: { id: string; conditions: Conditions; requestId: string },
): Promise<void> {
  const { db, clock } = work
  await settle(work, caller, type, remove.id, async () => {
    const { organizationId } = caller
    const state = await store.findState(db, clock, type, organizationId, remove.id)
    if (state.version === null || state.owner === null) throw notFound()
    requirePermission(caller, 'RESOURCES_DELETE', state.owner)
    checkPreconditions(remove.conditions, state.digest ?? undefined)
    await type.refuseUse(db, organizationId, remove.id)
    const origin = originOf(caller, remove.requestId)
    const events = type.eventsOf(readState(type, state, remove.id), undefined)
    const { version } = state
    const done = await store.deleteDocument(db, clock, type, origin, remove.id, version, events)
    return done ? true : undefined
  })
}

// Writers of one document take turns in this process; against other processes the version decides,
// and who loses looks again.
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

// What was looked up can be gone when it is written: the owning team, or the number of the next
// version. The store refuses that by a constraint, and the next look tells what became of it.
function undefinedIfOutrun(error: unknown): undefined {
  if (violatedConstraint(error) === undefined) throw error
}

interface Attempt<Read extends ReadDocument> {
  work: Work
  caller: Caller
  type: DocumentType<Read>
  put: DocumentPut
  readOnce(): ReadBody<Read>
}

async function attemptPut<Read extends ReadDocument>(
  attempt: Attempt<Read>,
): Promise<DocumentPutDone | undefined> {
  const { work, caller, type, put } = attempt
  const { db, clock } = work
  const { organizationId } = caller
  const state = await store.findState(db, clock, type, organizationId, put.id)
  if (state.owner !== null && isSameText(state, put)) {
    checkPermission(caller, state, state.owner, state.ownerTeamId)
    checkPreconditions(put.conditions, state.digest ?? undefined)
    refuseEndedFormat(state.format ?? '', state.now, work)
    return { stored: storedOf(state, state.digest ?? ''), plan: emptyPlan('unchanged') }
  }
  const { source, reading } = attempt.readOnce()
  const owner = reading.ok ? reading.read.facts.ownerId : undefined
  const ownerTeamId =
    owner === undefined || owner === state.owner
      ? state.ownerTeamId
      : await store.findTeamId(db, organizationId, owner)
  checkPermission(caller, state, owner, ownerTeamId)
  checkPreconditions(put.conditions, state.digest ?? undefined)
  if (!reading.ok) throw invalidDocument(reading.problems)
  const { read } = reading
  refuseEndedFormat(read.format, state.now, work)
  if (ownerTeamId === null) throw unknownOwner(type, source, read)
  const digest = digestOf(read)
  const isSame = state.digest === digest
  const before = isSame ? read : state.version === null ? undefined : readState(type, state, put.id)
  const plan = await planOf(attempt, { source, reading, before, isSame })
  if (plan.outcome === 'unchanged') return { stored: storedOf(state, digest), plan }
  refuseBreaking(put, plan)
  const known = { externalId: put.id, digest, level: plan.level, ownerTeamId }
  const more = { own: type.columnsOf(read), entry: type.entryOf(read) }
  const row = rowOf(source, read, known, more)
  if (put.dryRun) return { stored: row, plan }
  const origin = originOf(caller, put.requestId)
  const events = type.eventsOf(before, read)
  const { version } = state
  const written =
    version === null
      ? await store.insertDocument(db, clock, type, origin, row, events)
      : await store.updateDocument(db, clock, type, origin, row, events, version)
  return written ? { stored: row, plan } : undefined
}

// What was accepted before, byte for byte, is not read again: most PUTs of a pipeline change nothing.
// A strict or a dry run wants to know more than whether something changes.
function isSameText(state: store.DocumentState, { body, strict, dryRun }: DocumentPut): boolean {
  return !strict && !dryRun && state.document === body.text && state.mediaType === body.mediaType
}

// Whoever may change nothing anywhere learns nothing of teams and documents from a refusal.
function checkPermission(
  caller: Caller,
  state: store.DocumentState,
  newOwner: string | undefined,
  newOwnerId: string | null,
): void {
  const exists = state.owner !== null
  const needed: Permission = exists ? 'RESOURCES_EDIT' : 'RESOURCES_ADD'
  if (!maySomewhere(caller, needed)) throw missing(needed, newOwner ?? state.owner ?? undefined)
  if (state.owner !== null) requirePermission(caller, 'RESOURCES_EDIT', state.owner)
  if (newOwner !== undefined && newOwnerId !== null) requirePermission(caller, needed, newOwner)
}

function requirePermission(caller: Caller, permission: Permission, team: string): void {
  if (!may(caller, permission, team)) throw missing(permission, team)
}

function missing(permission: Permission, team: string | undefined): Refusal {
  const on = team === undefined ? 'the owning team' : `team ${clip(team)}`
  return new Refusal('permission_missing', `${permission} on ${on} is missing.`)
}

interface Planned<Read extends ReadDocument> {
  source: SourceText
  reading: DocumentReading<Read> & { ok: true }
  before: Read | undefined
  /** Both documents mean the same. */
  isSame: boolean
}

// Whom a change concerns is asked for by a dry run alone.
async function planOf<Read extends ReadDocument>(
  { work, caller, type, put }: Attempt<Read>,
  { source, reading, before, isSame }: Planned<Read>,
): Promise<Plan> {
  const { read: after } = reading
  const outcome = isSame ? 'unchanged' : before === undefined ? 'created' : 'updated'
  const changes = before === undefined || isSame ? [] : type.diff(before, after)
  const plan = { ...emptyPlan(outcome), level: highestLevel(changes), changes }
  if (!put.dryRun) return plan
  const { organizationId } = caller
  const change = { organizationId, id: put.id, source, before, after, isSame }
  const { warnings, ...consequences } = await type.consequencesOf(work.db, change)
  const deprecation = deprecationWarnings(after.format, work)
  const all = sortedProblems([...deprecation, ...reading.warnings, ...warnings])
  return { ...plan, ...consequences, warnings: all }
}

function emptyPlan(outcome: Plan['outcome']): Plan {
  return { outcome, level: 'none', changes: [], warnings: [], affected: [] }
}

function refuseBreaking({ failOn }: DocumentPut, { level, changes }: Plan): void {
  if (failOn !== 'breaking' || level !== 'breaking') return
  const breaking = changes.filter((change) => change.level === 'breaking')
  const [first] = breaking
  const rest = breaking.length > 1 ? ` (and ${breaking.length - 1} more)` : ''
  throw new Refusal('change_breaking', `The change is breaking. ${first?.message ?? ''}${rest}`, {
    extensions: { level, changes },
  })
}

function readState<Read extends ReadDocument>(
  type: DocumentType<Read>,
  state: store.DocumentState,
  id: string,
): Read {
  const { document, mediaType } = state
  if (document === null || mediaType === null) throw new Error('a row without a document')
  const source = readStored({ document, mediaType })
  const reading = type.read(source, { id, strict: false, isAccepted: true })
  if (!reading.ok) throw new Error(`the stored ${type.called} ${id} is not readable any more`)
  return reading.read
}

function storedOf(state: store.DocumentState, digest: string): RegisteredDocument {
  const { document, documentJson, mediaType, format } = state
  if (document === null || mediaType === null || format === null) {
    throw new Error('a row without a document')
  }
  return { document, documentJson, mediaType, format, digest }
}

function originOf(caller: Caller, requestId: string): store.ChangeOrigin {
  return { organizationId: caller.organizationId, principal: caller.principal, requestId }
}

function unknownOwner<Read extends ReadDocument>(
  type: DocumentType<Read>,
  source: SourceText,
  read: Read,
): Refusal {
  const path = type.ownerPath(read)
  const message = `There is no team “${clip(read.facts.ownerId)}”; register it first with PUT /api/teams/{id}.`
  return invalidDocument([{ field: dotted(path), message, ...source.locate(path) }])
}
