import { Cable, Table2 } from 'lucide-react'
import { useMemo } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { maySomewhere, useSession } from '../../api/session.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { paths } from '../../paths.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { AssetFacets, hasFilters, type AssetFilters } from './asset-facets.tsx'
import { AssetTree } from './asset-tree.tsx'
import { keyOfPlace, useBranches, type Place } from './branch.ts'
import { FilteredAssets } from './filtered-assets.tsx'
import { listOpenPlaces, toggleOpenPlace, type OpenState } from './open-places.ts'

/** The open rows of the tree, and the search and filters that replace it. */
const USUAL = {
  integration: [],
  clients: '',
  open: [],
  tree: '',
  query: '',
  source: [],
  teamId: [],
  tag: [],
} satisfies Record<string, string | string[]>

interface AssetsState
  extends OpenState, AssetFilters, Readonly<Record<string, string | readonly string[]>> {
  query: string
}

const NO_PLACES: readonly Place[] = []
const NO_ROOTS: readonly Schemas['AssetRoot'][] = []

/** All assets of the sources and the API, as a tree or as search results. */
export function AssetsPage() {
  const [state, set] = useUrlState<AssetsState>(USUAL)
  const roots = api.useQuery('get', '/ui/assets/roots', {})
  const known = roots.data ?? NO_ROOTS
  const places = useMemo(() => listOpenPlaces(state, known), [state, known])
  const isSearch = state.query !== '' || hasFilters(state)
  // Open places load along with the roots, not after them.
  useBranches(isSearch ? NO_PLACES : places)
  return (
    <Page title="Assets" actions={<ConnectLink look="secondary" />}>
      <Loaded
        query={roots}
        skeleton={{ lines: 8, label: 'Loading the assets' }}
        empty={<NoAssets />}
      >
        {(data) => (
          <>
            <SearchField
              className="mb-3 max-w-md"
              label="Filter assets"
              placeholder="Filter by name, column, tag…"
              value={state.query}
              onChange={(query) => set({ query }, { replace: true })}
            />
            <AssetFacets
              query={state.query}
              filters={state}
              onChange={(patch) => set(patch, { replace: true })}
            />
            <div className="rounded-lg border border-line bg-surface">
              {isSearch ? (
                <FilteredAssets query={state.query} filters={state} />
              ) : (
                <OpenTree roots={data} places={places} set={set} />
              )}
            </div>
          </>
        )}
      </Loaded>
    </Page>
  )
}

interface OpenTreeProps {
  roots: readonly Schemas['AssetRoot'][]
  places: readonly Place[]
  set: (patch: Partial<AssetsState>, options: { replace: boolean }) => void
}

function OpenTree({ roots, places, set }: OpenTreeProps) {
  const keys = useMemo(() => new Set(places.map(keyOfPlace)), [places])
  // Opening a row adds no entry to the history of the browser.
  const toggle = (place: Place): void =>
    set({ ...toggleOpenPlace(places, place) }, { replace: true })
  return (
    <AssetTree roots={roots} places={places} isOpen={(key) => keys.has(key)} onToggle={toggle} />
  )
}

function ConnectLink({ look }: { look: 'primary' | 'secondary' }) {
  const session = useSession()
  return (
    <ButtonLink
      look={look}
      icon={Cable}
      href={paths.newIntegration}
      reason={maySomewhere(session, 'INGESTION_EDIT').reason}
    >
      Connect a source
    </ButtonLink>
  )
}

function NoAssets() {
  return (
    <div className="rounded-lg border border-line bg-surface">
      <Empty icon={Table2} title="No assets yet" action={<ConnectLink look="primary" />}>
        Tables, views and topics of your platforms appear here with their columns. Connect a source,
        or send them with{' '}
        <Link href={paths.reference({ op: 'putAsset' })}>
          <code>PUT /api/assets/…</code>
        </Link>
        .
      </Empty>
    </div>
  )
}
