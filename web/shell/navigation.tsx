import { useRouterState } from '@tanstack/react-router'
import { BookMarked, ChevronRight } from 'lucide-react'
import { use, useId, useState, type ReactNode } from 'react'
import { api } from '../api/client.ts'
import { maySomewhere, useSession } from '../api/session.ts'
import { classNames } from '../parts/class-names.ts'
import { Link } from '../parts/link.tsx'
import { cappedText } from '../parts/number-text.ts'
import { Count } from '../parts/tabs.tsx'
import { paths } from '../paths.ts'
import { Mark } from './mark.tsx'
import { useFolds } from './folds.ts'
import { getHref, PAGE_GROUPS, PagesContext, type PageRecord } from './page-record.ts'

/** The places of the catalog; the one that the page belongs to is marked. Groups with a title fold. */
export function Navigation({ onFollow }: { onFollow?: () => void }) {
  const location = useRouterState({ select: (state) => state.location })
  const pages = use(PagesContext)
  const place = getPlace(location.pathname, location.searchStr)
  const isCurrent = (page: PageRecord): boolean =>
    getHref(page) === place || location.pathname.startsWith(`${page.path}/`)
  return (
    <nav aria-label="Catalog" className="grid gap-4">
      {PAGE_GROUPS.map((one) => {
        const entries = pages.filter(({ group, icon }) => group === one.group && icon !== undefined)
        const list = entries.map((page) => (
          <Entry key={page.path} page={page} isHere={isCurrent(page)} onFollow={onFollow} />
        ))
        if (!('title' in one)) {
          return (
            <ul key={one.group} className="grid gap-0.5">
              {list}
            </ul>
          )
        }
        return (
          <NavigationGroup key={one.group} {...one} place={entries.some(isCurrent) ? place : ''}>
            {list}
          </NavigationGroup>
        )
      })}
    </nav>
  )
}

interface EntryProps {
  page: PageRecord
  isHere: boolean
  onFollow: (() => void) | undefined
}

function Entry({ page, isHere, onFollow }: EntryProps) {
  const { title, shortTitle, icon: Icon, counts } = page
  if (Icon === undefined) return null
  return (
    <li>
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
}

function OpenRequests() {
  const count = useOpenRequests()
  return count === undefined ? null : <Count>{count}</Count>
}

interface NavigationGroupProps {
  group: string
  title: string
  isOpenFirst: boolean
  /** The address of the page, if it is one of the group; otherwise empty. */
  place: string
  children: ReactNode
}

// The group of the page is open; the others are as the person left them.
function NavigationGroup(props: NavigationGroupProps) {
  const { group, title, isOpenFirst, place, children } = props
  const id = useId()
  const [folds, setFolds] = useFolds('navigation')
  const [foldedAt, setFoldedAt] = useState('')
  const isHere = place !== ''
  const isOpen = isHere ? foldedAt !== place : (folds[group] ?? isOpenFirst)
  const toggle = (): void => {
    setFoldedAt(isHere && isOpen ? place : '')
    setFolds({ [group]: !isOpen })
  }
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        className="flex min-h-7 w-full items-center gap-1 rounded-md px-2.5 text-left text-xs font-medium text-muted hover:bg-hover hover:text-ink"
        onClick={toggle}
      >
        {title}
        <ChevronRight size={12} aria-hidden className={isOpen ? 'rotate-90' : ''} />
      </button>
      <ul id={id} hidden={!isOpen} aria-label={title} className="grid gap-0.5">
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
