import type { Caller } from '../../requests/access/caller.ts'
import { may } from '../../requests/access/permission.ts'
import { notFound } from '../../platform/errors.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { missingPermission } from '../../requests/http/missing-permission.ts'
import { namePrincipals } from '../../ledger/principals/service.ts'
import type { Database } from '../../platform/tables.ts'
import { toShownNotification } from './describe.ts'
import { ALL_NOTIFICATION_KINDS, CHANNEL_KINDS, type NotificationKind } from './kinds.ts'
import {
  PAGE_NOTIFICATIONS_MAX,
  type ChannelSettings,
  type MarkForm,
  type NotificationPage,
  type NotificationSettings,
} from './notification.ts'
import * as store from './page-store.ts'
import * as settings from './setting-store.ts'

/** Returns a page of the caller's notifications, the newest first. */
export async function listNotifications(
  db: Database,
  caller: Caller,
  filter: Omit<store.NotificationFilter, 'limit'>,
): Promise<NotificationPage> {
  const limit = PAGE_NOTIFICATIONS_MAX
  const rows = await store.listNotifications(db, toReader(caller), { ...filter, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const principals = page.flatMap(({ principal }) => (principal === null ? [] : [principal]))
  const named = await namePrincipals(db, caller.organizationId, principals)
  const names = new Map(named.map(({ principal, name }) => [principal, name ?? undefined]))
  return {
    notifications: page.map((row) => toShownNotification(row, names.get(row.principal ?? ''))),
    hasNext: rows.length > limit,
  }
}

/** Counts the caller's unread notifications, up to a limit. */
export async function countUnread(db: Database, caller: Caller): Promise<number> {
  return await store.countUnread(db, toReader(caller))
}

/** Marks notifications of the caller as read or unread. */
export async function markNotifications(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  caller: Caller,
  form: MarkForm,
): Promise<void> {
  await store.markNotifications(db, clock, toReader(caller), form)
}

/** Returns what the caller gets of each kind. */
export async function getSettings(
  { db, mailing }: Pick<Services, 'db' | 'mailing'>,
  caller: Caller,
): Promise<NotificationSettings> {
  const { organizationId, userId } = toReader(caller)
  const chosen = await settings.listSettings(db, organizationId, userId)
  const byKind = new Map(chosen.map((setting) => [setting.kind, setting]))
  return {
    kinds: ALL_NOTIFICATION_KINDS.map(({ kind, title, description, onPage, email }) => {
      const own = byKind.get(kind)
      const current = own ?? { onPage, email }
      return { kind, title, description, ...current, isDefault: own === undefined }
    }),
    sendsMail: mailing !== undefined,
  }
}

/** Changes what the caller gets of a kind. */
export async function putSetting(
  db: Database,
  caller: Caller,
  setting: settings.Setting,
): Promise<void> {
  const { organizationId, userId } = toReader(caller)
  await settings.upsertSetting(db, organizationId, userId, setting)
}

/**
 * Switches off the e-mails of a kind for a person, or with `digest` those of all kinds that the person gets in the daily
 * e-mail. What the person sees on the page stays.
 */
export async function switchOffEmails(
  db: Database,
  organizationId: string,
  userId: string,
  kind: NotificationKind | 'digest',
): Promise<void> {
  const chosen = await settings.listSettings(db, organizationId, userId)
  for (const { kind: each, onPage, email } of ALL_NOTIFICATION_KINDS) {
    const current = chosen.find((one) => one.kind === each) ?? { onPage, email }
    const isMeant = kind === 'digest' ? current.email === 'digest' : each === kind
    if (!isMeant || current.email === 'off') continue
    const setting = { kind: each, onPage: current.onPage, email: 'off' as const }
    await settings.upsertSetting(db, organizationId, userId, setting)
  }
}

/** Returns what a channel of a team gets of each kind. Errors: permission_missing, not_found. */
export async function getChannelSettings(
  db: Database,
  caller: Caller,
  team: string,
  channel: string,
): Promise<ChannelSettings> {
  const chosen = await settings.listChannelSettings(db, toChannel(caller, team, channel))
  if (chosen === undefined) throw notFound()
  const byKind = new Map(chosen.map(({ kind, isEnabled }) => [kind, isEnabled]))
  return {
    kinds: CHANNEL_KINDS.map(({ kind, title, description }) => ({
      kind,
      title,
      description,
      isEnabled: byKind.get(kind) ?? true,
    })),
  }
}

/** Changes whether a channel of a team gets a kind. Errors: permission_missing, not_found. */
export async function putChannelSetting(
  db: Database,
  caller: Caller,
  { team, channel, ...setting }: { team: string; channel: string } & settings.ChannelSetting,
): Promise<void> {
  const key = toChannel(caller, team, channel)
  if (!(await settings.upsertChannelSetting(db, key, setting))) throw notFound()
}

function toChannel(caller: Caller, team: string, channel: string): settings.ChannelKey {
  if (!may(caller, 'TEAM_EDIT', team)) throw missingPermission('TEAM_EDIT', team)
  return { organizationId: caller.organizationId, team, channel }
}

function toReader(caller: Caller): store.Reader {
  return {
    organizationId: caller.organizationId,
    userId: caller.userId ?? '',
    isOwner: caller.organizationOwner,
    teams: [...caller.roles.keys()],
  }
}
