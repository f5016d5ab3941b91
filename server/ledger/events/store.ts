import { sql, type RawBuilder } from 'kysely'
import type { Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { FEED_EVENTS_MAX, type EventDetails } from './event.ts'

/** A place in the feed, after one event. */
export interface FeedPosition {
  epoch: number
  transactionId: string
  position: number
}

/** An event row; documents are included only on request. */
export interface EventRow {
  id: string
  type: string
  subject: string
  version: number
  outputPortId: string | null
  details: EventDetails | null
  principal: string
  time: Instant
  before: EventText | null
  after: EventText | null
}

/** The text of a document and its media type. */
interface EventText {
  document: string
  mediaType: string
}

// The total size of documents in a page: a thousand large ones would fill the memory and block the event
// loop.
const DOCUMENT_BYTES_MAX = 1024 * 1024

/** Returns the position of an event in its organization's feed. */
export async function findPosition(
  db: Database,
  organizationId: string,
  eventId: string,
): Promise<FeedPosition | undefined> {
  return await db
    .selectFrom('event')
    .select(['epoch', 'transaction_id as transactionId', 'position'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', eventId)
    .executeTakeFirst()
}

/**
 * Matches events that are visible in the feed: those of transactions below every open one. Later commits have higher
 * transaction ids, so no event can appear behind a position that a follower has passed. Transactions of earlier epochs
 * have all ended.
 */
export const SETTLED = sql`(epoch, transaction_id) < (
        (select feed_epoch.epoch from feed_epoch), pg_snapshot_xmin(pg_current_snapshot())
      )`

const START: FeedPosition = { epoch: 0, transactionId: '0', position: 0 }

/** Reads the settled events of an organization after a place in its feed, oldest first: all that follows a select list. */
export function fromSettledEvents(
  organizationId: string,
  { epoch, transactionId, position }: FeedPosition,
  limit: number,
): RawBuilder<unknown> {
  return sql`from event
    where organization_id = ${organizationId}
      and (epoch, transaction_id, position)
        > (${epoch}::integer, ${transactionId}::xid8, ${position}::bigint)
      and ${SETTLED}
    order by epoch, transaction_id, position
    limit ${limit}`
}

/**
 * Returns a text that is equal if and only if the same events of an organization are visible. The settled events only
 * grow, so the newest one identifies them; those that are not settled yet only grow until they are.
 */
export async function findFeedState(db: Database, organizationId: string): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    select json_build_array(
      (
        select json_build_array(epoch, transaction_id::text, position)
        from event
        where organization_id = ${organizationId}
          and ${SETTLED}
        order by epoch desc, transaction_id desc, position desc
        limit 1
      ),
      (
        select count(*)
        from event
        where organization_id = ${organizationId}
          and not ${SETTLED}
      )
    )::text as state
  `.execute(db)
  return rows[0]?.state ?? ''
}

/** Lists the settled events after a place, oldest first. */
export async function listEvents(
  db: Database,
  organizationId: string,
  after: FeedPosition = START,
): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select
      id, type, subject, version, output_port_id as "outputPortId", details, principal,
      time, null as before, null as after
    ${fromSettledEvents(organizationId, after, FEED_EVENTS_MAX)}
  `.execute(db)
  return rows
}

/** Lists as `listEvents` does, each with the documents before and after; pages end by size too. */
export async function listEventsWithDocuments(
  db: Database,
  organizationId: string,
  after: FeedPosition = START,
): Promise<EventRow[]> {
  // The texts are separate columns, because building and parsing JSON of them would dominate the cost.
  const { rows } = await sql<FlatEventRow>`
    with page as (
      select *
      ${fromSettledEvents(organizationId, after, FEED_EVENTS_MAX)}
    ),
    sized as (
      select
        page.*,
        earlier.document as earlier_document,
        earlier.media_type as earlier_media_type,
        later.document as later_document,
        later.media_type as later_media_type,
        row_number() over place as ordinal,
        sum(coalesce(octet_length(earlier.document), 0) + coalesce(octet_length(later.document), 0))
          over place as bytes
      from page
      left join revision as later on later.organization_id = page.organization_id
        and later.kind = page.kind
        and later.external_id = page.subject
        and later.version = page.version
        and not page.removal
      left join revision as earlier on earlier.organization_id = page.organization_id
        and earlier.kind = page.kind
        and earlier.external_id = page.subject
        and earlier.version = case when page.removal then page.version else page.version - 1 end
        -- A document that was deleted and created again has no earlier version.
        and (page.removal or earlier.deleted_at is null)
      window place as (order by page.epoch, page.transaction_id, page.position)
    )
    select
      id, type, subject, version, output_port_id as "outputPortId", details, principal,
      time, earlier_document as before, earlier_media_type as "beforeMediaType",
      later_document as after, later_media_type as "afterMediaType"
    from sized
    where bytes <= ${DOCUMENT_BYTES_MAX} or ordinal = 1
    order by epoch, transaction_id, position
  `.execute(db)
  return rows.map(({ before, beforeMediaType, after, afterMediaType, ...row }) => ({
    ...row,
    before: getText(before, beforeMediaType),
    after: getText(after, afterMediaType),
  }))
}

interface FlatEventRow extends Omit<EventRow, 'before' | 'after'> {
  before: string | null
  beforeMediaType: string | null
  after: string | null
  afterMediaType: string | null
}

function getText(document: string | null, mediaType: string | null): EventText | null {
  return document === null || mediaType === null ? null : { document, mediaType }
}
