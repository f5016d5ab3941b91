import type { Scope } from '../../connectors/connector.ts'
import type { Instant } from '../../platform/kit/clock.ts'

/**
 * The ledger of a run records the reading state of every scope (database or schema). Only a
 * complete scope proves that unseen assets are gone.
 */

/** The current state of a scope in a run. */
export interface LedgerEntry {
  /** The native path as a JSON list. */
  scope: string
  kind: string
  /** `missing`: the source no longer lists it, and its assets are kept for a grace period. */
  state: 'pending' | 'complete' | 'denied' | 'failed' | 'skipped' | 'missing'
  objects: number
  message: string | null
}

/** A scope with assets that the source no longer lists. */
export interface MissingScope {
  /** The native path as a JSON list. */
  scope: string
  since: Instant
  /** The end of the grace period for its assets. */
  until: Instant
  isExpired: boolean
}

/** Creates the entry of a listed scope; `key` is its path as a JSON list. */
export function toLedgerEntry(scope: Scope, key: string): LedgerEntry {
  const states = { included: 'pending', excluded: 'skipped', denied: 'denied' } as const
  return {
    scope: key,
    kind: scope.kind,
    state: states[scope.decision],
    objects: 0,
    message: scope.message ?? null,
  }
}
