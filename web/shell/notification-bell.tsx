import { useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { Suspense, useState } from 'react'
import { IconButton } from '../parts/button.tsx'
import { FromFirstOpen } from '../parts/from-first-open.tsx'
import { useLandmark } from '../parts/landmark.ts'
import { Skeleton } from '../parts/notice.tsx'
import { lazyPart, newFloatingChunk, takePart } from '../parts/lazy-part.ts'
import { unreadQuery } from './notification-item.tsx'

const NewestNotifications = lazyPart(
  () => import('./newest-notifications.tsx'),
  'NewestNotifications',
)

const PopoverWindow = takePart(
  newFloatingChunk(() => import('../parts/floating-popover.tsx')),
  (module) => module.PopoverWindow,
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
    <>
      {/* The number floats above the bell, so that nothing moves when it arrives. */}
      <span className="relative inline-flex">
        <IconButton
          ref={anchor}
          label={label}
          icon={Bell}
          iconSize={16}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => {
            find()
            setOpen(!isOpen)
          }}
        />
        {count > 0 && (
          <span
            aria-hidden
            className="pointer-events-none absolute -top-0.5 right-0 min-w-4 translate-x-1/4 rounded-full bg-accent-solid px-1 text-center text-xs leading-4 font-medium text-on-accent tabular-nums"
          >
            {shown}
          </span>
        )}
      </span>
      <FromFirstOpen isOpen={isOpen}>
        <PopoverWindow
          open={isOpen}
          onOpenChange={setOpen}
          anchor={anchor}
          landmark={landmark}
          label="Newest notifications"
        >
          <Suspense fallback={<Skeleton lines={4} label="Loading the notifications" />}>
            <NewestNotifications onClose={() => setOpen(false)} />
          </Suspense>
        </PopoverWindow>
      </FromFirstOpen>
    </>
  )
}
