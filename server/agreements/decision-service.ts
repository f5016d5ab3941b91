import type { AgreementTerms } from '../../formats/agreement/agreement.ts'
import type { Caller } from '../requests/access/caller.ts'
import { ApiError } from '../platform/errors.ts'
import { checkPreconditions, type Conditions } from '../requests/http/conditional.ts'
import type { Instant } from '../platform/kit/clock.ts'
import { toEntityDigest, type Agreement } from './agreement.ts'
import {
  toWrite,
  updateAgreement,
  type AgreementDraftWrite,
  type AgreementServices,
} from './change-service.ts'
import { approve, cancel, reject } from './lifecycle.ts'
import { findMissingConsumer, findPort, type PortOfProduct } from './party-service.ts'
import { requireApprover, requireProvider } from './rule.ts'

/** A decision on an agreement. */
export interface Decision {
  id: string
  requestId: string
  /** Shown to both sides; null = none was given. */
  reason: string | null
  /** The terms that are approved instead of the requested ones. */
  terms?: AgreementTerms | undefined
  /** The version that the decision is based on; undefined = any. */
  version?: number | undefined
  conditions?: Conditions | undefined
}

/** Changes an agreement as one of its sides may. */
type Decide = (
  services: AgreementServices,
  caller: Caller,
  decision: Decision,
) => AgreementChangeRule

type AgreementChangeRule = (
  agreement: Agreement,
  now: Instant,
) => Promise<AgreementDraftWrite | undefined> | AgreementDraftWrite | undefined

/** The decisions by their names in the API. */
const DECISIONS = { approve: newApproval, reject: newRejection, cancel: newCancellation } as const

/** The name of a decision. */
export type DecisionName = keyof typeof DECISIONS

/**
 * Approves, rejects or cancels an agreement. Repeating a decision changes nothing. Errors: not_found,
 * permission_missing, precondition_failed, invalid_state.
 */
export async function decideAgreement(
  services: AgreementServices,
  caller: Caller,
  name: DecisionName,
  decision: Decision,
): Promise<Agreement> {
  const { organizationId, principal } = caller
  const { id, requestId } = decision
  const decide: Decide = DECISIONS[name]
  const decideOn = decide(services, caller, decision)
  const change: AgreementChangeRule = (agreement, now) => {
    requireSeen(decision, agreement)
    return decideOn(agreement, now)
  }
  return await updateAgreement(services, { organizationId, id, principal, requestId, change })
}

// A decision is on what was seen: the consumer may change a request until then.
function requireSeen({ version, conditions }: Decision, agreement: Agreement): void {
  if (conditions !== undefined) checkPreconditions(conditions, toEntityDigest(agreement))
  if (version === undefined || version === agreement.version) return
  throw new ApiError(
    'precondition_failed',
    'The agreement was changed in the meantime. Look at it again before you decide.',
    { extensions: { precondition: 'changed' } },
  )
}

function newApproval(
  services: AgreementServices,
  caller: Caller,
  { terms, reason }: Decision,
): AgreementChangeRule {
  return async (agreement, now) => {
    requireApprover(caller, agreement)
    const change = approve(agreement, now, terms)
    if (change === undefined) return undefined
    const { provider, basis } = await findApprovedPort(services, agreement)
    const decided = { ...agreement, ...provider, ...toDecided(caller, reason, now) }
    return { ...toWrite(decided, change, caller.principal), basis }
  }
}

function newRejection(
  _: AgreementServices,
  caller: Caller,
  { reason }: Decision,
): AgreementChangeRule {
  return (agreement, now) => {
    requireProvider(caller, 'ACCESS_APPROVE', agreement)
    const change = reject(agreement, now)
    const decided = { ...agreement, ...toDecided(caller, reason, now) }
    return change && toWrite(decided, change, caller.principal)
  }
}

function newCancellation(
  _: AgreementServices,
  caller: Caller,
  { reason }: Decision,
): AgreementChangeRule {
  return (agreement, now) => {
    requireProvider(caller, 'ACCESS_TERMINATE', agreement, { orConsumer: true })
    const change = cancel(agreement, now)
    const canceled = { ...agreement, endReason: reason }
    return change && toWrite(canceled, change, caller.principal)
  }
}

function toDecided({ principal }: Caller, reason: string | null, now: Instant) {
  return { decidedAt: now, decidedBy: principal, decisionReason: reason }
}

// Errors: invalid_state if the port or the consumer is gone.
async function findApprovedPort(
  services: AgreementServices,
  agreement: Agreement,
): Promise<PortOfProduct> {
  const { organizationId, productId, port } = agreement
  const found = await findPort(services, organizationId, { productId, port })
  if ('unknown' in found) {
    const gone = found.unknown === 'product' ? 'data product' : 'output port'
    throw new ApiError('invalid_state', `The ${gone} no longer exists. Reject the request.`)
  }
  const missing = await findMissingConsumer(services.db, agreement)
  if (missing !== undefined) throw new ApiError('invalid_state', `${missing} Reject the request.`)
  return found
}
