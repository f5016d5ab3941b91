import { sql, type RawBuilder } from 'kysely'

/** An instant in UTC as text, to the microsecond: `2026-12-31T23:59:59.123456Z`. */
export type Instant = string

/**
 * The source of "now": an SQL expression, because all processes must use the same clock, and the database's
 * is the only one they share.
 */
export interface Clock {
  now: RawBuilder<Instant>
}

/** The store's own clock, read once a statement at its first use. */
export const storeClock: Clock = { now: sql<Instant>`clock_timestamp()` }

/** Returns a clock that does not advance, for tests. */
export function fixedClock(instant: Instant): Clock {
  return { now: sql<Instant>`${instant}::timestamptz` }
}

/** Returns whether a text is a calendar date, `YYYY-MM-DD`; `2026-02-30` is not. */
export function isCalendarDate(text: string): boolean {
  // The store's calendar has no year 0.
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text
  } catch {
    return false
  }
}
