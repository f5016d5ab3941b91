import type { Instant } from '../../platform/kit/clock.ts'
import { KEPT_DAYS, type Trust } from './trust.ts'

// The days on which a contract was without an open incident.

/** A time in which an incident was open. */
export interface OpenPeriod {
  from: Instant
  /** Null = it is open. */
  to: Instant | null
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Counts the last days (UTC), including that of a time in milliseconds since 1970, on which no incident was open. */
export function countKept(
  periods: readonly Readonly<OpenPeriod>[],
  nowMs: number,
): NonNullable<Trust['kept']> {
  const today = toDay(nowMs)
  const days = new Set(Array.from({ length: KEPT_DAYS }, (_, ago) => today - ago))
  for (const { from, to } of periods) {
    const first = Math.max(toDay(Date.parse(from)), today - KEPT_DAYS + 1)
    const last = to === null ? today : Math.min(toDay(Date.parse(to)), today)
    for (let day = first; day <= last; day++) days.delete(day)
  }
  return { days: days.size, of: KEPT_DAYS }
}

/**
 * Merges periods that touch the same days and leaves out those that ended too long ago, so that a list has no more of them
 * than there are days.
 */
export function mergePeriods(periods: readonly OpenPeriod[], nowMs: number): OpenPeriod[] {
  const first = toDay(nowMs) - KEPT_DAYS + 1
  const merged: OpenPeriod[] = []
  const recent = periods.filter(({ to }) => to === null || toDay(Date.parse(to)) >= first)
  for (const period of recent.toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from))) {
    const last = merged.at(-1)
    const touches =
      last !== undefined &&
      (last.to === null || toDay(Date.parse(period.from)) <= toDay(Date.parse(last.to)))
    if (!touches) merged.push({ ...period })
    else last.to = toLater(last.to, period.to)
  }
  return merged
}

function toLater(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null || b === null) return null
  return Date.parse(a) >= Date.parse(b) ? a : b
}

function toDay(ms: number): number {
  return Math.floor(ms / DAY_MS)
}
