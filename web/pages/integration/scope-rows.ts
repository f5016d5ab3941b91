import { createNameFilter, type NameGlobs } from '../../../formats/name/name-filter.ts'
import { compareNaturally } from '../../parts/natural-order.ts'
import type { Preview } from './use-trials.ts'

/** The globs of a level: `schema`. */
export type ScopeGlobs = (level: string) => NameGlobs

/** A row of the tick list: a database, a schema or a namespace. */
export interface ScopeRow {
  key: string
  path: readonly string[]
  /** The last part of the path, which filters decide about. */
  name: string
  kind: string
  /** It is of the level that is read as a unit. */
  isLeaf: boolean
  isTicked: boolean
  isDenied: boolean
  /** Why it cannot be ticked; undefined = it can. */
  reason: string | undefined
  /** For a container: how many of the scopes in it are ticked. */
  counts: { selected: number; total: number } | undefined
}

type Scope = Preview['scopes'][number]

/**
 * Builds the checkboxes of a preview, in the order of their paths, but last those of which nothing can be ticked. A checkbox shows the current filters; `previewed` are the filters of
 * the preview, which show what other than a filter excludes a scope.
 */
export function buildScopeRows(
  scopes: readonly Scope[],
  scopeLevel: string,
  getGlobs: ScopeGlobs,
  previewed: ScopeGlobs,
): ScopeRow[] {
  const levels = [...new Set(scopes.map(({ kind }) => kind))]
  const nowBy = createFilters(levels, getGlobs)
  const beforeBy = createFilters(levels, previewed)
  const decide = (filters: typeof nowBy, { kind, path }: Scope): boolean =>
    filters.get(kind)?.(path.at(-1) ?? '') ?? true
  const sorted = scopes.toSorted((a, b) => comparePaths(a.path, b.path))
  const unticked = new Set(
    sorted.filter((scope) => !decide(nowBy, scope)).map(({ path }) => JSON.stringify(path)),
  )
  const isBelowUnticked = (path: readonly string[]): boolean =>
    path.some((_, at) => at > 0 && unticked.has(JSON.stringify(path.slice(0, at))))
  const isBlockedScope = (scope: Scope): boolean =>
    scope.decision === 'excluded' && decide(beforeBy, scope)
  const open = new Set(
    sorted.filter((scope) => !isBlockedScope(scope)).map(({ path: [first] }) => first),
  )
  const isOpen = ({ path: [first] }: Scope): boolean => open.has(first)
  // A server can have many databases that the connection settings exclude.
  const ordered = [
    ...sorted.filter((scope) => isOpen(scope)),
    ...sorted.filter((scope) => !isOpen(scope)),
  ]
  const rows = ordered.map((scope): ScopeRow => {
    const { path, kind, decision, message } = scope
    const isBlocked = isBlockedScope(scope)
    const isDenied = decision === 'denied'
    return {
      key: JSON.stringify([kind, path]),
      path,
      name: path.at(-1) ?? '',
      kind,
      isLeaf: kind === scopeLevel,
      isTicked: !isBlocked && !isDenied && decide(nowBy, scope) && !isBelowUnticked(path),
      isDenied,
      reason: getReason(scope, isBlocked, isBelowUnticked(path), message),
      counts: undefined,
    }
  })
  return rows.map((row) => (row.isLeaf ? row : { ...row, counts: countLeaves(rows, row.path) }))
}

function createFilters(levels: readonly string[], getGlobs: ScopeGlobs) {
  return new Map(levels.map((level) => [level, createNameFilter(getGlobs(level))] as const))
}

function getReason(
  { decision, path }: Scope,
  isBlocked: boolean,
  isBelowUnticked: boolean,
  message: string | undefined,
): string | undefined {
  if (decision === 'denied') return message ?? 'The user has no access to it.'
  if (isBlocked) return 'Excluded by the connection settings, or part of the platform itself.'
  return isBelowUnticked ? `Select ${path.slice(0, -1).join('.')} first.` : undefined
}

function countLeaves(rows: readonly ScopeRow[], path: readonly string[]): ScopeRow['counts'] {
  const leaves = rows.filter((row) => row.isLeaf && path.every((part, at) => row.path[at] === part))
  if (leaves.length === 0) return undefined
  return { selected: leaves.filter(({ isTicked }) => isTicked).length, total: leaves.length }
}

function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const order = compareNaturally(a[at] ?? '', b[at] ?? '')
    if (order !== 0) return order
  }
  return a.length - b.length
}
