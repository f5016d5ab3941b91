import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSession } from '../api/session.ts'

/** A page that was looked at. */
export interface RecentPage {
  title: string
  href: string
}

const PREFIX = 'portbook-recent:'
const PAGES_MAX = 8
const TITLE_END = ' · Portbook'

// Visited pages are only shown to the same person in the same organization.
function useKey(): string {
  const { user, organization } = useSession()
  return `${PREFIX}${user.id}:${organization?.id ?? ''}`
}

/** Remembers visited pages in this tab. Rendered once, around all pages. */
export function useRecentPages(): void {
  const key = useKey()
  const { pathname, href } = useRouterState({ select: (state) => state.location })
  useEffect(() => {
    const remember = (): void => {
      const { title } = document
      // A page has set its title by the time it is left.
      if (title.endsWith(TITLE_END) && isWorthIt(pathname)) {
        keep(key, { title: title.slice(0, -TITLE_END.length), href })
      }
    }
    // Also when the page is reloaded.
    window.addEventListener('pagehide', remember)
    return () => {
      window.removeEventListener('pagehide', remember)
      remember()
    }
    // The scroll position is part of the address, not a page.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key, pathname])
}

/** The pages that were looked at last, the latest first. */
export function useRecentList(): readonly RecentPage[] {
  return find(useKey())
}

// Pages of one thing: the others have a place in the navigation.
function isWorthIt(pathname: string): boolean {
  return pathname.split('/').length > 2 && !/^\/settings\/|\/(?:new|edit)$/.test(pathname)
}

function keep(key: string, page: RecentPage): void {
  try {
    const others = find(key).filter(({ title, href }) => href !== page.href && title !== page.title)
    sessionStorage.setItem(key, JSON.stringify([page, ...others].slice(0, PAGES_MAX)))
  } catch {
    // Full or closed storage remembers nothing.
  }
}

function find(key: string): RecentPage[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.flatMap(pageIn) : []
  } catch {
    return []
  }
}

function pageIn(kept: unknown): RecentPage[] {
  if (typeof kept !== 'object' || kept === null) return []
  if (!('title' in kept) || !('href' in kept)) return []
  const { title, href } = kept
  return typeof title === 'string' && typeof href === 'string' ? [{ title, href }] : []
}
