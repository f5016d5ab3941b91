import { Bell, CheckCheck, Settings } from 'lucide-react'
import { api, type Schemas } from '../../api/client.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { toChoices } from '../../parts/choices.ts'
import { Combobox } from '../../parts/combobox.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { NotificationItem, useMarkNotifications } from '../../shell/notification-item.tsx'
import { useUrlState } from '../../shell/url-state.ts'

type Kind = Schemas['Notification']['kind']

const NO_FILTERS = { kind: '', unread: '' }

/** The notifications of the user, the newest first. */
export function NotificationsPage() {
  const [filters, setFilters] = useUrlState(NO_FILTERS)
  const settings = api.useQuery('get', '/ui/notification-settings', {})
  const kinds = settings.data?.kinds ?? []
  const kind = kinds.find((one) => one.kind === filters.kind)?.kind
  const isUnread = filters.unread === 'yes'
  const list = useNotifications(kind, isUnread)
  return (
    <Page
      title="Notifications"
      width="reading"
      actions={
        <>
          {/* It would also mark the kinds that are not shown. */}
          {kind === undefined && <MarkAllButton newestId={list.data?.[0]?.id} />}
          <ButtonLink href={paths.notificationSettings} icon={Settings}>
            Settings
          </ButtonLink>
        </>
      }
    >
      <FilterBar filters={filters} kinds={kinds} onChange={setFilters} />
      <section aria-label="List" className="rounded-lg border border-line bg-surface">
        <Loaded
          flush
          query={list}
          skeleton={{ lines: 8, label: 'Loading the notifications' }}
          empty={<NoNotifications isFiltered={kind !== undefined || isUnread} />}
        >
          {(notifications) => (
            <ul className="divide-y divide-line">
              {notifications.map((notification) => (
                <li key={notification.id}>
                  <NotificationItem notification={notification} />
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </section>
    </Page>
  )
}

interface FilterBarProps {
  filters: typeof NO_FILTERS
  kinds: readonly Pick<Schemas['NotificationSettings']['kinds'][number], 'kind' | 'title'>[]
  onChange: (patch: Partial<typeof NO_FILTERS>) => void
}

function FilterBar({ filters, kinds, onChange }: FilterBarProps) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-5 gap-y-2">
      <Combobox
        aria-label="Kind"
        className="w-56"
        value={filters.kind}
        choices={toChoices(
          kinds.map((one) => [one.kind, one.title] as const),
          'All kinds',
        )}
        onChange={(value) => onChange({ kind: value })}
      />
      <Checkbox
        label="Unread only"
        checked={filters.unread === 'yes'}
        onChange={({ target }) => onChange({ unread: target.checked ? 'yes' : '' })}
      />
    </div>
  )
}

function useNotifications(kind: Kind | undefined, isUnread: boolean) {
  const query = { ...(kind === undefined ? {} : { kind }), ...(isUnread ? { unread: true } : {}) }
  return api.useInfiniteQuery(
    'get',
    '/ui/notifications',
    { params: { query } },
    {
      pageParamName: 'before',
      initialPageParam: null,
      getNextPageParam: ({ hasNext, notifications }) => (hasNext ? notifications.at(-1)?.id : null),
      select: ({ pages }) => pages.flatMap(({ notifications }) => notifications),
    },
  )
}

function MarkAllButton({ newestId }: { newestId: string | undefined }) {
  const mark = useMarkNotifications()
  return (
    <Button
      icon={CheckCheck}
      busy={mark.isPending}
      reason={newestId === undefined ? 'There are no notifications.' : undefined}
      onClick={() => {
        if (newestId !== undefined) mark.run({ upTo: newestId, isRead: true })
      }}
    >
      Mark all as read
    </Button>
  )
}

function NoNotifications({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty icon={Bell} title="No notifications match">
        Change the filters to see the others.
      </Empty>
    )
  }
  return (
    <Empty icon={Bell} title="No notifications">
      Changes of what you own, read or follow appear here. Follow a data product, a data contract, a
      team or a search with the button on its page.
    </Empty>
  )
}
