import { isCalendarDate, parseInstant, type Instant } from '../platform/kit/clock.ts'
import { invalidRequest } from '../requests/http/document.ts'

/** The most days for which a finding can be accepted: until the end of the same day of the next year. */
const ACCEPTED_DAYS_MAX = 366

/**
 * Reads the end of an acceptance: an instant, or a day, at whose end it ends; undefined = the last possible one. Errors:
 * validation_failed.
 */
export function readAcceptanceEnd(text: string | undefined, now: Instant): Instant {
  const from = Temporal.Instant.from(now)
  const last = from.add({ hours: 24 * ACCEPTED_DAYS_MAX })
  if (text === undefined) return last.toString()
  const until = parseInstant(isCalendarDate(text) ? `${text}T23:59:59.999999Z` : text)
  const problem =
    until === undefined
      ? 'must be an instant or a day, such as 2026-12-31T23:59:59Z'
      : Temporal.Instant.compare(until, from) <= 0
        ? 'must be in the future'
        : Temporal.Instant.compare(until, last) > 0
          ? 'must be at most one year from now'
          : undefined
  if (until === undefined || problem !== undefined) {
    throw invalidRequest([{ field: 'until', message: problem ?? '' }])
  }
  return until
}
