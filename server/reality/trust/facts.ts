import type { Announcement } from '../../ledger/history/plan.ts'
import type { Instant } from '../../platform/kit/clock.ts'
import type { UnknownReason } from '../freshness/freshness.ts'
import type { AffectedPromise } from '../links/link.ts'
import type { OpenIncident } from './standing-signal.ts'

/** The facts about a promise, one model of a contract on one server, from which its signals follow. */
export interface PromiseFacts {
  contractId: string
  server: string
  model: string
  isProduction: boolean
  state: AffectedPromise['state']
  assetId: string | null
  /** Whether its comparison with its asset is current. */
  isCompared: boolean
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
 * excluded by hand, or that no table can keep, count only if nothing else can be compared.
 */
export function selectCounted(promises: readonly PromiseFacts[]): PromiseFacts[] {
  const production = promises.filter(({ isProduction }) => isProduction)
  const counted = production.length > 0 ? production : promises
  const comparable = counted.filter(
    ({ state }) => state !== 'excluded' && state !== 'not_applicable',
  )
  return comparable.length > 0 ? comparable : [...counted]
}

/** A server of the contract of a product's port, or of a contract, with its newest result. */
export interface TrustRow {
  kind: 'data-product' | 'data-contract'
  id: string
  /** Of the document. */
  status: string | null
  announced: Announcement | null
  readers: number
  certifications: { id: string; name: string }[]
  /** The port of a product, by its position; null = a contract, or a product without ports. */
  port: number | null
  portName: string | null
  portNames: string[] | null
  portStatus: string | null
  /** Of a port: null = it names no contract. Of a contract: itself. */
  contractId: string | null
  contractStatus: string | null
  contractVersion: string | null
  validSeconds: number | null
  server: string | null
  resultId: string | null
  outcome: string | null
  testedAt: Instant | null
  testedVersion: string | null
  checkCount: number | null
  passedCount: number | null
  now: Instant
}

/** An asset as far as its standing follows from it. */
export interface TrustedAsset {
  id: string
  status: string | null
  announced: null
  certifications: TrustRow['certifications']
}

/** An incident that is open, or was in the last 30 days. */
export interface IncidentRow extends OpenIncident {
  /** Null = it is open. */
  resolvedAt: Instant | null
}

/** The facts from which signals follow. */
export interface TrustFacts {
  /** A row for each tested server of each port and of each contract. */
  rows: readonly TrustRow[]
  assets: readonly TrustedAsset[]
  /** The promises of all contracts that are judged or that a port names, and of the assets. */
  promises: readonly PromiseFacts[]
  /** The incidents of these contracts that are open or were in the last 30 days. */
  incidents: readonly IncidentRow[]
  nowMs: number
}
