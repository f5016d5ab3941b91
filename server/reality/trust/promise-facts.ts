import type { Instant } from '../../platform/kit/clock.ts'
import type { UNKNOWN_REASONS } from '../freshness/freshness.ts'
import type { AffectedPromise } from '../links/link.ts'

/** Why the freshness of a promise is unknown. */
export type UnknownReason = (typeof UNKNOWN_REASONS)[number]

/** The facts about a promise, one model of a contract on one server, from which its signals follow. */
export interface PromiseFacts {
  contractId: string
  server: string
  model: string
  isProduction: boolean
  state: AffectedPromise['state']
  assetId: string | null
  /** When it was compared last; null = never. */
  comparedAt: Instant | null
  /** Open differences that break the promise. */
  breaking: number
  /** Those of them that are accepted. */
  accepted: number
  /** The oldest difference that is not accepted; null = none. */
  differsSince: Instant | null
  /** The oldest difference, accepted or not; null = none. */
  openSince: Instant | null
  /** The end of the acceptance that ends first; null = none. */
  acceptedUntil: Instant | null
  /** The number of fields that cannot be compared. */
  unverifiable: number
  /** Null = its freshness was not judged. */
  freshness: FreshnessFacts | null
}

/** The stored freshness of a promise. */
export interface FreshnessFacts {
  /** The promise as people read it, `24 h`; null = none. */
  promised: string | null
  evidence: 'check' | 'lineage' | 'data' | 'counter' | 'any' | null
  evidenceAt: Instant | null
  lateAt: Instant | null
  isConfirmed: boolean
  unknownBecause: UnknownReason | null
}

/**
 * Selects the promises that count: those on servers of production, or all if none is of production. Promises that are
 * excluded by hand, or that no table can keep, count only if there are no others.
 */
export function selectCounted(promises: readonly PromiseFacts[]): PromiseFacts[] {
  const production = promises.filter(({ isProduction }) => isProduction)
  const counted = production.length > 0 ? production : promises
  const comparable = counted.filter(
    ({ state }) => state !== 'excluded' && state !== 'not_applicable',
  )
  return comparable.length > 0 ? comparable : [...counted]
}
