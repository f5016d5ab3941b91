import type { Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { EventDetails } from './event.ts'
import { sql, type RawBuilder } from 'kysely'

/**
 * Followers are parts of the program that react to changes, such as webhooks and notifications. The table of events is
 * their queue: it is written by the statement that makes the change, and its order never changes.
 */

/** An event as followers receive it. */
export interface FollowedEvent {
  id: string
  /** The name of the event without the prefix of the installation, as `DataProductUpdatedEvent`. */
  type: string
  /** The kind of the subject, as `data-product`. */
  kind: string
  /** The external id of what changed. */
  subject: string
  version: number
  /** Whether the change removed the subject. */
  removal: boolean
  outputPortId: string | null
  principal: string
  time: Instant
  details: EventDetails | null
}

/** A part of the program that handles every event of every organization. */
export interface FeedFollower {
  /** Identifies the follower in the database; it must never change. */
  name: string
  /**
   * Handles the next events of an organization, oldest first. What it writes in the transaction is written exactly once
   * for each event. It must not wait for anything other than the database, and should insert with a few statements for
   * all events.
   */
  handle(
    transaction: Database,
    organizationId: string,
    events: readonly FollowedEvent[],
  ): Promise<void>
}

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
