/** Decides which links of the pages are dead, from what their targets showed. */

/** A link on a page. */
export interface PageLink {
  /** The page that has the link, as path and query. */
  from: string
  /** The target as path, query and fragment. */
  to: string
  text: string
  /** Whether it is in a navigation, breadcrumbs, tabs, or the frame of a panel that is empty. */
  isNavigation: boolean
  /** Whether the server answers with a file instead of a page. */
  isFile: boolean
}

/** The content of a target when it was opened. */
export interface Target {
  title: string
  /** Requests that failed while it loaded, each as status and path. */
  failedRequests: readonly string[]
  /** Whether its list, and not just one of its panels, shows an empty state. */
  isEmpty: boolean
  /** The ids of its elements, which fragments can refer to. */
  ids: readonly string[]
}

/** Returns whether a link leads to a page. */
export function isPage({ isFile }: PageLink): boolean {
  return !isFile
}

/** Returns a target as path and query. */
export function withoutFragment(to: string): string {
  return to.replace(/#.*$/, '')
}

/** Returns why a link is dead, or undefined if its target has the promised content. */
export function whyDead(
  link: PageLink,
  target: Target,
  missingPageTitle: string,
): string | undefined {
  if (target.title === missingPageTitle) return 'no such page'
  if (target.title === '') return 'no page'
  const [failed] = target.failedRequests
  if (failed !== undefined) return `the target failed: ${failed}`
  const { from, to } = link
  const fragment = decodeURIComponent(to.split('#')[1] ?? '')
  if (fragment !== '' && !target.ids.includes(fragment)) return `no element has the id ${fragment}`
  const isElsewhere = withoutFragment(to) !== from
  if (target.isEmpty && isElsewhere && promisesContent(link)) return 'the target is empty'
  return undefined
}

// The navigation and tabs link to pages that may be empty, unless they show a count; so do Cancel and
// links that remove a filter.
function promisesContent({ text, isNavigation }: PageLink): boolean {
  if (/^(0(?![\d,.])|no\b|remove\b|cancel$)|(?<![\d,.])0$/i.test(text.trim())) return false
  return !isNavigation || /\d/.test(text)
}

const COLLECTIONS = new Set([
  'data-products',
  'data-contracts',
  'teams',
  'assets',
  'integrations',
  'runs',
])

/**
 * Returns the kind of a target: its path without ids, and the names of its parameters. A view belongs
 * to the kind, because each view has other content.
 */
export function toPattern(to: string): string {
  const { pathname, searchParams } = new URL(to, 'http://pages.invalid')
  const parts = pathname.split('/')
  const path = parts.map((part, at) =>
    COLLECTIONS.has(parts[at - 1] ?? '') && part !== 'new' ? '*' : part,
  )
  const names = [...new Set(searchParams.keys())].toSorted()
  const query = names.map((name) => (name === 'view' ? `view=${searchParams.get(name)}` : name))
  return [path.join('/'), ...query].join(' ')
}
