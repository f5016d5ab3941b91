import { keepPreviousData } from '@tanstack/react-query'
import { api, type Schemas } from '../../api/client.ts'
import { AssetIcon, assetWord } from '../../parts/asset-kind.tsx'
import { Highlighted } from '../../parts/highlighted.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { DocumentStatus } from '../../parts/status.tsx'
import { countText } from '../../parts/number-text.ts'
import { paths } from '../../paths.ts'
import type { AssetFilters } from './asset-facets.tsx'

const SHOWN_MAX = 50

interface FilteredAssetsProps {
  query: string
  filters: AssetFilters
}

/** The assets that match a search and filters, from all levels of the tree. */
export function FilteredAssets({ query, filters }: FilteredAssetsProps) {
  const { source, teamId, tag } = filters
  const wanted = {
    query,
    resourceType: ['DATA_ASSET' as const],
    source: [...source],
    teamId: [...teamId],
    tag: [...tag],
  }
  const found = api.useQuery(
    'get',
    '/api/search',
    {
      params: { query: { ...wanted, limit: SHOWN_MAX, facets: false } },
    },
    { placeholderData: keepPreviousData },
  )
  const everywhere = paths.search(wanted)
  return (
    <Loaded query={found}>
      {({ total, results }) => (
        <>
          <p aria-live="polite" className="border-b border-line px-4 py-2 text-sm text-muted">
            {countText(total, 'asset')} found
            {total > SHOWN_MAX && `, the first ${SHOWN_MAX} are shown`}.{' '}
            {total > 0 && <Link href={everywhere}>Open in search</Link>}
          </p>
          {results.length === 0 ? (
            <Empty title="No matching assets">
              Search matches names, columns, descriptions and tags. Try one word of the name, or
              clear the filters.
            </Empty>
          ) : (
            <ul className="divide-y divide-line">
              {results.map((result) => (
                <AssetItem key={result.id} result={result} />
              ))}
            </ul>
          )}
        </>
      )}
    </Loaded>
  )
}

type Result = Schemas['SearchResult']

function AssetItem({ result }: { result: Result }) {
  const { id, name, type, status, description, highlights, why } = result
  const marked = highlights.find(({ field }) => field === 'name')
  const path = why.find((reason) => reason.path !== null)?.path
  return (
    <li className="grid gap-0.5 px-4 py-2">
      <span className="flex min-w-0 flex-wrap items-center gap-2">
        <AssetIcon type={type ?? ''} />
        <Link href={paths.asset(id)} className="line-clamp-1 min-w-0">
          <Highlighted text={marked?.text ?? name} ranges={marked?.ranges ?? []} />
        </Link>
        <span className="text-sm text-muted">{assetWord(type ?? '')}</span>
        <DocumentStatus status={status} />
        {path !== undefined && path !== null && (
          <code className="user-text line-clamp-1 text-muted">{path}</code>
        )}
      </span>
      <span className="user-text line-clamp-1 text-sm text-muted">{description}</span>
    </li>
  )
}
