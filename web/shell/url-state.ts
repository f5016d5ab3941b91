import { useRouter, useRouterState, useParams } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { newRecord } from '../../formats/name/table.ts'

/** The state of a page in its address: texts, and lists of texts for repeated names. */
type UrlState = Readonly<Record<string, string | readonly string[]>>

/** Reads a query as names with all their values. */
export function parseQuery(text: string): Record<string, string[]> {
  const found = newRecord<string[]>()
  for (const [name, value] of new URLSearchParams(text)) (found[name] ??= []).push(value)
  return found
}

/** Writes names with their values as a query, with its question mark; empty = none. */
export function stringifyQuery(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one === 'string') search.append(name, one)
    }
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

/**
 * The state of a page in its address, so that it can be sent and gone back to. `usual` names all that
 * the page keeps, with the values that are not written out; keep it outside of the component.
 * `set(patch)` writes a new entry of the history, with `replace` over the present one.
 */
export function useUrlState<State extends UrlState>(
  usual: State,
): [State, (patch: Partial<State>, options?: { replace?: boolean }) => void] {
  const router = useRouter()
  const searchText = useRouterState({ select: (state) => state.location.searchStr })
  const state = useMemo(() => getState(usual, searchText), [usual, searchText])
  const set = useCallback(
    (patch: Partial<State>, options: { replace?: boolean } = {}) => {
      const { pathname, searchStr } = router.state.location
      const next: Record<string, unknown> = { ...parseQuery(searchStr), ...patch }
      for (const [name, value] of Object.entries(usual)) {
        if (name in patch && isSame(next[name], value)) delete next[name]
      }
      const address = `${pathname}${stringifyQuery(next)}`
      if (options.replace === true) router.history.replace(address)
      else router.history.push(address)
    },
    [router, usual],
  )
  return [state, set]
}

function getState<State extends UrlState>(usual: State, searchText: string): State {
  const given = parseQuery(searchText)
  const read = Object.entries(usual).map(([name, value]) => {
    const values = given[name]
    if (values === undefined) return [name, value]
    return [name, Array.isArray(value) ? values : (values[0] ?? '')]
  })
  return { ...usual, ...Object.fromEntries(read) }
}

function isSame(a: unknown, b: string | readonly string[]): boolean {
  return typeof b === 'string'
    ? a === b
    : Array.isArray(a) && a.length === b.length && a.join('\n') === b.join('\n')
}

/** An id of the page's address, decoded; undefined where the address has none (`/…/new`). */
export function usePathId(name: 'id' | 'runId' = 'id'): string | undefined {
  const params: Readonly<Record<string, string | undefined>> = useParams({ strict: false })
  return params[name]
}
