import { z } from '@hono/zod-openapi'
import { sql, type RawBuilder } from 'kysely'
import { parseInstant, type Instant } from '../../platform/kit/clock.ts'

/** A period; without an end, it is open there. */
export interface Period {
  /** Inclusive. */
  from?: Instant | undefined
  /** Exclusive. */
  to?: Instant | undefined
}

/** Creates the query parameters of a period of what `happening` names: `Only events that occurred`. */
export function createPeriodParameters(happening: string) {
  return {
    from: instantParameter(`${happening} at this instant or later`),
    to: instantParameter(`${happening} before this instant`),
  }
}

// Sent without a zone, an instant would depend on the place of the reader.
function instantParameter(description: string) {
  return z
    .string()
    .transform((text, context): Instant => {
      // A plus sign in a query is a space, unless clients encode it.
      const instant = parseInstant(text.replace(' ', '+'))
      if (instant !== undefined) return instant
      context.addIssue('must be an instant with a zone, such as 2026-12-31T23:59:59Z')
      return z.NEVER
    })
    .optional()
    .openapi({ type: 'string', format: 'date-time', description })
}

/** Returns the condition that an instant is in a period; always true for an open one. */
export function isWithin(instant: RawBuilder<unknown>, { from, to }: Period): RawBuilder<unknown> {
  const conditions = [
    from !== undefined && sql`${instant} >= ${from}::timestamptz`,
    to !== undefined && sql`${instant} < ${to}::timestamptz`,
  ].filter((condition) => typeof condition === 'object')
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}
