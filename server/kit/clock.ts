import { sql, type RawBuilder } from 'kysely'

/** An instant in UTC as text, to the microsecond: `2026-12-31T23:59:59.123456Z`. */
export type Instant = string

/**
 * Where "now" comes from: an SQL expression, because every process must see the same clock, and the
 * only one that they share is the store's.
 */
export interface Clock {
  now: RawBuilder<Instant>
}

/** The store's own clock, read once a statement at its first use. */
export const storeClock: Clock = { now: sql<Instant>`clock_timestamp()` }

/** A clock that stands still, for tests at the edge of a day. */
export function fixedClock(instant: Instant): Clock {
  return { now: sql<Instant>`${instant}::timestamptz` }
}

/** Says whether a text is a date of the calendar, `YYYY-MM-DD`; `2026-02-30` is not. */
export function isCalendarDate(text: string): boolean {
  // The store's calendar has no year 0.
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text
  } catch {
    return false
  }
}
