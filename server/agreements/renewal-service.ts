import type { z } from '@hono/zod-openapi'
import { may } from '../access/permission.ts'
import type { Caller } from '../access/caller.ts'
import { ApiError } from '../errors.ts'
import type { Agreement } from './agreement.ts'
import type { AgreementServices } from './change-service.ts'
import type { renewalForm } from './decision.ts'
import { amendAgreementTerms } from './decision-service.ts'
import { isInForce } from './lifecycle.ts'
import { findActor } from './party-service.ts'
import { getAgreement } from './read-service.ts'
import { requestAccess } from './request-service.ts'
import { isOwnRequest, requireProvider } from './rule.ts'

/**
 * Renews an agreement before its end: an approver sets the new end, and the consumer requests an agreement that begins
 * on the day of the end. Returns the id of the agreement that was renewed or requested. Errors: not_found,
 * permission_missing, invalid_state, validation_failed.
 */
export async function renewAgreement(
  services: AgreementServices,
  caller: Caller,
  { id, requestId, form }: { id: string; requestId: string; form: z.infer<typeof renewalForm> },
): Promise<string> {
  const agreement = await getAgreement(services, caller.organizationId, id)
  const actor = await findActor(services.db, caller)
  requireProvider(actor, 'ACCESS_APPROVE', agreement, { orConsumer: true })
  if (!isInForce(agreement)) {
    throw new ApiError('invalid_state', 'The agreement is not in force. Request access again.')
  }
  const mayApprove = may(caller, 'ACCESS_APPROVE', agreement.providerTeam)
  if (mayApprove && !isOwnRequest(actor, agreement)) {
    const terms = { endDate: form.endDate ?? null }
    await amendAgreementTerms(services, caller, { id, requestId, form: terms })
    return id
  }
  if (agreement.endOn === null) {
    throw new ApiError('invalid_state', 'The agreement has no end, so it needs no renewal.')
  }
  const request = {
    ports: [{ dataProductId: agreement.productId, outputPortId: agreement.port }],
    purpose: form.purpose ?? agreement.purpose,
    consumer: toConsumer(agreement),
    roles: [...agreement.roles],
    startDate: agreement.endOn,
    endDate: form.endDate,
  }
  const call = { request, requestId, isRenewal: true }
  const [requested] = await requestAccess(services, caller, call)
  return requested?.id ?? id
}

function toConsumer({ consumerType, consumerTeam, consumerProduct }: Agreement): {
  teamId?: string
  dataProductId?: string
} {
  if (consumerType === 'team' && consumerTeam !== null) return { teamId: consumerTeam }
  return consumerProduct === null ? {} : { dataProductId: consumerProduct }
}
