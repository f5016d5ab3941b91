import type { SentAgreement } from '../../formats/agreement/agreement.ts'
import type { OaasRemarks } from '../../formats/bitol/oaas/read.ts'
import type { ActivityActor } from '../ledger/activity/entry.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { readTime, type Instant } from '../platform/kit/clock.ts'
import { retryLostRaces } from '../platform/kit/lost-races.ts'
import type { Database } from '../platform/tables.ts'
import type { Caller } from '../requests/access/caller.ts'
import type { Body } from '../requests/http/body.ts'
import { checkPreconditions, type Conditions } from '../requests/http/conditional.ts'
import { invalidDocument, unsupportedFormat } from '../requests/http/document.ts'
import type { Services } from '../requests/http/endpoint.ts'
import {
  isSameConsumer,
  toEntityDigest,
  type Agreement,
  type AgreementDraftWrite,
  type AgreementKey,
} from './agreement.ts'
import {
  amend,
  isInForce,
  isOpen,
  listDeletionEvents,
  requestCourse,
  settleAgreement,
  toWrite,
  type CurrentAgreement,
} from './lifecycle.ts'
import { NO_BASIS, requireConsumer, requirePort, toConsumer } from './party-service.ts'
import { holdParties } from './party-store.ts'
import { listOaasWarnings, requireStatedOwner } from './oaas-remarks.ts'
import { isSameAccess, requireApprover, requireProvider, requireRequester } from './permission.ts'
import { findAgreement } from './read-store.ts'
import { presentDraft, readSentAgreement, type AccessPort, type AgreementDraft } from './task.ts'
import type { AccessOutcome } from './ui-schema.ts'
import * as store from './write-store.ts'

/** The services that change agreements. */
export type AgreementServices = Pick<Services, 'db' | 'clock' | 'offload' | 'serialize'>

/**
 * Runs work on an agreement as it is now; undefined = there is none. While the work returns undefined, because another
 * writer was first, it runs again with the newer agreement.
 */
export async function withCurrent<Done>(
  { db, clock, serialize }: Pick<AgreementServices, 'db' | 'clock' | 'serialize'>,
  { organizationId, id }: AgreementKey,
  work: (current: CurrentAgreement | undefined) => Promise<Done | undefined>,
): Promise<Done> {
  const key = JSON.stringify([organizationId, 'access', id])
  return await retryLostRaces({ serialize, key, called: 'agreement' }, async () => {
    const stored = await findAgreement(db, clock, { organizationId, id })
    return await work(stored && settleAgreement(stored))
  })
}

/**
 * Writes a new or changed agreement with what time has changed until then, if `verify` passes, while its parties exist.
 * Returns it as stored; undefined = another writer was first. Errors: document_too_costly, overloaded.
 */
export async function saveAgreement(
  { db, clock, offload }: AgreementServices,
  draft: AgreementDraftWrite,
  actor: ActivityActor,
  verify?: (transaction: Database, agreement: Agreement) => Promise<void>,
): Promise<Agreement | undefined> {
  const write = await presentDraft(offload, draft)
  const { agreement } = write
  if (agreement.digest === draft.former?.digest) return draft.former
  const save = async (on: Database): Promise<boolean> => {
    await verify?.(on, agreement)
    if (agreement.version === 0) return await store.insertAgreement(on, clock, write, actor)
    return (await store.updateAgreements(on, clock, [write], actor)).length > 0
  }
  const { basis } = draft
  const isDone = basis
    ? await db.transaction().execute(async (transaction) => {
        // From here on, its parties and the documents that it is based on can be neither changed nor deleted.
        return (await holdParties(transaction, agreement, basis)) && (await save(transaction))
      })
    : await save(db)
  return isDone ? await findAgreement(db, clock, agreement) : undefined
}

/** A change of one agreement. */
interface AgreementUpdate {
  id: string
  requestId: string
  /** Returns the changed agreement and its events; undefined if nothing changes. Errors are those of the change. */
  change(
    agreement: Agreement,
    now: Instant,
  ): Promise<AgreementDraftWrite | undefined> | AgreementDraftWrite | undefined
}

/**
 * Changes an agreement. Returns it as stored. Errors: not_found, those of the change, document_too_costly, overloaded.
 */
