import { ApiError } from '../../platform/errors.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import type { Database } from '../../platform/tables.ts'
import * as store from './store.ts'
import { findPosition, listEvents, listEventsWithDocuments, type EventRow } from './store.ts'

/**
 * Returns a page of an organization's feed, oldest first, after the given event or from the beginning. An
 * empty page is the current end of the feed. Errors: event_unknown.
 */
export async function readFeed(
  db: Database,
  organizationId: string,
  lastEventId: string | undefined,
  withDocuments: boolean,
): Promise<EventRow[]> {
  const list = withDocuments ? listEventsWithDocuments : listEvents
  if (lastEventId === undefined) return await list(db, organizationId)
  const position = isUuid(lastEventId)
    ? await findPosition(db, organizationId, lastEventId)
    : undefined
  if (position === undefined) {
    throw new ApiError(
      'event_unknown',
      'The feed has no event with this lastEventId. If it had one, the catalog was restored from an older backup: read the feed from its start, without lastEventId.',
      { violations: [{ field: 'lastEventId', message: 'names no event' }] },
    )
  }
  return await list(db, organizationId, position)
}

/**
 * Returns a text that changes with every event of an organization, for the entity tags of answers that show many of its
 * documents.
 */
export async function getFeedState(db: Database, organizationId: string): Promise<string> {
  return await store.findFeedState(db, organizationId)
}
