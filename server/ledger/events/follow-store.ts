import { sql } from 'kysely'
import type { OrganizationPage } from '../../platform/kit/organization-turns.ts'
import { readShort } from '../../platform/kit/short-reads.ts'
import type { Database } from '../../platform/tables.ts'
import type { FollowedEvent } from './feed-follower.ts'
import { fromSettledEvents, SETTLED, type FeedPosition } from './store.ts'

/** The end of the part of all feeds that can no longer change. */
export interface SettledEnd {
  epoch: number
  transactionId: string
}

/** An event with its place in the feed. */
type PlacedEvent = FollowedEvent & FeedPosition

/** The place after everything that is settled; undefined if the store has no feed yet. */
export async function findSettledEnd(db: Database): Promise<SettledEnd | undefined> {
  const [end] = await readShort(
    db,
    sql<SettledEnd>`
    select epoch, pg_snapshot_xmin(pg_current_snapshot())::text as "transactionId"
    from feed_epoch`,
  )
  return end
}

/**
 * Records where a follower begins: after all transactions that have started. Returns whether it is recorded. In a store
 * without organizations it is not, so that an import into it is not followed; nor on a server that was not examined,
 * whose transaction ids may be lower than those of existing events.
 */
export async function insertFollower(db: Database, name: string): Promise<boolean> {
  const { rows } = await sql`
    with begun as (
      insert into feed_follower (name, epoch, transaction_id)
      select ${name}, epoch, pg_snapshot_xmax(pg_current_snapshot())
      from feed_epoch
      where server_started_at = pg_postmaster_start_time()
        and exists (select from organization)
      on conflict (name) do nothing
      returning name
    )
    select from begun
    union all
    select from feed_follower where name = ${name}
  `.execute(db)
  return rows.length > 0
}

/**
 * Lists organizations with settled events that a follower has not handled. Their cursors are inserted if they have none.
 */
export async function listOrganizationsBehind(
  db: Database,
  follower: string,
  { after, except, limit }: OrganizationPage,
): Promise<string[]> {
  // The key of events begins with the organization, so each organization costs one lookup of its next event.
  const { rows } = await sql<{ id: string }>`
    with behind as (
      select organization.id, start.epoch, start.transaction_id, start.position
      from feed_follower
      cross join organization
      left join feed_cursor as handled on handled.organization_id = organization.id
        and handled.follower = feed_follower.name
      cross join lateral (
        select
          coalesce(handled.epoch, feed_follower.epoch) as epoch,
          coalesce(handled.transaction_id, feed_follower.transaction_id) as transaction_id,
          coalesce(handled.position, 0) as position
      ) as start
      where feed_follower.name = ${follower}
        and organization.id > ${after}::uuid
        and organization.id <> all (${except}::uuid[])
        and exists (
          select
          from event
          where event.organization_id = organization.id
            and (event.epoch, event.transaction_id, event.position)
              > (start.epoch, start.transaction_id, start.position)
            and ${SETTLED}
        )
      order by organization.id
      limit ${limit}
    ),
    begun as (
      insert into feed_cursor (organization_id, follower, epoch, transaction_id, position)
      select id, ${follower}, epoch, transaction_id, position
      from behind
      on conflict (organization_id, follower) do nothing
    )
    select id
    from behind
    order by id
  `.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Locks the cursor of a follower until the end of the transaction. Returns undefined if another process has locked it,
 * which then handles the same events.
 */
export async function lockCursor(
  transaction: Database,
  organizationId: string,
  follower: string,
): Promise<FeedPosition | undefined> {
  const { rows } = await sql<FeedPosition>`
    select epoch, transaction_id as "transactionId", position
    from feed_cursor
    where organization_id = ${organizationId}
      and follower = ${follower}
    for update skip locked
  `.execute(transaction)
  return rows[0]
}

/** Lists the settled events after a place, oldest first. */
export async function listFollowedEvents(
  transaction: Database,
  organizationId: string,
  after: FeedPosition,
  limit: number,
): Promise<PlacedEvent[]> {
  const { rows } = await sql<PlacedEvent>`
    select
      id, type, kind, subject, version, removal, output_port_id as "outputPortId", principal, time,
      details, epoch, transaction_id as "transactionId", position
    ${fromSettledEvents(organizationId, after, limit)}
  `.execute(transaction)
  return rows
}

/** Moves the locked cursor of a follower behind an event. */
export async function advanceCursor(
  transaction: Database,
  organizationId: string,
  follower: string,
  { epoch, transactionId, position }: FeedPosition,
): Promise<void> {
  await sql`
    update feed_cursor
    set epoch = ${epoch}, transaction_id = ${transactionId}::xid8, position = ${position}
    where organization_id = ${organizationId}
      and follower = ${follower}
  `.execute(transaction)
}
