/** The remaining allowance of a caller in the current window. */
export interface Allowance {
  allowed: boolean
  /** Requests left in the window. */
  remaining: number
  /** Seconds until the next window, rounded up. */
  resetSeconds: number
}

const WINDOW_MS = 60_000

/**
 * Counts requests by caller in windows of one minute. The counts are local: with several processes each
 * grants the limit once.
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
      // The difference of two fractions can slightly exceed the window.
      resetSeconds: Math.min(WINDOW_MS / 1000, Math.ceil((windowEndsAtMs - now) / 1000)),
    }
  }
}
