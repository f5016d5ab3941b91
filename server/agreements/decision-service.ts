import type { AgreementTerms } from '../../formats/agreement/agreement.ts'
import { ApiError } from '../platform/errors.ts'
import type { Instant } from '../platform/kit/clock.ts'
import type { Caller } from '../requests/access/caller.ts'
import { checkPreconditions, type Conditions } from '../requests/http/conditional.ts'
import { invalidRequest } from '../requests/http/document.ts'
import { toEntityDigest, type Agreement } from './agreement.ts'
import {
  amend,
  approve,
  cancel,
  isInForce,
  isOpen,
  reject,
  toWrite,
  type CourseChange,
} from './lifecycle.ts'
import { findMissingConsumer, findPort, type PortOfProduct } from './party-service.ts'
import { isSameAccess, requireApprover, requireProvider } from './permission.ts'
import { updateAgreement, type AgreementServices } from './write-service.ts'

/** A decision on an agreement. */
interface Decision {
  id: string
  requestId: string
  /** Shown to both sides; null = none was given. */
  reason: string | null
  /** The terms that are approved instead of the requested ones; those that are absent stay. */
  patch?: TermsPatch | undefined
  /** The version that the decision is based on; undefined = any. */
  version?: number | undefined
  conditions?: Conditions | undefined
}

/** A kind of decision. */
interface DecisionRule {
  /** Requires that the caller may decide so. Errors: permission_missing. */
  require(caller: Caller, agreement: Agreement): void
  /** Undefined = it is decided so already. Errors: invalid_state. */
  change(agreement: Agreement, now: Instant, terms?: AgreementTerms): CourseChange | undefined
  /** Returns the members that record the decision. */
  record(caller: Caller, reason: string | null, now: Instant): Partial<Agreement>
}

/** The decisions by their names in the API. */
const DECISIONS = {
  approve: { require: requireApprover, change: approve, record: toDecided },
  reject: {
    require: (caller, agreement) => requireProvider(caller, 'ACCESS_APPROVE', agreement),
    change: reject,
    record: toDecided,
  },
  cancel: {
    require: (caller, agreement) =>
      requireProvider(caller, 'ACCESS_TERMINATE', agreement, { orConsumer: true }),
    change: cancel,
    record: (_, endReason) => ({ endReason }),
  },
} as const satisfies Readonly<Record<string, DecisionRule>>

/** The name of a decision. */
export type DecisionName = keyof typeof DECISIONS

/**
 * Approves, rejects or cancels an agreement. Repeating a decision changes nothing. Errors: not_found,
 * permission_missing, precondition_failed, invalid_state, validation_failed.
 */
export async function decideAgreement(
  services: AgreementServices,
  caller: Caller,
  name: DecisionName,
  decision: Decision,
): Promise<Agreement> {
  const { id, requestId, reason, patch = {} } = decision
  const rule: DecisionRule = DECISIONS[name]
  return await updateAgreement(services, caller, {
    id,
    requestId,
    async change(agreement, now) {
      const isPatched = Object.keys(patch).length > 0
      const terms = isPatched ? applyPatch(agreement, patch) : undefined
      requireSeen(decision, agreement)
      rule.require(caller, agreement)
      const change = rule.change(agreement, now, terms)
      if (change === undefined) return undefined
      const port = name === 'approve' ? await findApprovedPort(services, agreement) : undefined
      const decided = { ...agreement, ...port?.provider, ...rule.record(caller, reason, now) }
      return { ...toWrite(decided, change, caller.principal), basis: port?.basis }
    },
  })
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

function toDecided({ principal }: Caller, reason: string | null, now: Instant) {
  return { decidedAt: now, decidedBy: principal, decisionReason: reason }
}

// Errors: invalid_state if the port or the consumer is gone.
async function findApprovedPort(
  services: AgreementServices,
  agreement: Agreement,
): Promise<PortOfProduct> {
  const { organizationId, productId, port } = agreement
  const result = await findPort(services, organizationId, { productId, port })
  if ('unknown' in result) {
    const gone = result.unknown === 'product' ? 'data product' : 'output port'
    throw new ApiError('invalid_state', `The ${gone} no longer exists. Reject the request.`)
  }
  const missing = await findMissingConsumer(services.db, agreement)
  if (missing !== undefined) throw new ApiError('invalid_state', `${missing} Reject the request.`)
  return result
}

/** Terms to change; those that are absent stay. */
type TermsPatch = Partial<AgreementTerms>

/**
 * Changes the terms of an agreement that has not ended, as those who manage the access to the data product may. Terms
 * that are in effect already write nothing. Errors: not_found, permission_missing, invalid_state, validation_failed.
 */
export async function changeTerms(
  services: AgreementServices,
  caller: Caller,
  { id, patch, requestId }: { id: string; patch: TermsPatch; requestId: string },
): Promise<Agreement> {
  return await updateAgreement(services, caller, {
    id,
    requestId,
    change(agreement, now) {
      requireProvider(caller, 'ACCESS_EDIT', agreement)
      const terms = applyPatch(agreement, patch)
      const isSame = isSameAccess(terms, agreement)
      if (isSame && terms.reassessOn === agreement.reassessOn) return undefined
      if (!isOpen(agreement)) {
        throw new ApiError('invalid_state', 'The agreement has ended. Request access again.')
      }
      if (isInForce(agreement) && !isSame) requireApprover(caller, agreement)
      return toWrite(agreement, amend(agreement, now, terms), caller.principal)
    },
  })
}

// Errors: validation_failed if it would end before it begins.
function applyPatch(agreement: Agreement, patch: TermsPatch): AgreementTerms {
  const { startOn, endOn, reassessOn, roles } = { ...agreement, ...patch }
  if (startOn !== null && endOn !== null && endOn < startOn) {
    const message = `must not be before ${startOn}, the day on which the agreement begins`
    throw invalidRequest([{ field: 'endOn', message }])
  }
  return { startOn, endOn, reassessOn, roles }
}
