import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { OrganizationPage } from '../../platform/kit/organization-turns.ts'
import type { Database } from '../../platform/tables.ts'
import { selectAddressed, selectPeople } from './audience-store.ts'
import { recordNotified } from '../../ledger/incidents/notified-record.ts'
import { ALL_NOTIFICATION_KINDS } from './kinds.ts'

/** Lists organizations with notifications whose recipients were not found yet. Each costs one lookup. */
export async function listPendingOrganizations(
  db: Database,
  { after, except, limit }: OrganizationPage,
): Promise<string[]> {
  const { rows } = await sql<{ organizationId: string }>`
    with recursive pending as (
      (${selectNextPending(sql`${after}::uuid`, except)})
      union all
      (
        select next.organization_id
        from pending
        cross join lateral (${selectNextPending(sql`pending.organization_id`, except)}) as next
      )
    )
    select organization_id as "organizationId"
    from pending
    limit ${limit}
  `.execute(db)
  return rows.map(({ organizationId }) => organizationId)
}

function selectNextPending(
  after: RawBuilder<unknown>,
  except: readonly string[],
): RawBuilder<unknown> {
  return sql`
        select organization_id
        from notification
        where distributed_at is null
          and organization_id > ${after}
          and organization_id <> all (${except}::uuid[])
        order by organization_id
        limit 1`
}

// The first half of the key of an advisory lock, the same in all processes.
const DISTRIBUTION_LOCK = 7_276_229

/**
 * Reserves the distribution in an organization until the end of the transaction. Returns false if another process has
 * reserved it.
 */
export async function lockDistribution(db: Database, organizationId: string): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(${DISTRIBUTION_LOCK}, hashtext(${organizationId})) as "isLocked"
  `.execute(db)
  return rows[0]?.isLocked === true
}

/** The maximum number of notifications whose recipients are found in one transaction. */
const DISTRIBUTED_AT_ONCE_MAX = 10

/**
 * Finds the recipients of the oldest pending notifications of an organization, and marks these as distributed, in one
 * statement. Returns their ids. Rows that another process has locked are skipped, so that each is distributed once.
 *
 * No person is notified of their own change, or of what they muted. A person gets one notification of an occasion, of
 * the first kind and for the first reason.
 */
export async function distributeNotifications(
  db: Database,
  clock: Clock,
  organizationId: string,
  approverRoles: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive ${selectDefaults()},
    ${selectDue(organizationId)},
    audience as materialized (
      select due.id, listed.entry, listed.entry->>'type' as type, listed.entry->>'team' as team,
        listed.entry->>'reason' as reason, listed.ordinal
      from due
      cross join lateral jsonb_array_elements(due.audience) with ordinality
        as listed (entry, ordinal)
    ),
    ${selectAddressed(organizationId)},
    ${selectPeople(organizationId, approverRoles)},
    ${selectChosen(organizationId)},
    notified as (
      insert into notification_recipient (
        organization_id, notification_id, user_id, reason, on_page, email
      )
      select ${organizationId}::uuid, id, user_id, reason, on_page, email
      from chosen
      where on_page or email <> 'off'
      on conflict do nothing
    ),
    channelled as (${insertChannels(organizationId)}
      returning notification_id
    ),
    recorded as (${recordNotified(clock, organizationId)}
    )
    update notification
    set distributed_at = ${clock.now}
    from due
    where notification.organization_id = ${organizationId}
      and notification.id = due.id
    returning notification.id
  `.execute(db)
  return rows.map(({ id }) => id)
}

// The defaults of the kinds, with their rank.
function selectDefaults(): RawBuilder<unknown> {
  const kinds = ALL_NOTIFICATION_KINDS
  return sql`kind_default as (
      select *
      from unnest(
        ${kinds.map(({ kind }) => kind)}::text[],
        ${kinds.map(({ onPage }) => String(onPage))}::boolean[],
        ${kinds.map(({ email }) => email)}::text[],
        ${kinds.map(({ inChannels }) => String(inChannels))}::boolean[]
      ) with ordinality as listed (kind, on_page, email, in_channels, rank)
    )`
}

function selectDue(organizationId: string): RawBuilder<unknown> {
  return sql`due as materialized (
      select notification.*, ${ACTOR_ID} as actor_id
      from notification
      where organization_id = ${organizationId}
        and distributed_at is null
      order by id
      limit ${DISTRIBUTED_AT_ONCE_MAX}
      for update skip locked
    )`
}