export async function updateAgreement(
  services: AgreementServices,
  { organizationId, principal }: Caller,
  { id, requestId, change }: AgreementUpdate,
): Promise<Agreement> {
  return await withCurrent(services, { organizationId, id }, async (current) => {
    if (current === undefined) throw notFound()
    const { agreement, now, due } = current
    const draft = await change(agreement, now)
    if (draft === undefined) return agreement
    const events = [...due, ...draft.events]
    return await saveAgreement(services, { ...draft, events }, { principal, requestId })
  })
}

/**
 * Changes several things one after the other, so that the statements of one request do not take the connections of all
 * others. One that fails does not affect the others. Returns an outcome for each, in their order. Errors:
 * store_unavailable.
 */
export async function collectOutcomes<Item>(
  items: readonly Item[],
  change: (item: Item, at: number) => Promise<Agreement>,
): Promise<AccessOutcome[]> {
  const outcomes: AccessOutcome[] = []
  for (const [at, item] of items.entries()) outcomes.push(await toOutcome(change(item, at)))
  return outcomes
}

async function toOutcome(work: Promise<Agreement>): Promise<AccessOutcome> {
  try {
    const { id, state } = await work
    return { id, state, problem: null }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message, violations } = error
    const [violation] = violations
    return { id: null, state: null, problem: { code, detail: violation?.message ?? message } }
  }
}

/** A PUT of an agreement. */
interface AgreementPut {
  id: string
  body: Body
  conditions: Conditions
  requestId: string
}

/** A stored agreement, and remarks about a document in the form of Bitol's draft. */
interface PutOutcome {
  agreement: Agreement
  /** Sentences. */
  warnings: string[]
  losses: OaasRemarks['losses']
}

/**
 * Requests access, or replaces the document of an agreement; its decision stays. The same terms again write nothing.
 * Errors: permission_missing, precondition_failed, document_invalid, invalid_state, and those of `readDocument`.
 */
export async function putAgreement(
  services: AgreementServices,
  caller: Caller,
  { id, body, conditions, requestId }: AgreementPut,
): Promise<PutOutcome> {
  const { organizationId, principal } = caller
  const texts = [{ document: body.text, mediaType: body.mediaType }]
  const draft = await services.offload.run(
    organizationId,
    readSentAgreement,
    { ...body, id },
    texts,
  )
  const agreement = await withCurrent(services, { organizationId, id }, async (current) => {
    if (current !== undefined) {
      requireProvider(caller, 'ACCESS_EDIT', current.agreement, { orConsumer: true })
    }
    checkPreconditions(conditions, current && toEntityDigest(current.agreement))
    if (!draft.ok) {
      throw (draft.isUnsupported ?? false)
        ? unsupportedFormat(draft.problems)
        : invalidDocument(draft.problems)
    }
    const sent = { draft, body }
    const write = current
      ? await amendAgreement(services, caller, current, sent)
      : (await newAgreement(services, caller, { id, ...sent })).write
    if (write === undefined) return current?.agreement
    return await saveAgreement(services, write, { principal, requestId })
  })
  const oaas = draft.ok ? draft.oaas : undefined
  const warnings = oaas === undefined ? [] : listOaasWarnings(oaas, agreement)
  return { agreement, warnings, losses: oaas?.losses ?? [] }
}

/** Deletes an agreement. Errors: not_found, permission_missing, precondition_failed. */
export async function deleteAgreement(
  services: AgreementServices,
  caller: Caller,
  { id, conditions, requestId }: { id: string; conditions: Conditions; requestId: string },
): Promise<void> {
  const { organizationId, principal } = caller
  await withCurrent(services, { organizationId, id }, async (current) => {
    if (current === undefined) throw notFound()
    const { agreement, due } = current
    requireProvider(caller, 'ACCESS_DELETE', agreement)
    checkPreconditions(conditions, toEntityDigest(agreement))
    const events = [...due, ...listDeletionEvents(agreement)]
    const deletion = { principal, requestId, events }
    const isDone = await store.deleteAgreement(services.db, services.clock, agreement, deletion)
    return isDone ? true : undefined
  })
}

/** An agreement that was read from a request. */
interface SentDraft {
  draft: Extract<AgreementDraft, { ok: true }>
  body: Body
}

