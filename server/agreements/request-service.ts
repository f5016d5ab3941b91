import { randomUUID } from 'node:crypto'
import type { Caller } from '../requests/access/caller.ts'
import { invalidRequest } from '../requests/http/document.ts'
import type { Instant } from '../platform/kit/clock.ts'
import { retryLostRaces } from '../platform/kit/lost-races.ts'
import { isUuid } from '../platform/kit/uuid.ts'
import type { Database } from '../platform/tables.ts'
import type { Agreement, AgreementDraftWrite } from './agreement.ts'
import { approve } from './lifecycle.ts'
import { findMember, isGrantedAtOnce } from './party-service.ts'
import { lockRequests } from './party-store.ts'
import { findConflictingAgreement } from './read-store.ts'
import { readSentAgreement } from './task.ts'
import type { AccessRequest } from './ui-form.ts'
import { newAgreement, saveAgreement, type AgreementServices } from './write-service.ts'

/**
 * Requests access to an output port under a new id. A port with `autoApprove` grants it at once, except to the person who
 * made it do so. Errors:
 * permission_missing, document_invalid, validation_failed if the consumer has or awaits access already.
 */
export async function requestAccess(
  services: AgreementServices,
  caller: Caller,
  request: AccessRequest,
  requestId: string,
): Promise<Agreement> {
  const { clock, serialize } = services
  const { organizationId, principal } = caller
  // A person who sends a request twice at once gets one agreement, and one error.
  const key = JSON.stringify([organizationId, 'access-request', principal])
  return await retryLostRaces({ serialize, key, called: 'request' }, async () => {
    const draft = await prepareRequest(services, caller, request)
    return await saveAgreement(services, draft, { principal, requestId }, async (db, agreement) => {
      // Other people may request the same access for the same team at the same moment.
      await lockRequests(db, agreement)
      await rejectRepeated({ db, clock }, agreement)
    })
  })
}

async function prepareRequest(
  services: AgreementServices,
  caller: Caller,
  request: AccessRequest,
): Promise<AgreementDraftWrite> {
  const id = randomUUID()
  const { organizationId } = caller
  const consumer = await toSentConsumer(services.db, organizationId, request.consumer)
  const text = JSON.stringify(toSentDocument({ ...request, consumer }, id))
  const body = { text, mediaType: 'application/json' } as const
  const texts = [{ document: text, mediaType: body.mediaType }]
  const read = { ...body, id }
  const draft = await services.offload.run(organizationId, readSentAgreement, read, texts)
  if (!draft.ok) throw invalidRequest(draft.problems)
  const { write, port, now } = await newAgreement(services, caller, { id, draft, body })
  const { productId } = request
  const isAtOnce = await isGrantedAtOnce(services.db, caller, { productId, port })
  return isAtOnce ? grantAtOnce(write, now) : write
}

function grantAtOnce(write: AgreementDraftWrite, now: Instant): AgreementDraftWrite {
  const { agreement, events } = write
  const change = approve(agreement, now)
  if (change === undefined) return write
  const decided = {
    decidedAt: now,
    decidedBy: 'system',
    decisionReason: 'The output port grants access at once.',
  }
  return {
    ...write,
    agreement: { ...agreement, ...change.course, ...decided },
    events: [...events, ...change.events],
  }
}

// Connectors read the address of a person from the document.
async function toSentConsumer(
  db: Database,
  organizationId: string,
  consumer: AccessRequest['consumer'],
): Promise<AccessRequest['consumer']> {
  if (!('userId' in consumer) || !isUuid(consumer.userId)) return consumer
  const member = await findMember(db, organizationId, consumer.userId)
  return member === undefined ? consumer : { userId: member.email }
}

function toSentDocument(
  { productId, port, purpose, consumer, roles, startDate, endDate }: AccessRequest,
  id: string,
): object {
  return {
    id,
    info: { purpose, startDate, endDate },
    provider: { dataProductId: productId, outputPortId: port },
    consumer,
    ...(roles.length > 0 && { roles }),
  }
}

// Two agreements of one consumer on one port at the same time would both have to be decided, renewed and revoked.
async function rejectRepeated(
  { db, clock }: Pick<AgreementServices, 'db' | 'clock'>,
  requested: Agreement,
): Promise<void> {
  const conflict = await findConflictingAgreement(db, clock, requested)
  if (conflict === undefined) return
  const message =
    conflict.state === 'requested'
      ? 'Access to this output port is requested already.'
      : 'Access to this output port is granted already. It can be renewed from the day on which it ends.'
  throw invalidRequest([{ field: 'port', message }])
}
