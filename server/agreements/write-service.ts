import type { SentAgreement } from '../../formats/agreement/agreement.ts'
import type { Caller } from '../requests/access/caller.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import type { Body } from '../requests/http/body.ts'
import { checkPreconditions, type Conditions } from '../requests/http/conditional.ts'
import { invalidDocument } from '../requests/http/document.ts'
import { readTime, type Instant } from '../platform/kit/clock.ts'
import { retryLostRaces } from '../platform/kit/lost-races.ts'
import {
  pickConsumer,
  pickProvider,
  toEntityDigest,
  toNewAgreement,
  type Agreement,
  type AgreementBasis,
  type AgreementConsumer,
  type AgreementProvider,
} from './agreement.ts'
import {
  presentWrites,
  readWritten,
  settleAgreement,
  toContended,
  toWrite,
  type AgreementDraftWrite,
  type AgreementServices,
} from './change-service.ts'
import { amend, isInForce, isOpen, listDeletionEvents, requestCourse } from './lifecycle.ts'
import { NO_BASIS, requireConsumer, requirePort, withParties } from './party-service.ts'
import { isSameAccess, requireApprover, requireProvider, requireRequester } from './rule.ts'
import type { Database } from '../platform/tables.ts'
import * as removal from './removal-store.ts'
import * as store from './store.ts'
import { readSentAgreement, type AccessPort, type AgreementDraft } from './task.ts'

/** A PUT of an agreement. */
export interface AgreementPut {
  id: string
  body: Body
  conditions: Conditions
  requestId: string
}

type ReadDraft = Extract<AgreementDraft, { ok: true }>

/**
 * Requests access, or replaces the document of an agreement; its decision stays. The same terms again write nothing.
 * Errors: permission_missing, precondition_failed, document_invalid, invalid_state, and those of `readDocument`.
 */
export async function putAgreement(
  services: AgreementServices,
  caller: Caller,
  put: AgreementPut,
): Promise<Agreement> {
  const { db, clock, offload, serialize } = services
  const { organizationId, principal } = caller
  const { id, body, conditions, requestId } = put
  const texts = [{ document: body.text, mediaType: body.mediaType }]
  const draft = await offload.run(organizationId, readSentAgreement, { ...body, id }, texts)
  const key = { organizationId, id }
  return await retryLostRaces(toContended(serialize, key), async () => {
    const stored = await store.findAgreement(db, clock, key)
    const current = stored && settleAgreement(stored)
    if (current !== undefined) requireEditor(caller, current.agreement)
    const tag = current && toEntityDigest(current.agreement)
    checkPreconditions(conditions, tag)
    if (!draft.ok) throw invalidDocument(draft.problems)
    const write = current
      ? await amendAgreement(services, caller, current, { draft, body })
      : (await newAgreement(services, caller, { id, draft, body })).write
    if (write === undefined) return current?.agreement
    const [ready] = await presentWrites(services, organizationId, [write])
    if (ready === undefined) return undefined
    // The dates of an ended agreement stay, so that only they may have differed.
    if (ready.agreement.digest === current?.agreement.digest) return current.agreement
    const change = { principal, requestId }
    const save = async (db: Database): Promise<boolean> =>
      current === undefined
        ? await store.insertAgreement(db, clock, ready, change)
        : (await store.updateAgreements(db, clock, [ready], change)).length > 0
    const { basis } = write
    const isDone = basis ? await withParties(db, ready.agreement, basis, save) : await save(db)
    return isDone === true ? await readWritten(services, key) : undefined
  })
}

/** Deletes an agreement. Errors: not_found, permission_missing, precondition_failed. */
export async function deleteAgreement(
  { db, clock, serialize }: AgreementServices,
  caller: Caller,
  { id, conditions, requestId }: { id: string; conditions: Conditions; requestId: string },
): Promise<void> {
  const { organizationId, principal } = caller
  const key = { organizationId, id }
  await retryLostRaces(toContended(serialize, key), async () => {
    const stored = await store.findAgreement(db, clock, key)
    if (stored === undefined) throw notFound()
    const { agreement, due } = settleAgreement(stored)
    requireProvider(caller, 'ACCESS_DELETE', agreement)
    checkPreconditions(conditions, toEntityDigest(agreement))
    const events = [...due, ...listDeletionEvents(agreement)]
    const isDone = await removal.deleteAgreement(db, clock, agreement, {
      principal,
      requestId,
      events,
    })
    return isDone ? true : undefined
  })
}

/** An agreement that was read from a request. */
export interface SentDraft {
  draft: ReadDraft
  body: Body
}

