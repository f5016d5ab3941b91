import type { Instant } from '../kit/clock.ts'

/**
 * The ledger of a run says of every scope, a database or schema, how far its reading came. Only a
 * complete one proves that what was not seen in it is gone.
 */

/** One scope of a run, as it is known now. */
export interface LedgerEntry {
  /** The native path as a JSON list. */
  scope: string
  kind: string
  /** `missing`: the source no longer lists it, and its assets are kept for now. */
  state: 'pending' | 'complete' | 'denied' | 'failed' | 'skipped' | 'missing'
  objects: number
  message: string | null
}

/** A scope that has assets and that the source no longer lists. */
export interface MissingScope {
  /** A native path as a JSON list. */
  scope: string
  since: Instant
  /** Its assets are kept until then. */
  until: Instant
  isExpired: boolean
}
