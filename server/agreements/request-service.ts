import { randomUUID } from 'node:crypto'
import type { Caller } from '../access/caller.ts'
import type { Agreement } from './agreement.ts'
import { toWrite, updateAgreement, type AgreementServices } from './change-service.ts'
import { approve } from './lifecycle.ts'
import { findPort } from './party-service.ts'
import { putAgreement } from './write-service.ts'

/** A request of access to one output port. */
export interface AccessRequest {
  productId: string
  /** The id or the name of the output port. */
  port: string
  roles: readonly string[]
  consumer: { userId: string } | { teamId: string } | { dataProductId: string }
  purpose: string
  /** The first day, `YYYY-MM-DD`; undefined = from the decision on. */
  startDate?: string | undefined
  /** The first day after the access; undefined = without an end. */
  endDate?: string | undefined
}

const AUTOMATIC = {
  decidedBy: 'system',
  decisionReason: 'The output port grants access at once.',
}

/**
 * Requests access to an output port under a new id. A port with `autoApprove` grants it at once. Errors:
 * permission_missing, document_invalid, document_too_costly, overloaded.
 */
export async function requestAccess(
  services: AgreementServices,
  caller: Caller,
  { productId, port, consumer, roles, purpose, startDate, endDate }: AccessRequest,
  requestId: string,
): Promise<Agreement> {
  const document = {
    info: { purpose, startDate, endDate },
    provider: { dataProductId: productId, outputPortId: port },
    consumer,
    ...(roles.length > 0 && { roles }),
  }
  const agreement = await putAgreement(services, caller, {
    id: randomUUID(),
    body: { text: JSON.stringify(document), mediaType: 'application/json' },
    conditions: { ifMatch: undefined, ifNoneMatch: undefined },
    requestId,
  })
  return await approveAutomatically(services, agreement, requestId)
}

async function approveAutomatically(
  services: AgreementServices,
  requested: Agreement,
  requestId: string,
): Promise<Agreement> {
  const { organizationId, id } = requested
  const found = await findPort(services, organizationId, requested)
  if ('unknown' in found || !found.port.isAutoApproved) return requested
  return await updateAgreement(services, {
    organizationId,
    id,
    principal: AUTOMATIC.decidedBy,
    requestId,
    change(agreement, now) {
      // Another process may have decided in the meantime.
      if (agreement.state !== 'requested') return undefined
      const change = approve(agreement, now)
      if (change === undefined) return undefined
      const decided = { ...agreement, ...found.provider, ...AUTOMATIC, decidedAt: now }
      return toWrite(decided, change, AUTOMATIC.decidedBy)
    },
  })
}
