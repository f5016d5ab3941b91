import { useQuery } from '@tanstack/react-query'
import { BellOff } from 'lucide-react'
import { api } from '../api/client.ts'
import { Button } from '../parts/button.tsx'
import { Link } from '../parts/link.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Empty } from '../parts/notice.tsx'
import { paths } from '../paths.ts'
import { NotificationItem, unreadQuery, useMarkNotifications } from './notification-item.tsx'

const SHOWN_MAX = 8

/** The newest notifications, as the content of the bell. */
export function NewestNotifications({ onClose }: { onClose: () => void }) {
  const query = api.useQuery('get', '/ui/notifications', {}, { refetchOnMount: 'always' })
  const mark = useMarkNotifications()
  const [newest] = query.data?.notifications ?? []
  // The page holds the newest ones only, and older ones may be unread.
  const isRead = useQuery(unreadQuery).data?.count === 0
  return (
    <>
      <header className="flex min-h-11 items-center justify-between gap-2 border-b border-line px-4">
        <h2 className="text-base">Notifications</h2>
        <Button
          look="quiet"
          className="-mr-3 text-sm!"
          busy={mark.isPending}
          reason={isRead || newest === undefined ? 'You have read all of them.' : undefined}
          onClick={() => {
            if (newest !== undefined) mark.run({ upTo: newest.id, isRead: true })
          }}
        >
          Mark all as read
        </Button>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Loaded
          query={query}
          skeleton={{ lines: 4, label: 'Loading the notifications' }}
          empty={
            <Empty icon={BellOff} title="No notifications">
              Changes of what you own, read or follow appear here.
            </Empty>
          }
          isEmpty={({ notifications }) => notifications.length === 0}
        >
          {({ notifications }) => (
            <ul className="divide-y divide-line">
              {notifications.slice(0, SHOWN_MAX).map((notification) => (
                <li key={notification.id}>
                  <NotificationItem notification={notification} onFollow={onClose} />
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </div>
      <footer className="flex items-center justify-between gap-4 border-t border-line px-4 py-2 text-sm">
        <Link href={paths.notifications()} className="min-h-6" onClick={onClose}>
          All notifications
        </Link>
        <Link href={paths.notificationSettings} className="min-h-6" onClick={onClose}>
          Settings
        </Link>
      </footer>
    </>
  )
}
