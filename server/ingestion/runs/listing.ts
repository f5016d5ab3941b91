import type { Connector, Scope, SourceSession } from '../../connectors/connector.ts'
import { pathFilter, type FilterKind } from '../../connectors/filter.ts'
import type { ReadingEnd } from '../../reality/grants/grants.ts'
import type { Attempt } from './engine.ts'
import type { LedgerEntry } from './ledger.ts'

/** The result of listing a source. */
export interface Listing {
  /** Every scope that the source listed, by its path as a JSON list. */
  ledger: ReadonlyMap<string, LedgerEntry>
  /** The scopes that the filters include. */
  scopes: readonly Scope[]
  /** The reading of grants; absent = they are not read. */
  grants?: ReadingEnd | undefined
  /** The number of containers and tables seen. */
  processedCount: number
  /** The number of them that are not containers. */
  tableCount: number
  /** The number of rows staged for them. */
  stagedCount: number
  /** Paths, as JSON lists, of assets in denied scopes that were nevertheless shown completely. */
  whole: ReadonlySet<string>
  /** The reasons why missing tables may only be hidden, by their paths as JSON lists. */
  unproven: ReadonlyMap<string, string>
  /** Those of them that only a person releases, because the source hides tables in their scope. */
  hiddenTables: ReadonlySet<string>
  /** Whether a scope that was not listed may still exist. */
  isHidden: (path: readonly string[]) => boolean
}

/**
 * Checks whether the ledger of a run shows an entry. An excluded container of scopes, such as
 * another database of the server, matters only if the catalog has assets of it.
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

/** Creates the check whether a path that was not listed may still exist. */
export function newHiddenPathFilter(
  { description }: Connector,
  session: SourceSession,
): Listing['isHidden'] {
  const hiddenPaths = session.hiddenPaths?.() ?? []
  const isWithin = description.isWithin?.bind(description) ?? startsWith
  return (path) => hiddenPaths.some((hiddenPath) => isWithin(path, hiddenPath))
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((part, index) => path[index] === part)
}

/** Creates the check whether the settings of a run include an asset, by native path and kind. */
export function newInclusion({
  connector: { description },
  setup,
}: Pick<Attempt, 'connector' | 'setup'>): (path: readonly string[], kind: string) => boolean {
  const { levels, systemNames } = description
  const isIncluded = pathFilter({ filters: setup.filters, levels, systemNames })
  const excluded: readonly string[] = description.kindsLeftOut(setup.configuration)
  return (path, kind) => isIncluded(path) && !excluded.includes(kind)
}

/** The reason why a scope with assets is not in the listing. */
type Unlisted = 'missing' | 'hidden' | 'filtered'

/**
 * Classifies a scope that was not listed. Below a scope that is not read nothing is listed, which
 * proves nothing; below an excluded scope it is excluded as well.
 */
export function classifyUnlisted(
  { ledger, isHidden }: Listing,
  scope: string,
  isIncluded: (path: readonly string[]) => boolean,
): Unlisted {
  const path = parsePath(scope)
  const above = listStatesAbove(ledger, path)
  if (!isIncluded(path) || above.includes('skipped')) return 'filtered'
  return above.some(isIncomplete) || isHidden(path) ? 'hidden' : 'missing'
}

/** Checks whether a run could not read what holds a path, a JSON list, so that its absence proves nothing. */
export function isUnread(
  { ledger, isHidden }: Pick<Listing, 'ledger' | 'isHidden'>,
  scopeLevel: FilterKind,
  path: string,
): boolean {
  if (ledger.has(path)) return false
  const parts = parsePath(path)
  const container = ledger.get(JSON.stringify(parts.slice(0, -1)))
  if (container?.kind === scopeLevel) return isIncomplete(container.state)
  return listStatesAbove(ledger, parts).some(isIncomplete) || isHidden(parts)
}

type State = LedgerEntry['state'] | undefined

function listStatesAbove(ledger: Listing['ledger'], path: readonly string[]): State[] {
  return path.map((_, at) => ledger.get(JSON.stringify(path.slice(0, at)))?.state)
}

function isIncomplete(state: State): boolean {
  return state !== undefined && state !== 'complete'
}

const NAMES_SHOWN_MAX = 5

const PLURALS: Readonly<Record<FilterKind, string>> = {
  catalog: 'catalogs',
  database: 'databases',
  schema: 'schemas',
  namespace: 'namespaces',
  table: 'tables',
}

/** Describes how much of a source was read: `12 of 14 schemas; not readable: A, B`. */
export function describeListing({ ledger }: Listing, scopeLevel: FilterKind): string {
  const scopes = [...ledger.values()].filter(
    ({ kind, state }) => kind === scopeLevel && state !== 'skipped',
  )
  const complete = scopes.filter(({ state }) => state === 'complete')
  const what = scopes.length === 1 ? scopeLevel : PLURALS[scopeLevel]
  if (complete.length === scopes.length) return `${scopes.length} ${what}`
  const unread = scopes.filter(({ state }) => state !== 'complete').map(({ scope }) => scope)
  return `${complete.length} of ${scopes.length} ${what}; not readable: ${formatNames(unread)}`
}

/** Formats the names of the first few scopes. */
export function formatNames(scopes: readonly string[]): string {
  const names = scopes.slice(0, NAMES_SHOWN_MAX).map(lastName)
  const more = scopes.length - names.length
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
}

/** Parses a native path from a JSON list. */
export function parsePath(text: string): string[] {
  const path: unknown = JSON.parse(text)
  return Array.isArray(path) ? path.map(String) : []
}

function lastName(scope: string): string {
  return parsePath(scope).at(-1) ?? ''
}
