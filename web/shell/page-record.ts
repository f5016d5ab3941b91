import type { LucideIcon } from 'lucide-react'
import { createContext, type ReactNode } from 'react'
import type { PageNeed, PageReaders } from './page-rights.ts'

/** The component of a page. */
export type PageComponent = () => ReactNode

/** A page: its address, its code, and its entries in the navigation and the palette. */
export interface PageRecord {
  /** The address, with a variable for each id: `/teams/$id`. */
  path: string
  title: string
  /** Loads the component; absent = a redirect. */
  load?: () => Promise<PageComponent>
  /** The address that replaces this one. */
  redirect?: string
  /** The callers who see what the page is about. */
  seenBy: PageReaders
  /** The right that its action needs; absent = it changes nothing, or only things of the person. */
  needs?: PageNeed
  /** The icon of the entry in the palette; absent = no entry. */
  icon?: LucideIcon
  /** Further words that find the entry in the palette. */
  keywords?: string
  /** The group in the navigation; absent = not in the navigation. */
  group?: PageGroup
  /** The title in the navigation. */
  shortTitle?: string
  /** The things counted beside the entry in the navigation; absent = nothing. */
  counts?: 'open requests'
}

/** The groups of the navigation, from the top. Those with a title fold; `isOpenFirst` = until a person folds it. */
export const PAGE_GROUPS = [
  { group: 'start' },
  { group: 'catalog' },
  { group: 'glossary', title: 'Glossary', isOpenFirst: true },
  { group: 'governance', title: 'Governance', isOpenFirst: false },
  { group: 'platform', title: 'Platform', isOpenFirst: false },
  { group: 'administration' },
] as const

/** A group of the navigation. */
type PageGroup = (typeof PAGE_GROUPS)[number]['group']

/** The record of the page that is shown; undefined outside of the frame. */
export const PageRecordContext = createContext<PageRecord | undefined>(undefined)

/** All pages, for the navigation and the palette. */
export const PagesContext = createContext<readonly PageRecord[]>([])

/** Returns the link to a page that has no variables. */
export function getHref({ path, redirect }: PageRecord): string {
  return redirect ?? path
}
