import { useRouterState } from '@tanstack/react-router'
import { BookMarked } from 'lucide-react'
import { use, useId, type ReactNode } from 'react'
import { api } from '../api/client.ts'
import { maySomewhere, useSession } from '../api/session.ts'
import { classNames } from '../parts/class-names.ts'
import { Link } from '../parts/link.tsx'
import { cappedText } from '../parts/number-text.ts'
import { Count } from '../parts/tabs.tsx'
import { paths } from '../paths.ts'
import { Mark } from './mark.tsx'
import { getHref, PAGE_GROUPS, PagesContext, type PageRecord } from './page-record.ts'

/** The places of the catalog; the one that the page belongs to is marked. */
export function Navigation({ onFollow }: { onFollow?: () => void }) {
  const location = useRouterState({ select: (state) => state.location })
  const pages = use(PagesContext)
  const isCurrent = (page: PageRecord): boolean =>
    getHref(page) === getPlace(location.pathname, location.searchStr) ||
    location.pathname.startsWith(`${page.path}/`)
  return (
    <nav aria-label="Catalog" className="grid gap-4">
      {PAGE_GROUPS.map((one) => (
        <NavigationGroup key={one.group} title={'title' in one ? one.title : undefined}>
          {pages.map((page) => {
            const { path, title, shortTitle, icon: Icon, counts } = page
            if (page.group !== one.group || Icon === undefined) return null
            const isHere = isCurrent(page)
            return (
              <li key={path}>
                <Link
                  href={getHref(page)}
                  plain
                  {...(onFollow === undefined ? {} : { onClick: onFollow })}
                  aria-current={isHere ? 'page' : undefined}
                  className={classNames(
                    'flex items-center gap-2.5 rounded-md px-2.5 py-1.5',
                    isHere
                      ? 'bg-accent-soft font-medium text-accent'
                      : 'text-muted hover:bg-hover hover:text-ink',
                  )}
                >
                  <Icon size={16} aria-hidden className="shrink-0" />
                  {shortTitle ?? title}
                  {counts === 'open requests' && <OpenRequests />}
                </Link>
              </li>
            )
          })}
        </NavigationGroup>
      ))}
    </nav>
  )
}

function OpenRequests() {
  const count = useOpenRequests()
  return count === undefined ? null : <Count>{count}</Count>
}

function NavigationGroup({ title, children }: { title: string | undefined; children: ReactNode }) {
  const id = useId()
  if (title === undefined) return <ul className="grid gap-0.5">{children}</ul>
  return (
    <div>
      <p id={id} className="px-2.5 pb-1 text-xs font-medium text-muted">
        {title}
      </p>
      <ul aria-labelledby={id} className="grid gap-0.5">
        {children}
      </ul>
    </div>
  )
}

// A search for one kind of resources is their list, with any other filters.
function getPlace(path: string, query: string): string {
  if (path !== paths.search()) return path
  const kinds = new URLSearchParams(query).getAll('resourceType')
  return kinds.length === 1 ? paths.search({ resourceType: kinds }) : path
}

/** The name of the product, which leads home. */
export function Brand() {
  return (
    <Link
      href={paths.home}
      plain
      className="flex items-center gap-2.5 px-2 text-lg font-semibold tracking-tight"
    >
      <Mark size={26} />
      Portbook
    </Link>
  )
}

/** The link to the documentation at the end of the navigation. */
export function GuideLink() {
  return (
    <a
      href="/guides/first-hour"
      target="_blank"
      rel="noopener"
      className="flex items-center gap-2.5 rounded-md px-2.5 py-1.5 text-muted hover:bg-hover hover:text-ink"
    >
      <BookMarked size={16} aria-hidden />
      The first hour
    </a>
  )
}

const COUNTED_MAX = 1000
const STALE_MS = 60_000

/** Returns the number of requests that the person decides on; undefined = none. */
function useOpenRequests(): string | undefined {
  const { allowed } = maySomewhere(useSession(), 'ACCESS_APPROVE')
  const { data } = api.useQuery(
    'get',
    '/ui/access/open-requests',
    {},
    { enabled: allowed, staleTime: STALE_MS },
  )
  if (data === undefined || data.count === 0) return undefined
  return cappedText(data.count, COUNTED_MAX)
}
