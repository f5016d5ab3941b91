import type { Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { EventDetails } from './event.ts'

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