/** A new agreement, and the port that it is about. */
interface NewAgreement {
  write: AgreementDraftWrite
  port: AccessPort
  /** The store's clock. */
  now: Instant
}

/** Creates the agreement of a request. Errors: document_invalid, permission_missing. */
export async function newAgreement(
  services: AgreementServices,
  caller: Caller,
  { id, draft, body }: SentDraft & { id: string },
): Promise<NewAgreement> {
  const { db, clock } = services
  const { organizationId, principal, responsibleId } = caller
  const { sent } = draft
  const { provider, port, basis } = await requirePort(services, organizationId, sent)
  const consumer = await requireConsumer(db, organizationId, sent.consumer)
  requireRequester(caller, { ...provider, ...consumer })
  requireStatedOwner(draft.oaas, provider)
  const now = await readTime(db, clock)
  const { course, events } = requestCourse(sent.terms)
  const agreement = {
    organizationId,
    id,
    version: 0,
    requestedAt: now,
    requestedBy: principal,
    requestedByUser: responsibleId ?? null,
    decidedAt: null,
    decidedBy: null,
    decisionReason: null,
    endReason: null,
    contractChangedAt: null,
    contractChangedLevel: null,
    provisioning: null,
    provisioningVersion: 0,
    createdAt: now,
    updatedAt: now,
    updatedBy: principal,
    ...toColumns({ draft, body }),
    ...provider,
    ...consumer,
    ...course,
  }
  return { write: { agreement, events, basis }, port, now }
}

function toColumns({ draft: { sent, digest, documentJson, format }, body }: SentDraft) {
  const { text: document, mediaType } = body
  return { document, documentJson, mediaType, format, digest, purpose: sent.purpose }
}

// Undefined = the document means the same as the stored one.
async function amendAgreement(
  services: AgreementServices,
  caller: Caller,
  { agreement, now, due }: CurrentAgreement,
  { draft, body }: SentDraft,
): Promise<AgreementDraftWrite | undefined> {
  if ([draft.digest, draft.formerDigest].includes(agreement.digest)) {
    requireStatedOwner(draft.oaas, agreement)
    return undefined
  }
  if (agreement.state !== 'requested') requireProvider(caller, 'ACCESS_EDIT', agreement)
  const parties = await changeParties(services, caller, agreement, draft.sent)
  requireStatedOwner(draft.oaas, parties.agreement)
  // Decisions and time have set the dates of an agreement that has ended.
  const { startOn, endOn } = isOpen(agreement) ? draft.sent.terms : agreement
  const terms = { ...draft.sent.terms, startOn, endOn }
  if (isInForce(agreement) && !isSameAccess(terms, agreement)) requireApprover(caller, agreement)
  const document = { ...parties.agreement, ...toColumns({ draft, body }) }
  const write = toWrite(document, amend(agreement, now, terms), caller.principal)
  const events = [...due, ...write.events]
  // The dates of an ended agreement stay, so that only they may have differed.
  return { ...write, events, basis: parties.basis, former: agreement }
}

// A change of the parties is a request of the caller.
async function changeParties(
  services: AgreementServices,
  caller: Caller,
  agreement: Agreement,
  sent: SentAgreement,
): Promise<Pick<AgreementDraftWrite, 'agreement' | 'basis'>> {
  const { organizationId, principal, responsibleId } = caller
  const isPort = sent.productId === agreement.productId && sent.port === agreement.port
  const isConsumer = isSameConsumer(toConsumer(sent.consumer), agreement)
  const port = isPort ? undefined : await requirePort(services, organizationId, sent)
  const consumer = isConsumer
    ? undefined
    : await requireConsumer(services.db, organizationId, sent.consumer)
  const changed = { ...agreement, ...port?.provider, ...consumer }
  const isSame = changed.productId === agreement.productId && changed.port === agreement.port
  if (isSame && isSameConsumer(changed, agreement)) return { agreement }
  if (agreement.state !== 'requested') {
    throw new ApiError(
      'invalid_state',
      'The output port and the consumer cannot change after the decision. Request another agreement.',
    )
  }
  requireRequester(caller, changed)
  const requester = { requestedBy: principal, requestedByUser: responsibleId ?? null }
  return { agreement: { ...changed, ...requester }, basis: port?.basis ?? NO_BASIS }
}
