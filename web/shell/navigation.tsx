import { useRouterState } from '@tanstack/react-router'
import {
  Activity,
  BookMarked,
  Boxes,
  Cable,
  CodeXml,
  Component,
  FileText,
  House,
  KeyRound,
  Search,
  Settings,
  Table2,
  UsersRound,
} from 'lucide-react'
import { classNames } from '../parts/class-names.ts'
import { Link } from '../parts/link.tsx'
import { paths } from '../paths.ts'

interface Place {
  title: string
  href: string
  icon: typeof House
  /** The beginnings of the addresses that belong to it. */
  below: readonly string[]
}

const GROUPS: readonly (readonly Place[])[] = [
  [
    { title: 'Home', href: paths.home, icon: House, below: [] },
    { title: 'Search', href: paths.search(), icon: Search, below: [] },
    { title: 'Activity', href: paths.activity(), icon: Activity, below: [] },
  ],
  [
    { title: 'Domains', href: paths.domains(), icon: Component, below: ['/domains'] },
    { title: 'Data products', href: paths.dataProducts, icon: Boxes, below: ['/data-products'] },
    {
      title: 'Data contracts',
      href: paths.dataContracts,
      icon: FileText,
      below: ['/data-contracts'],
    },
    { title: 'Assets', href: paths.assets(), icon: Table2, below: ['/assets'] },
    { title: 'Teams', href: paths.teams, icon: UsersRound, below: ['/teams'] },
    { title: 'Integrations', href: paths.integrations, icon: Cable, below: ['/integrations'] },
  ],
  [
    { title: 'API keys', href: paths.apiKeys, icon: KeyRound, below: ['/api-keys'] },
    { title: 'API', href: paths.reference(), icon: CodeXml, below: ['/reference'] },
    { title: 'Settings', href: paths.settings, icon: Settings, below: ['/settings'] },
  ],
]

/** The places of the catalog; the one that the page belongs to is marked. */
export function Navigation({ onFollow }: { onFollow?: () => void }) {
  const location = useRouterState({ select: (state) => state.location })
  const isCurrent = ({ href, below }: Place): boolean =>
    href === placeOf(location.pathname, location.searchStr) ||
    below.some((start) => location.pathname.startsWith(start))
  return (
    <nav aria-label="Catalog" className="grid gap-4">
      {GROUPS.map((places) => (
        <ul key={places[0]?.href} className="grid gap-0.5">
          {places.map((place) => {
            const { title, href, icon: Icon } = place
            const isHere = isCurrent(place)
            return (
              <li key={href}>
                <Link
                  href={href}
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
                  {title}
                </Link>
              </li>
            )
          })}
        </ul>
      ))}
    </nav>
  )
}

// A search for one kind of resources is their list, with any other filters.
function placeOf(path: string, query: string): string {
  if (path !== paths.search()) return path
  const kinds = new URLSearchParams(query).getAll('resourceType')
  const list = paths.search({ resourceType: kinds })
  return list === paths.dataProducts || list === paths.dataContracts ? list : path
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
