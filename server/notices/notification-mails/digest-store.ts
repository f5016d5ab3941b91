import { sql, type RawBuilder } from 'kysely'
import { enqueueDeliveries } from '../../delivery/deliveries/record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'

/** The maximum number of notifications that a digest lists. */
const DIGEST_NOTIFICATIONS_MAX = 100

/** The maximum number of people whose digests one statement enqueues. */
export const DIGESTS_AT_ONCE_MAX = 500

/** The hour of digests, in UTC, of people who have not chosen one. */
export const DEFAULT_HOUR = 7

// A notification that is older was not sent while e-mail was off.
const LOOK_BACK = sql`interval '7 days'`

/**
 * Enqueues the digests that are due: of people whose hour has come today, with their notifications from before that hour,
 * at most `limit`. Organizations take turns: the first person of each comes before the second one of any.
 *
 * The row of a person decides: of two processes, one writes today's date and the other waits for it and then finds
 * nothing, so there is one digest a day at most. Returns the number of digests.
 */
export async function enqueueDueDigests(
  db: Database,
  clock: Clock,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with present as materialized (
      select ${clock.now} as instant, (${clock.now} at time zone 'UTC')::date as day
    ),
    ${selectWaiting()},
    due as (
      select organization_id, user_id,
        row_number() over (partition by organization_id order by user_id) as turn
      from waiting
      where is_recent
      group by organization_id, user_id
      order by turn, organization_id
      limit ${limit}
    ),
    taken as (
      insert into mail_digest (organization_id, user_id, last_day)
      select due.organization_id, due.user_id, present.day
      from due
      cross join present
      order by due.organization_id, due.user_id
      on conflict (organization_id, user_id) do update
      set last_day = excluded.last_day
      where mail_digest.last_day is distinct from excluded.last_day
      returning organization_id, user_id
    ),
    ${selectDigests()},
    ${enqueueDeliveries('chosen')}
    select count(*)::integer as count
    from taken
  `.execute(db)
  return rows[0]?.count ?? 0
}

// The notifications that wait for a digest whose hour has come today and that was not sent today, from before the hour.
function selectWaiting(): RawBuilder<unknown> {
  return sql`
    waiting as materialized (
      select recipient.organization_id, recipient.user_id, recipient.notification_id,
        notification.created_at >= present.instant - ${LOOK_BACK} as is_recent
      from notification_recipient as recipient
      join organization_member as member on member.organization_id = recipient.organization_id
        and member.user_id = recipient.user_id
        and member.suspended_at is null
      cross join present
      left join mail_digest as digest on digest.organization_id = recipient.organization_id
        and digest.user_id = recipient.user_id
      cross join lateral (
        select (present.day + make_interval(hours => coalesce(digest.hour, ${DEFAULT_HOUR})::integer))
          at time zone 'UTC' as instant
      ) as until
      cross join lateral (
        select created_at
        from notification
        where notification.organization_id = recipient.organization_id
          and notification.id = recipient.notification_id
        limit 1
      ) as notification
      where recipient.email = 'digest'
        and recipient.emailed_at is null
        and digest.last_day is distinct from present.day
        and until.instant <= present.instant
        and notification.created_at < until.instant
    )`
}

// The deliveries of the digests that this statement has taken; their notifications are marked.
function selectDigests(): RawBuilder<unknown> {
  return sql`
    item as (
      select waiting.*
      from taken
      join waiting on waiting.organization_id = taken.organization_id
        and waiting.user_id = taken.user_id
    ),
    marked as (
      update notification_recipient as recipient
      set emailed_at = present.instant
      from item
      cross join present
      where recipient.organization_id = item.organization_id
        and recipient.notification_id = item.notification_id
        and recipient.user_id = item.user_id
    ),
    digest as (
      select organization_id, user_id, count(*) as count,
        (array_agg(notification_id order by notification_id desc))[:${sql.lit(DIGEST_NOTIFICATIONS_MAX)}] as ids
      from item
      where is_recent
      group by organization_id, user_id
    ),
    chosen as (
      select digest.organization_id, 'email' as channel, 'email' as target,
        digest.user_id::text || ' digest' as subject, 'digest' as topic, null::uuid as event_id,
        json_build_object(
          'userId', digest.user_id,
          'notificationIds', digest.ids,
          'digest', json_build_object('day', present.day, 'count', digest.count)
        )::text as payload,
        row_number() over (order by digest.organization_id, digest.user_id) as ordinal
      from digest
      cross join present
    )`
}

/** Returns the hour of the digest of a person, in UTC; undefined = they have not chosen one. */
export async function findDigestHour(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('mail_digest')
    .select('hour')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.hour
}

/** Stores the hour of the digest of a person. */
export async function upsertDigestHour(
  db: Database,
  organizationId: string,
  userId: string,
  hour: number,
): Promise<void> {
  await db
    .insertInto('mail_digest')
    .values({ organization_id: organizationId, user_id: userId, hour })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'user_id']).doUpdateSet({ hour }),
    )
    .execute()
}
