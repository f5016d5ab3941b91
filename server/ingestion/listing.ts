import type { FilterKind } from '../connectors/filter.ts'
import type { LedgerEntry } from './ledger.ts'

/** What a run has come to know of its source. */
export interface Listing {
  /** Every scope that the source listed, by its path as a JSON list. */
  ledger: ReadonlyMap<string, LedgerEntry>
  /** Containers and tables seen. */
  processedCount: number
  /** Of them those that are no containers. */
  tableCount: number
  /** Rows that were staged of them. */
  stagedCount: number
  /** Paths, as JSON lists, of assets in denied scopes that were shown whole nevertheless. */
  whole: ReadonlySet<string>
  /** Whether a scope that was not listed may be there all the same. */
  isHidden: (path: readonly string[]) => boolean
}

/**
 * Whether the ledger of a run shows an entry. A container of scopes that is left out, another database
 * of the server say, matters only if the catalog has assets of it.
 */
export function isShown(
  { kind, state, scope }: LedgerEntry,
  scopeLevel: FilterKind,
  liveScopes: readonly string[],
): boolean {
  if (state !== 'skipped' || kind === scopeLevel) return true
  const below = `${scope.slice(0, -1)},`
  return liveScopes.some((live) => live === scope || live.startsWith(below))
}

/** What became of a scope that has assets and is not in the listing. */
export type Unlisted = 'missing' | 'hidden' | 'filtered'

/**
 * Judges a scope that was not listed. Below one that is not read nothing is listed, which says nothing
 * about it; below one that a filter leaves out it is left out as well.
 */
export function judgeUnlisted(
  { ledger, isHidden }: Listing,
  scope: string,
  isTakenIn: (path: readonly string[]) => boolean,
): Unlisted {
  const path = pathOf(scope)
  const above = path.map((_, at) => ledger.get(JSON.stringify(path.slice(0, at)))?.state)
  if (!isTakenIn(path) || above.includes('skipped')) return 'filtered'
  const isUnread = above.some((state) => state !== undefined && state !== 'complete')
  return isUnread || isHidden(path) ? 'hidden' : 'missing'
}

const NAMES_SHOWN_MAX = 5

const PLURALS: Readonly<Record<FilterKind, string>> = {
  catalog: 'catalogs',
  database: 'databases',
  schema: 'schemas',
  namespace: 'namespaces',
  table: 'tables',
}

/** Says how much of a source was read: `12 of 14 schemas; not readable: A, B`. */
export function describeListing({ ledger }: Listing, scopeLevel: FilterKind): string {
  const scopes = [...ledger.values()].filter(
    ({ kind, state }) => kind === scopeLevel && state !== 'skipped',
  )
  const complete = scopes.filter(({ state }) => state === 'complete')
  const what = scopes.length === 1 ? scopeLevel : PLURALS[scopeLevel]
  if (complete.length === scopes.length) return `${scopes.length} ${what}`
  const unread = scopes.filter(({ state }) => state !== 'complete').map(({ scope }) => scope)
  return `${complete.length} of ${scopes.length} ${what}; not readable: ${namesOf(unread)}`
}

/** Names scopes, the first few of them. */
export function namesOf(scopes: readonly string[]): string {
  const shown = scopes.slice(0, NAMES_SHOWN_MAX).map(lastName)
  const more = scopes.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}

/** Reads a native path that was written as a JSON list. */
export function pathOf(text: string): string[] {
  const path: unknown = JSON.parse(text)
  return Array.isArray(path) ? path.map(String) : []
}

function lastName(scope: string): string {
  return pathOf(scope).at(-1) ?? ''
}
