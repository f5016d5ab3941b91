import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { client, type Schemas } from '../../api/client.ts'
import { toProblem, type Problem } from '../../api/problem.ts'

/** A place of the tree that can be opened: an integration, the assets without one, or an asset. */
export type Place =
  | { kind: 'integration'; externalId: string }
  | { kind: 'clients' }
  | { kind: 'asset'; id: string }

/** The loaded children of a place. */
interface Branch {
  nodes: readonly Schemas['AssetNode'][]
  /** The cursor of the next page; null = all children are loaded. */
  next: string | null
}

/** A branch that is loading, loaded or failed. */
interface BranchState {
  branch: Branch | undefined
  problem: Problem | undefined
  retry: () => void
}

const PAGE_NODES = 500
const STALE_MS = 60_000

/** Returns the unique key of a place. */
export function keyOfPlace(place: Place): string {
  if (place.kind === 'integration') return `integration:${place.externalId}`
  return place.kind === 'asset' ? `asset:${place.id}` : 'clients'
}

const getQueryKey = (place: Place) => ['asset-children', keyOfPlace(place)]

async function loadPage(
  place: Place,
  after: string | undefined,
  signal?: AbortSignal,
): Promise<Branch> {
  const query = {
    limit: PAGE_NODES,
    ...(place.kind === 'integration' ? { integration: place.externalId } : {}),
    ...(place.kind === 'asset' ? { parent: place.id } : {}),
    ...(after === undefined ? {} : { after }),
  }
  const { data } = await client.GET('/ui/assets/children', {
    params: { query },
    ...(signal === undefined ? {} : { signal }),
  })
  return data ?? { nodes: [], next: null }
}

// A reload keeps at least as many nodes as before, so that the scroll position stays.
async function loadAgain(place: Place, known: number, signal: AbortSignal): Promise<Branch> {
  let { nodes, next } = await loadPage(place, undefined, signal)
  while (next !== null && nodes.length < known) {
    // Each page begins where the one before ended.
    // oxlint-disable-next-line no-await-in-loop
    const page = await loadPage(place, next, signal)
    nodes = [...nodes, ...page.nodes]
    next = page.next
  }
  return { nodes, next }
}

/**
 * Loads the first children of some places. `more` loads the next ones of a place; while they load it
 * does nothing.
 */
export function useBranches(places: readonly Place[]) {
  const queries = useQueryClient()
  const results = useQueries({
    queries: places.map((place) => ({
      queryKey: getQueryKey(place),
      staleTime: STALE_MS,
      queryFn: ({ signal }: { signal: AbortSignal }) => {
        const known = queries.getQueryData<Branch>(getQueryKey(place))
        return loadAgain(place, known?.nodes.length ?? 0, signal)
      },
    })),
  })
  const { more, problems } = useMore()
  const states = new Map<string, BranchState>()
  places.forEach((place, at) => {
    const result = results[at]
    const key = keyOfPlace(place)
    if (result === undefined) return
    const { data, error, refetch } = result
    const failed = data === undefined ? error : problems.get(key)
    states.set(key, {
      branch: data,
      problem: failed === null || failed === undefined ? undefined : toProblem(failed),
      retry: () => void (data === undefined ? refetch() : more(place)),
    })
  })
  return { states, more }
}

function useMore() {
  const queries = useQueryClient()
  const underway = useRef(new Set<string>())
  const [problems, setProblems] = useState<ReadonlyMap<string, unknown>>(new Map())
  const more = useCallback(
    async (place: Place): Promise<void> => {
      const key = keyOfPlace(place)
      const known = queries.getQueryData<Branch>(getQueryKey(place))
      if (known === undefined || known.next === null || underway.current.has(key)) return
      underway.current.add(key)
      setProblems((before) => new Map([...before].filter(([one]) => one !== key)))
      try {
        const page = await loadPage(place, known.next)
        queries.setQueryData<Branch>(getQueryKey(place), (now) =>
          // Another request may have loaded them in between.
          now === undefined || now.next !== known.next
            ? now
            : { nodes: [...now.nodes, ...page.nodes], next: page.next },
        )
      } catch (error) {
        setProblems((before) => new Map(before).set(key, error))
      } finally {
        underway.current.delete(key)
      }
    },
    [queries],
  )
  return { more, problems }
}
