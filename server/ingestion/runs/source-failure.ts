import { StoreUnavailable } from '../../platform/kit/store-errors.ts'
import { DialRefused } from '../../platform/kit/dialer.ts'
import { SourceFailure } from '../../connectors/connector.ts'

const RATE_WAIT_MS_MAX = 5 * 60_000

/** Returns whether a retry may succeed. */
export function isTemporary(failure: SourceFailure): boolean {
  const isTemporaryKind = failure.kind === 'unreachable' || failure.kind === 'rate_limited'
  return isTemporaryKind && !isRefused(failure)
}

/** Returns the delay before a retry: the one that the source requests, or `delayMs`. */
export function getDelayMs({ retryAfterMs }: SourceFailure, delayMs: number): number {
  return Math.min(retryAfterMs ?? delayMs, RATE_WAIT_MS_MAX)
}

// An address forbidden by the operator remains forbidden, so a retry is useless.
function isRefused({ cause }: Error): boolean {
  return cause instanceof DialRefused || (cause instanceof Error && isRefused(cause))
}

/**
 * Converts any error to a source's failure; rethrows the abort of the attempt and errors of the
 * store.
 */
export function toFailure(error: unknown, signal: AbortSignal): SourceFailure {
  signal.throwIfAborted()
  if (error instanceof StoreUnavailable) throw error
  if (error instanceof SourceFailure) return error
  throw error
}
