/** The remaining requests of a caller in the current window. */
export interface Allowance {
  allowed: boolean
  /** Requests left in the window. */
  remaining: number
  /** Whole seconds until the next window. */
  resetSeconds: number
}

const WINDOW_MS = 60_000

/**
 * Creates a rate limiter that counts requests by caller in windows of one minute. The counts are local to this
 * process: with several processes, each grants the full limit.
 */
export function rateLimit(
  requestsPerMinute: number,
  nowMs: () => number = () => performance.now(),
): (caller: string) => Allowance {
  let windowEndsAtMs = 0
  const counts = new Map<string, number>()
  return (caller) => {
    const now = nowMs()
    if (now >= windowEndsAtMs) {
      counts.clear()
      windowEndsAtMs = now + WINDOW_MS
    }
    const count = (counts.get(caller) ?? 0) + 1
    counts.set(caller, count)
    return {
      allowed: count <= requestsPerMinute,
      remaining: Math.max(0, requestsPerMinute - count),
      // Because of rounding, the difference may slightly exceed the window.
      resetSeconds: Math.min(WINDOW_MS / 1000, Math.ceil((windowEndsAtMs - now) / 1000)),
    }
  }
}
