import type { Caller } from '../requests/access/caller.ts'
import { ApiError } from '../platform/errors.ts'
import type { Agreement } from './agreement.ts'
import type { AgreementServices } from './change-service.ts'
import { decideAgreement, type DecisionName } from './decision-service.ts'
import type { AccessOutcome } from './listed.ts'
import { getAgreement } from './read-service.ts'
import type { AccessRequest } from './request.ts'
import { requestAccess } from './request-service.ts'
import { applyPatch, type TermsPatch } from './terms-service.ts'

/** Output ports that are requested together: what they share, and what belongs to each. */
export interface AccessRequests extends Omit<AccessRequest, 'productId' | 'port' | 'roles'> {
  ports: readonly Pick<AccessRequest, 'productId' | 'port' | 'roles'>[]
}

/**
 * Requests access to several output ports. Each becomes an agreement of its own, also if others fail. Returns an
 * outcome for each, in their order. Errors: store_unavailable.
 */
export async function requestPorts(
  services: AgreementServices,
  caller: Caller,
  { ports, ...shared }: AccessRequests,
  requestId: string,
): Promise<AccessOutcome[]> {
  return await forEachInTurn(ports, async (port) =>
    requestAccess(services, caller, { ...shared, ...port }, requestId),
  )
}

/** A decision on several agreements. */
export interface BulkDecision {
  ids: readonly string[]
  /** The version of each agreement that the caller has seen; undefined = any. */
  versions?: readonly number[] | undefined
  decision: DecisionName
  /** Shown to both sides; null = none was given. */
  reason: string | null
  /** The terms that are approved instead of the requested ones. */
  terms: TermsPatch
}

/**
 * Decides on several agreements, each by itself. Returns an outcome for each, in their order. Errors:
 * store_unavailable.
 */
export async function decideAll(
  services: AgreementServices,
  caller: Caller,
  { ids, versions, decision, reason, terms }: BulkDecision,
  requestId: string,
): Promise<AccessOutcome[]> {
  return await forEachInTurn(ids, async (id, at) => {
    const isChanged = Object.keys(terms).length > 0
    const changed = isChanged
      ? applyPatch(await getAgreement(services, caller.organizationId, id), terms)
      : undefined
    return await decideAgreement(services, caller, decision, {
      id,
      requestId,
      reason,
      terms: changed,
      version: versions?.[at],
    })
  })
}

// One after the other: the statements of one request do not take the connections of all others.
async function forEachInTurn<Item>(
  items: readonly Item[],
  work: (item: Item, at: number) => Promise<Agreement>,
): Promise<AccessOutcome[]> {
  const outcomes: AccessOutcome[] = []
  for (const [at, item] of items.entries()) outcomes.push(await toOutcome(work(item, at)))
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
