import { randomUUID } from 'node:crypto'
import type { Caller } from '../access/caller.ts'
import { ApiError, type Violation } from '../errors.ts'
import { invalidRequest } from '../http/document.ts'
import type { Instant } from '../kit/clock.ts'
import { retryLostRaces } from '../kit/lost-races.ts'
import type { AgreementState } from './agreement.ts'
import {
  presentWrites,
  type AgreementDraftWrite,
  type AgreementServices,
} from './change-service.ts'
import { findAgreementOfConsumer } from './covering-store.ts'
import { approve } from './lifecycle.ts'
import { findActor } from './party-service.ts'
import type { AccessRequest, RequestedAgreements } from './request.ts'
import type { Actor } from './rule.ts'
import { insertAgreement } from './store.ts'
import { readSentAgreement } from './task.ts'
import { newAgreement } from './write-service.ts'

/** A request for access, and the request that it came with. */
export interface RequestCall {
  request: AccessRequest
  requestId: string
  /** Whether it follows an agreement that is in force. */
  isRenewal?: boolean
}

/**
 * Requests access to output ports: all of them, or none if one cannot be requested. Ports that grant at once are
 * approved. Errors: permission_missing, validation_failed, document_invalid.
 */
export async function requestAccess(
  services: AgreementServices,
  caller: Caller,
  { request, requestId, isRenewal = false }: RequestCall,
): Promise<RequestedAgreements> {
  const { db, inTurn } = services
  const { organizationId, principal } = caller
  const actor = await findActor(db, caller)
  // A person who sends a request twice at once gets one agreement, and one error.
  const key = JSON.stringify([organizationId, 'access-request', principal])
  return await retryLostRaces({ inTurn, key, called: 'request' }, async () => {
    const prepared: PreparedRequest[] = []
    for (const at of request.ports.keys()) {
      prepared.push(await prepareRequest(services, actor, request, at))
    }
    await rejectOpen(services, prepared, isRenewal ? WAITING : OPEN)
    const drafts = prepared.map(({ write }) => write)
    const writes = await presentWrites(services, organizationId, drafts)
    await db.transaction().execute(async (transaction) => {
      for (const write of writes) {
        await insertAgreement(transaction, services.clock, write, { principal, requestId })
      }
    })
    return prepared.map(({ write: { agreement }, productName }) => ({
      id: agreement.id,
      dataProductId: agreement.productId,
      dataProductName: productName,
      outputPortId: agreement.port,
      state: agreement.state,
    }))
  })
}

interface PreparedRequest {
  write: AgreementDraftWrite
  productName: string
}

async function prepareRequest(
  services: AgreementServices,
  actor: Actor,
  request: AccessRequest,
  at: number,
): Promise<PreparedRequest> {
  const id = randomUUID()
  const text = JSON.stringify(toSentDocument(actor, request, at, id))
  const body = { text, mediaType: 'application/json' } as const
  const texts = [{ document: text, mediaType: body.mediaType }]
  const { organizationId } = actor.caller
  const draft = await services.offload.run(
    organizationId,
    readSentAgreement,
    { ...body, id },
    texts,
  )
  if (!draft.ok) throw invalidRequest(draft.problems.map(toRequestViolation))
  const created = newAgreement(services, actor, { id, draft, body })
  const { write, port, productName, now } = await created.catch((error: unknown) => {
    throw toRequestError(error, at)
  })
  return { write: port.isAutoApproved ? grantAtOnce(write, now) : write, productName }
}

function grantAtOnce(
  { agreement, events }: AgreementDraftWrite,
  now: Instant,
): AgreementDraftWrite {
  const change = approve(agreement, now)
  if (change === undefined) return { agreement, events }
  const decided = { decidedAt: now, decidedBy: 'system' }
  return {
    agreement: { ...agreement, ...change.course, ...decided },
    events: [...events, ...change.events],
  }
}

function toSentDocument(
  { userId }: Actor,
  { ports, purpose, consumer, roles, startDate, endDate }: AccessRequest,
  at: number,
  id: string,
): object {
  const isForPerson = consumer.teamId === undefined && consumer.dataProductId === undefined
  if (isForPerson && userId === undefined) {
    throw new ApiError(
      'permission_missing',
      'Only people can request access for themselves. Use a personal API key, or name a team or a data product.',
    )
  }
  return {
    id,
    info: {
      purpose,
      ...(startDate ? { startDate } : {}),
      ...(endDate ? { endDate } : {}),
    },
    provider: ports[at],
    consumer: isForPerson ? { userId } : consumer,
    ...(roles.length === 0 ? {} : { roles }),
  }
}

// An error names the port of the form instead of the member of a document.
function toRequestError(error: unknown, at: number): unknown {
  if (!(error instanceof ApiError) || error.code !== 'document_invalid') return error
  return invalidRequest(
    error.violations.map(({ field, message }) => {
      return { field: field.replace(/^provider\./, `ports[${at}].`), message }
    }),
  )
}

// The fields of the form have no objects around them.
function toRequestViolation({ field, message }: Violation): Violation {
  return { field: field.replace(/^info\./, ''), message }
}

const WAITING: readonly AgreementState[] = ['requested', 'upcoming']
const OPEN: readonly AgreementState[] = [...WAITING, 'active']

// Two agreements of one consumer on one port would both have to be decided, renewed and revoked.
async function rejectOpen(
  { db, clock }: AgreementServices,
  prepared: readonly PreparedRequest[],
  states: readonly AgreementState[],
): Promise<void> {
  const problems: Violation[] = []
  const seen = new Set<string>()
  for (const [at, { write, productName }] of prepared.entries()) {
    const { agreement } = write
    const port = JSON.stringify([agreement.productId, agreement.port])
    const open = await findAgreementOfConsumer(db, clock, agreement, states)
    const state = open?.agreement.state ?? (seen.has(port) ? 'requested' : undefined)
    seen.add(port)
    if (state === undefined) continue
    const message =
      state === 'requested'
        ? `is requested already: ${agreement.port} of ${productName}`
        : `is granted already: ${agreement.port} of ${productName}`
    problems.push({ field: `ports[${at}]`, message })
  }
  if (problems.length > 0) throw invalidRequest(problems)
}
