import { sql, type RawBuilder } from 'kysely'
import { isOwner, selectRolesOfMember } from '../../requests/access/effective-role.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { enqueueDeliveries } from '../../delivery/deliveries/record.ts'
import type { Database } from '../../platform/tables.ts'
import type { StoredNotification } from './notification.ts'

/**
 * Enqueues the e-mails that are sent at once, and the messages to channels of teams, for notifications whose recipients
 * were found. Recipients are marked in the same statement, so that each gets one e-mail.
 */
export async function insertDeliveries(
  db: Database,
  clock: Clock,
  organizationId: string,
  notificationIds: readonly string[],
  { sendsMail }: { sendsMail: boolean },
): Promise<void> {
  await sql`
    with present as materialized (select ${clock.now} as instant),
    mail as (
      select notification.id, recipient.user_id,
        notification.subject_kind || '/' || notification.subject_id as subject,
        notification.kind as topic
      from ${selectNotifications(organizationId, notificationIds)} as notification
      join notification_recipient as recipient on recipient.organization_id = ${organizationId}
        and recipient.notification_id = notification.id
      where recipient.email = 'immediate'
        and recipient.emailed_at is null
        and ${sendsMail}::boolean
    ),
    marked as (
      update notification_recipient as recipient
      set emailed_at = present.instant
      from mail
      cross join present
      where recipient.organization_id = ${organizationId}
        and recipient.notification_id = mail.id
        and recipient.user_id = mail.user_id
    ),
    message as (
      select id, 'email' as channel, 'email' as target, user_id::text || ' ' || subject as subject,
        topic, json_build_object('userId', user_id, 'notificationIds', array[id]) as payload
      from mail
      union all
      select notification.id, 'chat', json_build_array(recipient.team, recipient.channel)::text,
        notification.subject_kind || '/' || notification.subject_id, notification.kind,
        json_build_object(
          'team', recipient.team, 'channelId', recipient.channel, 'notificationId', notification.id
        )
      from ${selectNotifications(organizationId, notificationIds)} as notification
      join notification_channel_recipient as recipient
        on recipient.organization_id = ${organizationId}
        and recipient.notification_id = notification.id
    ),
    chosen as (
      select ${organizationId}::uuid as organization_id, channel, target, subject, topic,
        null::uuid as event_id, payload::text as payload,
        row_number() over (order by id, channel, target, subject) as ordinal
      from message
    ),
    ${enqueueDeliveries('chosen')}
    select from queued
  `.execute(db)
}

// The notifications with the given ids, each looked up by its key.
function selectNotifications(
  organizationId: string,
  notificationIds: readonly string[],
): RawBuilder<unknown> {
  return sql`(
        select found.*
        from unnest(${notificationIds}::uuid[]) as given (id)
        cross join lateral (
          select *
          from notification
          where notification.organization_id = ${organizationId}
            and notification.id = given.id
          limit 1
        ) as found
      )`
}

/** A notification that is sent outside of the pages. */
export type DeliverableNotification = Omit<StoredNotification, 'reason' | 'readAt'>

/** A notification for a person, with why they get it. */
type PersonalNotification = Omit<StoredNotification, 'readAt'>

const COLUMNS = sql`
      notification.id, notification.kind, notification.subject_kind as "subjectKind",
      notification.subject_id as "subjectId", notification.subject_name as "subjectName",
      notification.principal, notification.data, notification.occurred_at as "occurredAt"`

/**
 * Lists notifications for a person by their ids, the oldest first, without those that the person has switched off in the
 * meantime or may no longer see.
 */
export async function listForPerson(
  db: Database,
  organizationId: string,
  userId: string,
  notificationIds: readonly string[],
): Promise<PersonalNotification[]> {
  const member = { organizationId: sql`${organizationId}::uuid`, userId: sql`${userId}::uuid` }
  const { rows } = await sql<PersonalNotification>`
    with recursive held as (
      select team.id, team.external_id
      from ${selectRolesOfMember(member)} as direct
      join team on team.organization_id = ${organizationId}
        and team.id = direct.team_id
      union
      select team.id, team.external_id
      from held
      join team on team.organization_id = ${organizationId}
        and team.parent_id = held.id
    )
    select ${COLUMNS}, recipient.reason
    from ${selectNotifications(organizationId, notificationIds)} as notification
    join notification_recipient as recipient on recipient.organization_id = ${organizationId}
      and recipient.notification_id = notification.id
    join organization_member as member on member.organization_id = recipient.organization_id
      and member.user_id = recipient.user_id
      and member.suspended_at is null
    left join notification_setting as setting on setting.organization_id = recipient.organization_id
      and setting.user_id = recipient.user_id
      and setting.kind = notification.kind
    where recipient.user_id = ${userId}::uuid
      and setting.email is distinct from 'off'
      and (
        notification.visible_to is null
        or ${isOwner(member)}
        or notification.visible_to && array(select external_id from held)
      )
    order by notification.id
  `.execute(db)
  return rows
}

/** Finds a notification for the channel of a team, unless its members may not see it. */
export async function findForTeam(
  db: Database,
  organizationId: string,
  team: string,
  notificationId: string,
): Promise<DeliverableNotification | undefined> {
  const { rows } = await sql<DeliverableNotification>`
    select ${COLUMNS}
    from notification
    where organization_id = ${organizationId}
      and id = ${notificationId}::uuid
      and (visible_to is null or ${team} = any(visible_to))
  `.execute(db)
  return rows[0]
}
