import { api } from '../../api/client.ts'
import { useSources } from '../../api/sources.ts'
import { Button } from '../../parts/button.tsx'
import { countText, numberText } from '../../parts/number-text.ts'
import { Table } from '../../parts/table.tsx'
import type { Filter } from './filters.tsx'
import { getColumns } from './columns.tsx'
import type { ListedIntegration } from './use-integrations.ts'

const SHOWN_AT_ONCE = 100

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
  const columns = getColumns({
    getTitle: (source) => sources.data?.find((one) => one.source === source)?.title ?? source,
    getAssetCount: (id) => (roots.data === undefined ? undefined : (counts.get(id) ?? 0)),
  })
  const shownCount = Math.max(SHOWN_AT_ONCE, Number(filter.shown) || 0)
  const shown = integrations.slice(0, shownCount)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="rounded-lg border border-line bg-surface">
        <Table
          label="Integrations"
          columns={columns}
          rows={shown}
          getKey={({ externalId }) => externalId}
        />
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