// The person who made the change, also by a personal key.
const ACTOR_ID = sql`case
          when principal ~ '^user:[0-9a-f-]{36}$' then substr(principal, 6)::uuid
          when principal ~ '^api-key:[0-9a-f-]{36}$' then (
            select api_key.user_id
            from api_key
            where api_key.organization_id = notification.organization_id
              and api_key.id = substr(notification.principal, 9)::uuid
          )
        end`

// The recipients, each once for an occasion.
function selectChosen(organizationId: string): RawBuilder<unknown> {
  return sql`chosen as (
      select distinct on (due.occasion, everybody.user_id) due.id, everybody.user_id, everybody.reason,
        coalesce(setting.on_page, kind_default.on_page) as on_page,
        coalesce(setting.email, audience.entry ->> 'email', kind_default.email) as email
      from everybody
      join audience on audience.id = everybody.id
        and audience.ordinal = everybody.ordinal
      join due on due.id = everybody.id
      join kind_default on kind_default.kind = due.kind
      join organization_member as member on member.organization_id = ${organizationId}
        and member.user_id = everybody.user_id
      left join notification_setting as setting on setting.organization_id = ${organizationId}
        and setting.user_id = everybody.user_id
        and setting.kind = due.kind
      where everybody.user_id is distinct from due.actor_id
        and not exists (
          select
          from follow as mute
          where mute.organization_id = ${organizationId}
            and mute.user_id = everybody.user_id
            and mute.is_muted
            and mute.kind = due.subject_kind
            and mute.subject = due.subject_id
        )
        and not exists (
          select
          from notification as other
          join notification_recipient as earlier on earlier.organization_id = other.organization_id
            and earlier.notification_id = other.id
            and earlier.user_id = everybody.user_id
          where other.organization_id = ${organizationId}
            and other.occasion = due.occasion
        )
      order by due.occasion, everybody.user_id, kind_default.rank, everybody.ordinal
    )`
}

function insertChannels(organizationId: string): RawBuilder<unknown> {
  return sql`
      insert into notification_channel_recipient (organization_id, notification_id, team, channel)
      select distinct ${organizationId}::uuid, addressed.id, channel.scope, channel.external_id
      from addressed
      join audience on audience.id = addressed.id
        and audience.ordinal = addressed.ordinal
        and not audience.entry ? 'email'
      join due on due.id = addressed.id
      join kind_default on kind_default.kind = due.kind
        and kind_default.in_channels
      join plain_record as channel on channel.organization_id = ${organizationId}
        and channel.kind = 'notification-channel'
        and channel.scope = addressed.team
      left join notification_channel_setting as setting on setting.organization_id = ${organizationId}
        and setting.team = channel.scope
        and setting.channel = channel.external_id
        and setting.kind = due.kind
      where coalesce(setting.is_enabled, true)
        and channel.document::json->>'enabled' = 'true'
      on conflict do nothing`
}

/** A deleted subject, whose follows have ended. */
interface EndedSubject {
  kind: string
  id: string
  deletedAt: string
}

/** Lists the subjects of deletions among notifications. */
export async function listEndedSubjects(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<EndedSubject[]> {
  const { rows } = await sql<EndedSubject>`
    select subject_kind as kind, subject_id as id, occurred_at as "deletedAt"
    from notification
    where organization_id = ${organizationId}
      and id = any(${ids}::uuid[])
      and kind = 'deleted'
  `.execute(db)
  return rows
}

/** The number of days for which notifications are kept, and the maximum number that a person has. */
const RETENTION = { days: 90, ofPersonMax: 1000 }

/** Deletes notifications that are older than 90 days, at most `limit`. Returns their number. */
export async function deleteOldNotifications(
  db: Database,
  clock: Clock,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from notification
    using (
      select organization_id, id
      from notification
      where created_at < (
        select ${clock.now} - make_interval(days => ${RETENTION.days}::integer)
      )
      order by created_at
      limit ${limit}
    ) as old
    where notification.organization_id = old.organization_id
      and notification.id = old.id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Deletes the oldest notifications of people who have more than 1000, at most `limit` of each. Returns their number. */
export async function deleteExcessNotifications(db: Database, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with excess as (
      select excess.*
      from organization_member as member
      cross join lateral (
        select organization_id, user_id, notification_id
        from notification_recipient
        where organization_id = member.organization_id
          and user_id = member.user_id
        order by notification_id desc
        offset ${RETENTION.ofPersonMax}
        limit ${limit}
      ) as excess
      limit ${limit}
    )
    delete from notification_recipient as recipient
    using excess
    where recipient.organization_id = excess.organization_id
      and recipient.notification_id = excess.notification_id
      and recipient.user_id = excess.user_id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
