import { z } from '@hono/zod-openapi'
import { sql, type RawBuilder } from 'kysely'
import { REASON_CHARACTERS_MAX } from '../../formats/reality/reason.ts'
import { isCalendarDate, parseInstant, type Instant } from '../platform/kit/clock.ts'
import { invalidRequest } from '../requests/http/document.ts'

/**
 * A person accepts a finding for a time: it then neither counts nor opens an incident. Findings of drift and of access have
 * the same acceptances.
 */

/** The statuses by which findings are listed. */
export const FINDING_STATUSES = ['open', 'accepted', 'resolved'] as const

const instant = z.string().openapi({ format: 'date-time' })

/** The reason that a person gives, as a form has it. */
export const reasonText = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(REASON_CHARACTERS_MAX, `must have at most ${REASON_CHARACTERS_MAX} characters`)

/** An acceptance as a client sends it. */
export const acceptanceForm = z
  .strictObject({
    reason: reasonText,
    until: z.string().optional().openapi({
      description:
        'An instant, or a day at whose end the acceptance ends; at most one year from now. Absent = one year',
    }),
    changedAt: z.string().optional().openapi({
      description: 'The time of the last change that was read; 422 if there was another one',
    }),
  })
  .openapi('NewAcceptance')

/** An acceptance of a finding that a client requests. */
export interface AcceptanceRequest extends z.infer<typeof acceptanceForm> {
  id: string
  requestId: string
}

/** An acceptance that was read. */
export interface NewAcceptance {
  until: Instant
  reason: string
  /** The time of the last change of the finding that the person has seen; undefined = any. */
  changedAt: Instant | undefined
}

/** An acceptance as clients see it. */
export const acceptance = z
  .object({
    until: instant.openapi({ description: 'The finding counts again from then on' }),
    reason: z.string(),
    by: z.string().openapi({ description: 'A principal, such as `user:<uuid>`' }),
    byName: z.string().nullable(),
    at: instant,
  })
  .openapi('FindingAcceptance')

/** The columns of an acceptance; all null = the finding is not accepted. */
export interface AcceptanceColumns {
  acceptedUntil: Instant | null
  acceptedReason: string | null
  acceptedBy: string | null
  acceptedAt: Instant | null
}

/** Returns the acceptance of a finding, with the name of the person from `names` by principal; null = it has none. */
export function toAcceptance(
  { acceptedUntil, acceptedReason, acceptedBy, acceptedAt }: AcceptanceColumns,
  names: ReadonlyMap<string, string | null>,
): z.infer<typeof acceptance> | null {
  if (acceptedUntil === null || acceptedBy === null || acceptedAt === null) return null
  return {
    until: acceptedUntil,
    reason: acceptedReason ?? '',
    by: acceptedBy,
    byName: names.get(acceptedBy) ?? null,
    at: acceptedAt,
  }
}

/** The most days for which a finding can be accepted: until the end of the same day of the next year. */
const ACCEPTED_DAYS_MAX = 366

/** Reads an acceptance. Errors: validation_failed. */
export function readAcceptance(
  { reason, until, changedAt }: z.infer<typeof acceptanceForm>,
  now: Instant,
): NewAcceptance {
  const seen = changedAt === undefined ? undefined : parseInstant(changedAt)
  if (changedAt !== undefined && seen === undefined) {
    throw invalidRequest([{ field: 'changedAt', message: 'must be an instant' }])
  }
  return { reason, until: readAcceptanceEnd(until, now), changedAt: seen }
}

/** SQL condition: a finding has not become another one since a person has seen it. */
export function isUnchanged({ changedAt }: NewAcceptance): RawBuilder<unknown> {
  return changedAt === undefined ? sql`true` : sql`changed_at = ${changedAt}`
}

/**
 * Reads the end of an acceptance: an instant, or a day, at whose end it ends; undefined = the last possible one. Errors:
 * validation_failed.
 */
function readAcceptanceEnd(text: string | undefined, now: Instant): Instant {
  const from = Temporal.Instant.from(now)
  const last = from.add({ hours: 24 * ACCEPTED_DAYS_MAX })
  if (text === undefined) return last.toString()
  const until = parseInstant(isCalendarDate(text) ? `${text}T23:59:59.999999Z` : text)
  if (until === undefined) {
    throw invalidEnd('must be an instant or a day, such as 2026-12-31T23:59:59Z')
  }
  if (Temporal.Instant.compare(until, from) <= 0) throw invalidEnd('must be in the future')
  if (Temporal.Instant.compare(until, last) > 0) {
    throw invalidEnd('must be at most one year from now')
  }
  return until
}

function invalidEnd(message: string): Error {
  return invalidRequest([{ field: 'until', message }])
}
