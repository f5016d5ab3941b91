import { useRouter } from '@tanstack/react-router'
import {
  Building2,
  Cable,
  FilePlus2,
  History,
  KeyRound,
  LogOut,
  PackagePlus,
  UsersRound,
} from 'lucide-react'
import { use, type ReactNode } from 'react'
import { RECORDS } from '../../formats/record/kinds.ts'
import { mayOwn, maySomewhere, useSession, type Session } from '../api/session.ts'
import { RECORD_ICONS } from '../parts/resource-types.ts'
import { getRecordPaths, paths } from '../paths.ts'
import { getHref, PagesContext, type PageRecord } from './page-record.ts'
import { mayCreate } from './record-permit.ts'
import { useRecentList, type RecentPage } from './recent-pages.ts'
import { useOrganizationChoice } from './session-actions.ts'
import { useSignOut } from './sign-out.tsx'
import { chooseTheme, THEMES } from './theme.ts'

/** One line of the palette. */
export interface PaletteItem {
  /** Unique among all items. */
  key: string
  title: ReactNode
  /** The words that the query is matched against. */
  words: string
  icon: ReactNode
  /** Beside the title. */
  note?: ReactNode
  /** Why it is disabled; undefined = it is enabled. */
  reason?: string | undefined
  run: () => void
}

/** Items that belong together. */
export interface PaletteGroup {
  title: string
  items: readonly PaletteItem[]
}

type Go = (href: string) => void

/** Returns the pages and actions of the palette, with recently viewed pages. */
export function usePaletteGroups(go: Go): readonly PaletteGroup[] {
  const session = useSession()
  const pages = use(PagesContext)
  const recent = useRecentList()
  const signOut = useSignOut()
  const choose = useOrganizationChoice()
  const router = useRouter()
  const here = router.state.location.pathname
  return [
    { title: 'Recent', items: recentItems(recent, here, go) },
    { title: 'Pages', items: pages.flatMap((page) => pageItem(page, go)) },
    {
      title: 'Actions',
      items: [
        ...createItems(session, go),
        ...organizationItems(session, (id) => void choose(id)),
        ...THEME_ITEMS,
        {
          key: 'sign-out',
          title: 'Sign out',
          words: 'sign out logout leave',
          icon: <LogOut size={15} aria-hidden />,
          run: signOut,
        },
      ],
    },
  ]
}

function pageItem(page: PageRecord, go: Go): PaletteItem[] {
  const { path, title, keywords = '', icon: Icon } = page
  if (Icon === undefined) return []
  return [
    {
      key: `page ${path}`,
      title,
      words: `${title} ${keywords}`,
      icon: <Icon size={15} aria-hidden />,
      run: () => go(getHref(page)),
    },
  ]
}

function recentItems(recent: readonly RecentPage[], here: string, go: Go): PaletteItem[] {
  return recent
    .filter(({ href }) => href.split('?')[0] !== here)
    .map(({ title, href }) => ({
      key: `recent ${href}`,
      title: <span className="user-text">{title}</span>,
      words: title,
      icon: <History size={15} aria-hidden />,
      run: () => go(href),
    }))
}

function createItems(session: Session, go: Go): PaletteItem[] {
  const entries = [
    [
      'Register data product',
      paths.newDataProduct,
      PackagePlus,
      maySomewhere(session, 'DATAPRODUCT_ADD').reason,
      'create new add',
    ],
    [
      'Create contract',
      paths.newDataContract(),
      FilePlus2,
      maySomewhere(session, 'DATACONTRACT_ADD').reason,
      'new add data contract',
    ],
    ...RECORDS.map(
      (kind) =>
        [
          `Create ${kind.called}`,
          getRecordPaths(kind).new,
          RECORD_ICONS[kind.icon],
          mayCreate(session, kind).reason,
          'new add register',
        ] as const,
    ),
    ['Create team', paths.newTeam(), UsersRound, mayCreateTeam(session), 'new add domain'],
    ['Create API key', paths.newApiKey(), KeyRound, undefined, 'new add token'],
    [
      'Connect a source',
      paths.newIntegration,
      Cable,
      maySomewhere(session, 'INGESTION_EDIT').reason,
      'new add integration database warehouse create',
    ],
  ] as const
  return entries.map(([title, href, Icon, reason, more]) => ({
    key: `create ${href}`,
    title,
    words: `${title} ${more}`,
    icon: <Icon size={15} aria-hidden />,
    reason,
    run: () => go(href),
  }))
}

// A team without a parent is the organization's matter, one below another is that team's.
function mayCreateTeam(session: Session): string | undefined {
  return mayOwn(session).allowed ? undefined : maySomewhere(session, 'TEAM_ADD').reason
}

function organizationItems(
  { organization, organizations }: Session,
  choose: (id: string) => void,
): PaletteItem[] {
  return organizations
    .filter(({ id }) => id !== organization?.id)
    .map(({ id, name }) => ({
      key: `organization ${id}`,
      title: (
        <>
          Switch to <span className="user-text">{name}</span>
        </>
      ),
      words: `switch organization ${name}`,
      icon: <Building2 size={15} aria-hidden />,
      run: () => choose(id),
    }))
}

const THEME_ITEMS: readonly PaletteItem[] = THEMES.map(({ theme, title, icon: Icon }) => ({
  key: `theme ${theme}`,
  title: `${title} appearance`,
  words: `${title} appearance theme mode colour color`,
  icon: <Icon size={15} aria-hidden />,
  run: () => chooseTheme(theme),
}))
