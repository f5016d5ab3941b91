import { useQueryClient } from '@tanstack/react-query'
import {
  BellRing,
  CircleAlert,
  FlaskConicalOff,
  KeyRound,
  SearchCheck,
  Trash2,
  AtSign,
  UserRoundCheck,
  type LucideIcon,
} from 'lucide-react'
import { api, client, readBody, type Schemas } from '../api/client.ts'
import { Button } from '../parts/button.tsx'
import { classNames } from '../parts/class-names.ts'
import { Link } from '../parts/link.tsx'
import { Time } from '../parts/time.tsx'
import { useAction } from './action.ts'
import { getNotificationPath } from './notification-path.ts'

type Notification = Schemas['Notification']

/** The query for the number of unread notifications: each minute, and when the tab is opened again. */
export const unreadQuery = {
  ...api.queryOptions('get', '/ui/notifications/unread', {}),
  refetchInterval: 60_000,
  refetchOnWindowFocus: true,
  staleTime: 10_000,
} as const

/** Returns a function that marks notifications, and shows the new number at once. */
export function useMarkNotifications() {
  const queries = useQueryClient()
  return useAction({
    request: (body: { ids?: string[]; upTo?: string; isRead: boolean }) =>
      readBody(client.POST('/ui/notifications/mark', { body })),
    onSuccess: (unread) => queries.setQueryData(unreadQuery.queryKey, unread),
    refresh: ['/ui/notifications'],
  })
}

const ICONS: Readonly<Record<Notification['kind'], LucideIcon>> = {
  breaking_change: CircleAlert,
  run_failed: CircleAlert,
  provisioning_failed: CircleAlert,
  deleted: Trash2,
  deletes_held: Trash2,
  incident: FlaskConicalOff,
  key_expiring: KeyRound,
  search_match: SearchCheck,
  mention: AtSign,
  access_requested: UserRoundCheck,
  access_decided: UserRoundCheck,
  access_expiring: UserRoundCheck,
  deprecation: BellRing,
  webhook_disabled: BellRing,
}

interface NotificationItemProps {
  notification: Notification
  onFollow?: () => void
}

/** A notification; following its link marks it as read, or a button if it has none. */
export function NotificationItem({ notification, onFollow }: NotificationItemProps) {
  const { id, kind, title, detail, because, occurredAt, readAt } = notification
  const mark = useMarkNotifications()
  const path = getNotificationPath(notification)
  // A newer server may send a kind that this page does not have yet.
  const Icon = Object.hasOwn(ICONS, kind) ? ICONS[kind] : BellRing
  const isUnread = readAt === null
  const follow = (): void => {
    if (isUnread) mark.run({ ids: [id], isRead: true })
    onFollow?.()
  }
  const titleLook = classNames('user-text', isUnread ? 'font-medium' : 'text-muted')
  return (
    <div className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-2 px-4 py-2.5">
      <span className={classNames('pt-0.5', isUnread ? 'text-accent' : 'text-faint')}>
        <Icon size={16} aria-hidden />
      </span>
      <div className="grid min-w-0 gap-0.5">
        <div className="flex min-w-0 items-start justify-between gap-3">
          {path === undefined ? (
            <span className={titleLook}>{title}</span>
          ) : (
            <Link
              href={path}
              plain
              className={classNames(titleLook, 'min-h-6 hover:underline')}
              onClick={follow}
            >
              {title}
            </Link>
          )}
          {isUnread && (
            <span className="mt-1.5 size-2 shrink-0 rounded-full bg-accent-solid">
              <span className="sr-only">Unread</span>
            </span>
          )}
        </div>
        {detail !== '' && <p className="user-text line-clamp-3 text-sm text-muted">{detail}</p>}
        <p className="text-xs text-muted">
          {because} <Time at={occurredAt} />
        </p>
        {isUnread && path === undefined && (
          <Button
            look="quiet"
            className="-ml-3 justify-self-start text-sm!"
            busy={mark.isPending}
            onClick={() => mark.run({ ids: [id], isRead: true })}
          >
            Mark as read
          </Button>
        )}
      </div>
    </div>
  )
}
