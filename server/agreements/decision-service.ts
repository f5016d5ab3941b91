import type { AgreementTerms } from '../../formats/agreement/agreement.ts'
import type { Caller } from '../access/caller.ts'
import { ApiError } from '../errors.ts'
import { invalidRequest } from '../http/document.ts'
import type { Instant } from '../kit/clock.ts'
import type { Agreement, AgreementProvider } from './agreement.ts'
import {
  toWrite,
  updateAgreement,
  type AgreementDraftWrite,
  type AgreementServices,
} from './change-service.ts'
import type { DecisionOutcomes, TermsForm } from './decision.ts'
import { amend, approve, cancel, isInForce, reject } from './lifecycle.ts'
import { findActor, findPort, hasProduct } from './party-service.ts'
import { requireApprover, requireProvider, type Actor } from './rule.ts'

/** A decision on an agreement. */
export interface Decision {
  id: string
  requestId: string
  /** Shown to both sides; null = none was given. */
  reason: string | null
  /** The terms that are approved instead of the requested ones. */
  terms?: TermsForm | undefined
}

/** Changes an agreement as one of its sides may. */
type Decide = (services: AgreementServices, actor: Actor, decision: Decision) => AgreementChangeRule

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
 * permission_missing, invalid_state.
 */
export async function decideAgreement(
  services: AgreementServices,
  caller: Caller,
  name: DecisionName,
  decision: Decision,
): Promise<Agreement> {
  const actor = await findActor(services.db, caller)
  const { organizationId, principal } = caller
  const { id, requestId } = decision
  const decide: Decide = DECISIONS[name]
  const change = decide(services, actor, decision)
  return await updateAgreement(services, { organizationId, id, principal, requestId, change })
}

function newApproval(
  services: AgreementServices,
  actor: Actor,
  { terms, reason }: Decision,
): AgreementChangeRule {
  return async (agreement, now) => {
    requireApprover(actor, agreement)
    const change = approve(agreement, now, applyTerms(agreement, terms ?? {}))
    if (change === undefined) return undefined
    const provider = await findApprovedPort(services, agreement)
    const decided = { ...agreement, ...provider, ...toDecided(actor, reason, now) }
    return toWrite(decided, change, actor.caller.principal)
  }
}

function newRejection(
  _: AgreementServices,
  actor: Actor,
  { reason }: Decision,
): AgreementChangeRule {
  return (agreement, now) => {
    requireProvider(actor, 'ACCESS_APPROVE', agreement)
    const change = reject(agreement, now)
    const decided = { ...agreement, ...toDecided(actor, reason, now) }
    return change && toWrite(decided, change, actor.caller.principal)
  }
}

function newCancellation(
  _: AgreementServices,
  actor: Actor,
  { reason }: Decision,
): AgreementChangeRule {
  return (agreement, now) => {
    requireProvider(actor, 'ACCESS_TERMINATE', agreement, { orConsumer: true })
    const change = cancel(agreement, now)
    const decided = reason === null ? agreement : { ...agreement, decisionReason: reason }
    return change && toWrite(decided, change, actor.caller.principal)
  }
}

function toDecided({ caller }: Actor, reason: string | null, now: Instant) {
  return { decidedAt: now, decidedBy: caller.principal, decisionReason: reason }
}

/**
 * Returns the port of an agreement with the contract that is approved. Errors: invalid_state if the port or the
 * consuming data product is gone.
 */
export async function findApprovedPort(
  services: AgreementServices,
  { organizationId, productId, port, consumerProduct }: Agreement,
): Promise<AgreementProvider> {
  const found = await findPort(services, organizationId, { productId, port })
  if ('unknown' in found) {
    const gone = found.unknown === 'product' ? 'data product' : 'output port'
    throw new ApiError('invalid_state', `The ${gone} no longer exists. Reject the request.`)
  }
  const { db } = services
  if (consumerProduct !== null && !(await hasProduct(db, organizationId, consumerProduct))) {
    throw new ApiError(
      'invalid_state',
      'The consuming data product no longer exists. Reject the request.',
    )
  }
  return found.provider
}

/**
 * Takes one decision on several agreements; each has an outcome of its own. Errors: store_unavailable, overloaded.
 */
export async function decideAgreements(
  services: AgreementServices,
  caller: Caller,
  ids: readonly string[],
  { name, ...decision }: Omit<Decision, 'id'> & { name: DecisionName },
): Promise<DecisionOutcomes> {
  const outcomes: DecisionOutcomes = []
  for (const id of new Set(ids)) {
    try {
      const { state } = await decideAgreement(services, caller, name, { ...decision, id })
      outcomes.push({ id, state, code: null, detail: null })
    } catch (error) {
      if (!(error instanceof ApiError) || error.retryAfterSeconds !== undefined) throw error
      outcomes.push({ id, state: null, code: error.code, detail: error.message })
    }
  }
  return outcomes
}

/** Approves with changed terms: members that are undefined stay as they were requested. Errors: validation_failed. */
export function applyTerms(agreement: AgreementTerms, form: TermsForm): AgreementTerms {
  const { startDate, endDate, nextReassessmentDate, roles } = form
  const terms = {
    startOn: startDate === undefined ? agreement.startOn : startDate,
    endOn: endDate === undefined ? agreement.endOn : endDate,
    reassessOn: nextReassessmentDate === undefined ? agreement.reassessOn : nextReassessmentDate,
    roles: roles ?? agreement.roles,
  }
  if (terms.startOn !== null && terms.endOn !== null && terms.endOn < terms.startOn) {
    const message = `is before the first day, ${terms.startOn}`
    throw invalidRequest([{ field: 'endDate', message }])
  }
  return terms
}

/**
 * Changes the terms of an agreement that is approved and has not ended, such as its end. Errors: not_found,
 * permission_missing, invalid_state, validation_failed.
 */
export async function amendAgreementTerms(
  services: AgreementServices,
  caller: Caller,
  { id, requestId, form }: { id: string; requestId: string; form: TermsForm },
): Promise<Agreement> {
  const actor = await findActor(services.db, caller)
  const { organizationId, principal } = caller
  const change: AgreementChangeRule = (agreement, now) => {
    requireApprover(actor, agreement)
    if (!isInForce(agreement)) {
      throw new ApiError(
        'invalid_state',
        'Only agreements that are approved and have not ended can change.',
      )
    }
    const terms = applyTerms(agreement, form)
    const isSame = JSON.stringify(terms) === JSON.stringify(applyTerms(agreement, {}))
    return isSame ? undefined : toWrite(agreement, amend(agreement, now, terms), principal)
  }
  return await updateAgreement(services, { organizationId, id, principal, requestId, change })
}
