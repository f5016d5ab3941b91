const DAY_MS = 86_400_000

/** The days until the end of a day in UTC, that one included; negative = it is over. */
export function daysLeft(endsOn: string, nowMs: number): number {
  return Math.ceil((Date.parse(`${endsOn}T23:59:59Z`) - nowMs) / DAY_MS)
}
