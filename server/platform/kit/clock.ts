import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely'

/** An instant in UTC as text, to the microsecond: `2026-12-31T23:59:59.123456Z`. */
export type Instant = string

/**
 * The source of the current time. It is an SQL expression because all processes must use the same clock,
 * and the only one they share is the database's.
 */
export interface Clock {
  now: RawBuilder<Instant>
}

/** The database's clock, read once per statement at its first use. */
export const storeClock: Clock = { now: sql<Instant>`clock_timestamp()` }

/** Creates a clock that is stopped at an instant, for tests around midnight. */
export function fixedClock(instant: Instant): Clock {
  return { now: sql<Instant>`${instant}::timestamptz` }
}

/** Returns whether a text is a calendar date, `YYYY-MM-DD`; `2026-02-30` is not. */
export function isCalendarDate(text: string): boolean {
  // PostgreSQL has no year 0.
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text
  } catch {
    return false
  }
}

const INSTANT_FIRST = Temporal.Instant.from('0001-01-01T00:00:00Z')
const INSTANT_LAST = Temporal.Instant.from('9999-12-31T23:59:59Z')

/**
 * Parses an instant with any offset, and drops what is below a microsecond. Returns undefined for other texts, such as
 * `2026-02-30T00:00:00Z`, and for years that have not four digits.
 */
export function parseInstant(text: string): Instant | undefined {
  try {
    const instant = Temporal.Instant.from(text)
    const isInRange =
      Temporal.Instant.compare(instant, INSTANT_FIRST) >= 0 &&
      Temporal.Instant.compare(instant, INSTANT_LAST) <= 0
    if (!isInRange) return undefined
    return instant.round({ smallestUnit: 'microsecond', roundingMode: 'floor' }).toString()
  } catch {
    return undefined
  }
}

/** Returns the current time of the clock. */
export async function readTime(db: QueryExecutorProvider, clock: Clock): Promise<Instant> {
  const { rows } = await sql<{ now: Instant }>`select ${clock.now} as now`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a statement returned no row')
  return row.now
}
