import { useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { Popover } from 'radix-ui'
import { Suspense, useState } from 'react'
import { IconButton } from '../parts/button.tsx'
import { useLandmark } from '../parts/landmark.ts'
import { Skeleton } from '../parts/notice.tsx'
import { lazyPart } from './chunks.ts'
import { unreadQuery } from './notification-item.tsx'

const NewestNotifications = lazyPart(
  () => import('./newest-notifications.tsx'),
  'NewestNotifications',
)

const COUNT_SHOWN_MAX = 99

/** The bell with the number of unread notifications; it opens the newest ones. */
export function NotificationBell() {
  const [isOpen, setOpen] = useState(false)
  const { anchor, landmark, find } = useLandmark()
  const count = useQuery(unreadQuery).data?.count ?? 0
  const shown = count > COUNT_SHOWN_MAX ? `${COUNT_SHOWN_MAX}+` : String(count)
  const label = count === 0 ? 'Notifications' : `Notifications, ${shown} unread`
  return (
    <Popover.Root
      open={isOpen}
      onOpenChange={(open) => {
        if (open) find()
        setOpen(open)
      }}
    >
      {/* The number floats above the bell, so that nothing moves when it arrives. */}
      <span className="relative inline-flex">
        <Popover.Trigger asChild ref={anchor}>
          <IconButton label={label} icon={Bell} iconSize={16} />
        </Popover.Trigger>
        {count > 0 && (
          <span
            aria-hidden
            className="pointer-events-none absolute -top-0.5 right-0 min-w-4 translate-x-1/4 rounded-full bg-accent-solid px-1 text-center text-xs leading-4 font-medium text-on-accent tabular-nums"
          >
            {shown}
          </span>
        )}
      </span>
      <Popover.Portal container={landmark}>
        <Popover.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label="Newest notifications"
          className="z-50 flex max-h-[75vh] w-96 max-w-[calc(100vw-1rem)] flex-col overflow-hidden rounded-md border border-line bg-raised shadow-raised"
        >
          <Suspense fallback={<Skeleton lines={4} label="Loading the notifications" />}>
            <NewestNotifications onClose={() => setOpen(false)} />
          </Suspense>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
