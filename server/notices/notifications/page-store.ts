import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import { readShort } from '../../platform/kit/short-reads.ts'
import type { Database } from '../../platform/tables.ts'
import type { NotificationKind } from './kinds.ts'
import { UNREAD_COUNTED_MAX, type MarkForm, type StoredNotification } from './notification.ts'

/** The person who reads their notifications. */
export interface Reader {
  organizationId: string
  userId: string
  isOwner: boolean
  /** External ids of the teams in which the person has a role, including inherited ones. */
  teams: readonly string[]
}

/** Selects notifications of a person. */
export interface NotificationFilter {
  kind?: NotificationKind | undefined
  unread: boolean
  /** The id of the last notification of the page before. */
  before?: string | undefined
  limit: number
}

// A person who has left a team no longer sees what only its members may see.
function isVisible({ isOwner, teams }: Reader): RawBuilder<unknown> {
  return sql`(
      notification.visible_to is null
      or ${isOwner}::boolean
      or notification.visible_to && ${teams}::text[]
    )`
}

/** Lists notifications of a person, the newest first. */
export async function listNotifications(
  db: Database,
  reader: Reader,
  { kind, unread, before, limit }: NotificationFilter,
): Promise<StoredNotification[]> {
  const { rows } = await sql<StoredNotification>`
    select notification.id, notification.kind, subject_kind as "subjectKind",
      subject_id as "subjectId", subject_name as "subjectName", principal, data, recipient.reason,
      occurred_at as "occurredAt", recipient.read_at as "readAt"
    from notification_recipient as recipient
    join notification on notification.organization_id = recipient.organization_id
      and notification.id = recipient.notification_id
    where recipient.organization_id = ${reader.organizationId}
      and recipient.user_id = ${reader.userId}::uuid
      and recipient.on_page
      and ${isVisible(reader)}
      ${unread ? sql`and recipient.read_at is null` : sql``}
      ${kind === undefined ? sql`` : sql`and notification.kind = ${kind}`}
      ${before === undefined ? sql`` : sql`and recipient.notification_id < ${before}::uuid`}
    order by recipient.notification_id desc
    limit ${limit}
  `.execute(db)
  return rows
}

/** Counts the unread notifications of a person, up to a limit. */
export async function countUnread(db: Database, reader: Reader): Promise<number> {
  const rows = await readShort(
    db,
    sql<{ count: number }>`
    select count(*)::integer as count
    from (
      select
      from notification_recipient as recipient
      join notification on notification.organization_id = recipient.organization_id
        and notification.id = recipient.notification_id
      where recipient.organization_id = ${reader.organizationId}
        and recipient.user_id = ${reader.userId}::uuid
        and recipient.read_at is null
        and recipient.on_page
        and ${isVisible(reader)}
      limit ${UNREAD_COUNTED_MAX}
    ) as unread
  `,
  )
  return rows[0]?.count ?? 0
}

/** Marks notifications of a person as read or unread. */
export async function markNotifications(
  db: Database,
  clock: Clock,
  { organizationId, userId }: Reader,
  { ids, upTo, isRead }: MarkForm,
): Promise<void> {
  const marked =
    ids === undefined
      ? sql`notification_id <= ${upTo ?? null}::uuid`
      : sql`notification_id = any(${ids}::uuid[])`
  await sql`
    update notification_recipient
    set read_at = case when ${isRead}::boolean then ${clock.now} end
    where organization_id = ${organizationId}
      and user_id = ${userId}::uuid
      and (read_at is null) = ${isRead}::boolean
      and ${marked}
  `.execute(db)
}
