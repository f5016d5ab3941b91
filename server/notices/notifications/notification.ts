import { z } from '@hono/zod-openapi'
import type { Instant } from '../../platform/kit/clock.ts'
import {
  CHANNEL_KINDS,
  EMAIL_CHOICES,
  NOTIFICATION_KIND_NAMES,
  type NotificationKind,
} from './kinds.ts'

/** A notification reports to people and channels what happened to what they own, read or follow. */

/** The number of notifications on a page of the list. */
export const PAGE_NOTIFICATIONS_MAX = 50

/** Unread notifications are counted up to this number. */
export const UNREAD_COUNTED_MAX = 100

/** The maximum number of ids in a request that marks notifications. */
const MARKED_MAX = 200

const instant = z.string().openapi({ format: 'date-time' })
const kind = z.enum(NOTIFICATION_KIND_NAMES, `must be one of ${NOTIFICATION_KIND_NAMES.join(', ')}`)
const email = z.enum(EMAIL_CHOICES, `must be one of ${EMAIL_CHOICES.join(', ')}`)

/** The kinds of pages that notifications lead to. */
const TARGET_KINDS = [
  'data-product',
  'data-contract',
  'record',
  'team',
  'test-result',
  'search',
  'integration',
  'run',
  'api-keys',
  'access',
  'webhook',
] as const

const target = z
  .object({
    kind: z.enum(TARGET_KINDS),
    id: z.string(),
    subjectKind: z.string().openapi({ description: 'Of a record: its kind' }),
    version: z
      .int()
      .nullable()
      .openapi({ description: 'Of a document: the version of the change' }),
    runId: z.string().nullable(),
  })
  .nullable()
  .openapi({ description: 'The page that it leads to; null = it no longer exists' })

/** A page that a notification leads to. */
export type NotificationTarget = z.infer<typeof target>

const notification = z
  .object({
    id: z.uuid(),
    kind,
    title: z.string(),
    detail: z.string(),
    because: z.string().openapi({ description: 'Why the person gets it' }),
    target,
    occurredAt: instant,
    readAt: instant.nullable(),
  })
  .openapi('Notification')

/** A notification as a person sees it. */
export type ShownNotification = z.infer<typeof notification>

/** A page of notifications. */
export const notificationPage = z
  .object({
    notifications: z.array(notification).openapi({ description: 'The newest first' }),
    hasNext: z.boolean(),
  })
  .openapi('NotificationPage')

/** A page of notifications, parsed. */
export type NotificationPage = z.infer<typeof notificationPage>

/** The filters of the list. */
export const notificationQuery = z.object({
  kind: kind.optional(),
  unread: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .transform((flag) => flag === 'true')
    .openapi({ type: 'boolean', default: false, description: 'Only those that are not read' }),
  before: z.uuid('must be the id of a notification').optional().openapi({
    description: 'The last notification of the page before',
  }),
})

/** The unread notifications of a person. */
export const unreadCount = z
  .object({
    count: z
      .int()
      .min(0)
      .openapi({ description: `At most ${UNREAD_COUNTED_MAX}, which means that many or more` }),
  })
  .openapi('UnreadNotifications')

/** Marks notifications as read or unread. */
export const markForm = z
  .strictObject({
    ids: z.array(z.uuid()).max(MARKED_MAX).optional(),
    upTo: z.uuid().optional().openapi({ description: 'This one and all older ones' }),
    isRead: z.boolean().default(true),
  })
  .refine(({ ids, upTo }) => (ids === undefined) !== (upTo === undefined), {
    message: 'or upTo must be there, and not both',
    path: ['ids'],
  })
  .openapi('MarkNotifications')

/** Which notifications to mark. */
export type MarkForm = z.infer<typeof markForm>

const setting = z.object({
  kind,
  title: z.string(),
  description: z.string(),
  onPage: z.boolean(),
  email,
  isDefault: z.boolean().openapi({ description: 'Whether the person has not changed it' }),
})

/** The settings of a person: a row for each kind of notification. */
export const notificationSettings = z
  .object({
    kinds: z.array(setting),
    sendsMail: z.boolean().openapi({ description: 'Whether a mail server is configured' }),
  })
  .openapi('NotificationSettings')

/** The settings of a person, parsed. */
export type NotificationSettings = z.infer<typeof notificationSettings>

/** Changes what a person gets of a kind. */
export const settingForm = z
  .strictObject({ kind, onPage: z.boolean(), email })
  .openapi('NotificationSettingForm')

const channelKind = z.object({
  kind,
  title: z.string(),
  description: z.string(),
  isEnabled: z.boolean(),
})

/** The settings of a channel of a team: a row for each kind of notification. */
export const channelSettings = z
  .object({ kinds: z.array(channelKind) })
  .openapi('ChannelNotificationSettings')

/** The settings of a channel of a team, parsed. */
export type ChannelSettings = z.infer<typeof channelSettings>

/** Changes whether a channel gets a kind. */
export const channelSettingForm = z
  .strictObject({
    kind: kind.refine(
      (name) => CHANNEL_KINDS.some((one) => one.kind === name),
      'is a kind that concerns people only, and does not reach channels',
    ),
    isEnabled: z.boolean(),
  })
  .openapi('ChannelNotificationSettingForm')

/** A notification as it is stored, with what its sentence needs. */
export interface StoredNotification {
  id: string
  kind: NotificationKind
  subjectKind: string
  subjectId: string
  subjectName: string | null
  /** Null = no person in particular. */
  principal: string | null
  /** Untrusted members; `describe.ts` reads them. */
  data: Readonly<Record<string, unknown>>
  reason: string
  occurredAt: Instant
  readAt: Instant | null
}
