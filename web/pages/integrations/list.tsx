import { api } from '../../api/client.ts'
import { useSources } from '../../api/sources.ts'
import { Button } from '../../parts/button.tsx'
import { countText, numberText } from '../../parts/number-text.ts'
import type { Filter } from './filters.tsx'
import { IntegrationRow } from './row.tsx'
import type { ListedIntegration } from './use-integrations.ts'

const SHOWN_AT_ONCE = 100

const COLUMNS = ['Name', 'Last runs', 'Outcome', 'Next run', 'Assets', 'Owner'] as const

interface ListProps {
  integrations: readonly ListedIntegration[]
  /** Another page may follow. */
  isFull: boolean
  filter: Filter
  onPage: (patch: Partial<Filter>) => void
}

/** A table of integrations. */
export function IntegrationList({ integrations, isFull, filter, onPage }: ListProps) {
  const roots = api.useQuery('get', '/ui/assets/roots', {}, { staleTime: 30_000 })
  const counts = new Map(
    roots.data?.map(({ integrationExternalId, assetCount }) => [integrationExternalId, assetCount]),
  )
  const sources = useSources()
  const titles = new Map(sources.data?.map(({ source, title }) => [source, title]))
  const shownCount = Math.max(SHOWN_AT_ONCE, Number(filter.shown) || 0)
  const shown = integrations.slice(0, shownCount)
  return (
    <div className="grid gap-3">
      <div
        className="overflow-x-auto rounded-lg border border-line bg-surface"
        role="region"
        aria-label="Integrations"
        tabIndex={0}
      >
        <table className="w-full border-collapse text-left max-md:block">
          <thead className="max-md:sr-only">
            <tr className="border-b border-line text-sm text-muted">
              {COLUMNS.map((title) => (
                <th
                  key={title}
                  scope="col"
                  className={`px-4 py-2 font-medium whitespace-nowrap ${title === 'Assets' ? 'text-right' : ''}`}
                >
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="max-md:block">
            {shown.map((integration) => (
              <IntegrationRow
                key={integration.externalId}
                integration={integration}
                platform={titles.get(integration.source) ?? integration.source}
                assetCount={
                  roots.data === undefined ? undefined : (counts.get(integration.externalId) ?? 0)
                }
              />
            ))}
          </tbody>
        </table>
      </div>
      <ListFooter
        shownCount={shown.length}
        count={integrations.length}
        isFull={isFull}
        filter={filter}
        onPage={onPage}
      />
    </div>
  )
}

interface FooterProps extends Omit<ListProps, 'integrations'> {
  shownCount: number
  count: number
}

function ListFooter({ shownCount, count, isFull, filter, onPage }: FooterProps) {
  const page = Number(filter.p) || 0
  return (
    <footer className="flex flex-wrap items-center gap-3 text-muted">
      <span>
        {shownCount < count && `${numberText(shownCount)} of `}
        {countText(count, 'integration')}
        {(isFull || page > 0) && ' on this page'}
      </span>
      {shownCount < count && (
        <Button onClick={() => onPage({ shown: String(shownCount + SHOWN_AT_ONCE) })}>
          Show {SHOWN_AT_ONCE} more
        </Button>
      )}
      {page > 0 && (
        <Button onClick={() => onPage({ p: page === 1 ? '' : String(page - 1), shown: '' })}>
          Previous page
        </Button>
      )}
      {isFull && (
        <Button onClick={() => onPage({ p: String(page + 1), shown: '' })}>Next page</Button>
      )}
    </footer>
  )
}
