import { keepPreviousData } from '@tanstack/react-query'
import { api, type Schemas } from '../api/client.ts'
import { toProblem } from '../api/problem.ts'
import { Highlighted } from '../parts/highlighted.tsx'
import { ResourceIcon } from '../parts/resource-icon.tsx'
import { resourceWord } from '../parts/resource-types.ts'
import { useSettled } from '../parts/settled.ts'
import { pathOfResource } from '../paths.ts'
import type { PaletteItem } from './palette-items.tsx'

const RESULTS_MAX = 8
const ASK_AFTER_MS = 120

/** Returns the search results for the typed text, and a status message. */
export function useFoundItems(
  typed: string,
  go: (href: string) => void,
): { items: readonly PaletteItem[]; message: string } {
  const settled = useSettled(typed, ASK_AFTER_MS)
  const query = typed === '' ? '' : settled
  const found = api.useQuery(
    'get',
    '/api/search',
    { params: { query: { query, limit: RESULTS_MAX, facets: false } } },
    { enabled: query !== '', placeholderData: keepPreviousData },
  )
  if (typed === '') return { items: [], message: '↑↓ to select, Enter to open, Esc to close' }
  if (found.error !== null) return { items: [], message: toProblem(found.error).summary }
  const results = found.data?.results ?? []
  const total = found.data?.total ?? 0
  const least = found.data?.totalIsMinimum === true ? 'at least ' : ''
  const names = results.map(({ name }) => name)
  const items = results.map((result) => ({
    key: `found ${result.resourceType} ${result.id}`,
    title: <FoundTitle result={result} />,
    words: '',
    icon: <ResourceIcon resourceType={result.resourceType} size={15} />,
    note: <FoundNote result={result} isNamesake={isTwice(names, result.name)} />,
    run: () => go(pathOfResource(result.resourceType, result.id)),
  }))
  if (query !== typed || found.data === undefined) return { items, message: 'Searching…' }
  return { items, message: `${least}${total} ${total === 1 ? 'result' : 'results'} in the catalog` }
}

function isTwice(names: readonly string[], name: string): boolean {
  return names.indexOf(name) !== names.lastIndexOf(name)
}

function markedName({ highlights }: Schemas['SearchResult']) {
  return highlights.find(({ field }) => field === 'name')
}

function FoundTitle({ result }: { result: Schemas['SearchResult'] }) {
  const { name, id } = result
  const marked = markedName(result)
  return <Highlighted text={marked?.text ?? (name || id)} ranges={marked?.ranges ?? []} />
}

interface FoundNoteProps {
  result: Schemas['SearchResult']
  /** Whether another result has the same name. */
  isNamesake: boolean
}

// The id if another result has the same name, the match if it is not in the name, or the owner.
function FoundNote({ result, isNamesake }: FoundNoteProps) {
  const { id, resourceType, ownerName, why } = result
  const path = why.find((reason) => reason.path !== null)?.path ?? undefined
  const place = markedName(result) === undefined ? path : undefined
  return (
    <span className="user-text line-clamp-1">
      {isNamesake ? id : (place ?? ownerName)}
      <span className="sr-only">, {resourceWord(resourceType)}</span>
    </span>
  )
}
