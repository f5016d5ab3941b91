import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import type { EmailChoice, NotificationKind } from './kinds.ts'

/** The choice of a person for a kind. */
export interface Setting {
  kind: NotificationKind
  onPage: boolean
  email: EmailChoice
}

/** Lists the choices of a person; kinds without a choice have their default. */
export async function listSettings(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<Setting[]> {
  const { rows } = await sql<Setting>`
    select kind, on_page as "onPage", email
    from notification_setting
    where organization_id = ${organizationId}
      and user_id = ${userId}::uuid
  `.execute(db)
  return rows
}

/** Stores the choice of a person for a kind. */
export async function upsertSetting(
  db: Database,
  organizationId: string,
  userId: string,
  { kind, onPage, email }: Setting,
): Promise<void> {
  await sql`
    insert into notification_setting (organization_id, user_id, kind, on_page, email)
    values (${organizationId}::uuid, ${userId}::uuid, ${kind}, ${onPage}::boolean, ${email})
    on conflict (organization_id, user_id, kind) do update
    set on_page = excluded.on_page, email = excluded.email
  `.execute(db)
}

/** A channel of a team. */
export interface ChannelKey {
  organizationId: string
  /** External id. */
  team: string
  channel: string
}

/** Whether a channel gets a kind. */
export interface ChannelSetting {
  kind: NotificationKind
  isEnabled: boolean
}

/** Lists the choices for a channel; undefined if the channel does not exist. */
export async function listChannelSettings(
  db: Database,
  { organizationId, team, channel }: ChannelKey,
): Promise<ChannelSetting[] | undefined> {
  const { rows } = await sql<{ settings: ChannelSetting[] }>`
    select coalesce(
        json_agg(json_build_object('kind', setting.kind, 'isEnabled', setting.is_enabled))
          filter (where setting.kind is not null),
        '[]'
      ) as settings
    from plain_record as channel
    left join notification_channel_setting as setting
      on setting.organization_id = channel.organization_id
      and setting.team = channel.scope
      and setting.channel = channel.external_id
    where channel.organization_id = ${organizationId}
      and channel.kind = 'notification-channel'
      and channel.scope = ${team}
      and channel.external_id = ${channel}
    group by channel.external_id
  `.execute(db)
  return rows[0]?.settings
}

/** Stores whether a channel gets a kind. Returns false if the channel does not exist. */
export async function upsertChannelSetting(
  db: Database,
  { organizationId, team, channel }: ChannelKey,
  { kind, isEnabled }: ChannelSetting,
): Promise<boolean> {
  const { rows } = await sql`
    insert into notification_channel_setting (organization_id, team, channel, kind, is_enabled)
    select organization_id, scope, external_id, ${kind}, ${isEnabled}::boolean
    from plain_record
    where organization_id = ${organizationId}
      and kind = 'notification-channel'
      and scope = ${team}
      and external_id = ${channel}
    for key share
    on conflict (organization_id, team, channel, kind) do update
    set is_enabled = excluded.is_enabled
    returning kind
  `.execute(db)
  return rows.length > 0
}