/** A new agreement, and the port that it is about. */
export interface NewAgreement {
  write: AgreementDraftWrite
  port: AccessPort
  productName: string
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
  const { organizationId, principal } = caller
  const { sent } = draft
  const { provider, port, productName, basis } = await requirePort(services, organizationId, sent)
  const consumer = await requireConsumer(db, organizationId, sent.consumer)
  requireRequester(caller, { ...provider, ...consumer })
  const now = await readTime(db, clock)
  const { course, events } = requestCourse(sent.terms)
  const agreement = {
    ...toNewAgreement({ organizationId, id }, { principal, userId: caller.userId, now }),
    ...toColumns({ draft, body }),
    ...provider,
    ...consumer,
    ...course,
  }
  return { write: { agreement, events, basis }, port, productName, now }
}

function toColumns({ draft: { sent, digest, documentJson }, body }: SentDraft) {
  const { text: document, mediaType } = body
  return { document, documentJson, mediaType, digest, purpose: sent.purpose }
}

/** An agreement, the store's clock, and the events of what time has changed. */
type Current = ReturnType<typeof settleAgreement>

// Undefined = the document means the same as the stored one.
async function amendAgreement(
  services: AgreementServices,
  caller: Caller,
  { agreement, now, due }: Current,
  { draft, body }: SentDraft,
): Promise<AgreementDraftWrite | undefined> {
  if ([draft.digest, draft.formerDigest].includes(agreement.digest)) return undefined
  if (agreement.state !== 'requested') requireProvider(caller, 'ACCESS_EDIT', agreement)
  const { parties, basis } = await findNewParties(services, caller, agreement, draft.sent)
  // Decisions and time have set the dates of an agreement that has ended.
  const { startOn, endOn } = isOpen(agreement) ? draft.sent.terms : agreement
  const terms = { ...draft.sent.terms, startOn, endOn }
  if (isInForce(agreement) && !isSameAccess(terms, agreement)) requireApprover(caller, agreement)
  const changed = { ...agreement, ...toColumns({ draft, body }), ...parties }
  const write = toWrite(changed, amend(agreement, now, terms), caller.principal)
  return { ...write, events: [...due, ...write.events], basis }
}

interface NewParties {
  parties: Partial<
    AgreementProvider & AgreementConsumer & Pick<Agreement, 'requestedBy' | 'requestedByUser'>
  >
  basis: AgreementBasis | undefined
}

// Undefined members stay as they are. A change of the parties is a request of the caller.
async function findNewParties(
  services: AgreementServices,
  caller: Caller,
  agreement: Agreement,
  sent: SentAgreement,
): Promise<NewParties> {
  const { organizationId } = caller
  const { provider, basis } = isSameProvider(sent, agreement)
    ? { provider: agreement, basis: NO_BASIS }
    : await requirePort(services, organizationId, sent)
  const consumer = isSameConsumer(sent.consumer, agreement)
    ? agreement
    : await requireConsumer(services.db, organizationId, sent.consumer)
  const isSame =
    provider.productId === agreement.productId &&
    provider.port === agreement.port &&
    isSameConsumer(toSentConsumer(consumer), agreement)
  if (isSame) return { parties: {}, basis: undefined }
  if (agreement.state !== 'requested') {
    throw new ApiError(
      'invalid_state',
      'The output port and the consumer cannot change after the decision. Request another agreement.',
    )
  }
  const { providerTeam } = provider
  const parties = { ...pickProvider(provider), ...pickConsumer(consumer) }
  requireRequester(caller, { ...parties, providerTeam })
  const { principal, userId } = caller
  const requester = { requestedBy: principal, requestedByUser: userId ?? null }
  return { parties: { ...parties, ...requester }, basis }
}

function isSameProvider({ productId, port }: SentAgreement, agreement: Agreement): boolean {
  return productId === agreement.productId && port === agreement.port
}

function isSameConsumer(
  { type, teamId, userId, productId }: SentAgreement['consumer'],
  { consumerType, consumerTeam, consumerUser, consumerProduct }: AgreementConsumer,
): boolean {
  if (type !== consumerType) return false
  if (type === 'dataproduct') return productId === consumerProduct
  return type === 'team' ? teamId === consumerTeam : userId === consumerUser
}

function toSentConsumer(consumer: AgreementConsumer): SentAgreement['consumer'] {
  return {
    type: consumer.consumerType,
    teamId: consumer.consumerTeam,
    userId: consumer.consumerUser,
    productId: consumer.consumerProduct,
  }
}

function requireEditor(caller: Caller, agreement: Agreement): void {
  requireProvider(caller, 'ACCESS_EDIT', agreement, { orConsumer: true })
}
