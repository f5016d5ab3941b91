import { sql, type RawBuilder } from 'kysely'
import type { FollowedEvent } from './follower.ts'

/**
 * SQL fragment, a query, of the events that a follower holds: id, type, kind, subject, version, removal, principal, time
 * and ordinal. A follower never joins them to the table of events again: a join that was planned while the tables were
 * small would read all events of the organization later. It looks up each other row with a lateral join by all columns
 * of the key and `limit 1`, for which no plan but a look-up in the key exists.
 */
export function unnestEvents(events: readonly FollowedEvent[]): RawBuilder<unknown> {
  return sql`
      select *
      from unnest(
        ${events.map(({ id }) => id)}::uuid[], ${events.map(({ type }) => type)}::text[],
        ${events.map(({ kind }) => kind)}::text[], ${events.map(({ subject }) => subject)}::text[],
        ${events.map(({ version }) => version)}::integer[],
        ${events.map(({ removal }) => removal)}::boolean[],
        ${events.map(({ principal }) => principal)}::text[],
        ${events.map(({ time }) => time)}::timestamptz[]
      ) with ordinality
        as event (id, type, kind, subject, version, removal, principal, time, ordinal)`
}
