import { keepPreviousData } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { AssetIcon, assetWord } from '../../parts/asset-kind.tsx'
import { Highlighted } from '../../parts/highlighted.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { DocumentStatus } from '../../parts/status.tsx'
import { numberText } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'

const SHOWN_MAX = 50

/** The assets that a search finds, wherever they stand in the tree. */
export function FilteredAssets({ query }: { query: string }) {
  const found = api.useQuery(
    'get',
    '/api/search',
    {
      params: { query: { query, resourceType: ['DATA_ASSET'], limit: SHOWN_MAX, facets: false } },
    },
    { placeholderData: keepPreviousData },
  )
  const everywhere = paths.search({ query, resourceType: 'DATA_ASSET' })
  return (
    <Loaded query={found}>
      {({ total, results }) => (
        <>
          <p aria-live="polite" className="border-b border-line px-4 py-2 text-sm text-muted">
            {numberText(total)} {total === 1 ? 'asset' : 'assets'} found
            {total > SHOWN_MAX && `, the first ${SHOWN_MAX} are shown`}.{' '}
            {total > 0 && <Link href={everywhere}>Filter them in the search</Link>}
          </p>
          {results.length === 0 ? (
            <Empty title="No asset matches">
              Assets are found by name, by the names of their columns, by description and tags. Try
              one word of the name.
            </Empty>
          ) : (
            <ul className="divide-y divide-line">
              {results.map(({ id, name, type, status, description, highlights, why }) => {
                const marked = highlights.find(({ field }) => field === 'name')
                const path = why.find((reason) => reason.path !== null)?.path
                return (
                  <li key={id} className="grid gap-0.5 px-4 py-2">
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
              })}
            </ul>
          )}
        </>
      )}
    </Loaded>
  )
}
