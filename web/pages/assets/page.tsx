import { Cable, Table2 } from 'lucide-react'
import { useMemo } from 'react'
import { api } from '../../api/client.ts'
import { maySomewhere, useSession } from '../../api/session.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty, Skeleton } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { paths } from '../../paths.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { AssetTree } from './asset-tree.tsx'
import { keyOfPlace, useBranches, type Place } from './branch.ts'
import { FilteredAssets } from './filtered-assets.tsx'

/** What is open: integrations by external id, what clients PUT, assets by id; and what is sought. */
const USUAL = { integration: [], clients: '', open: [], query: '' } satisfies Record<
  string,
  string | string[]
>

interface AssetsState extends Readonly<Record<string, string | readonly string[]>> {
  integration: readonly string[]
  clients: string
  open: readonly string[]
  query: string
}

// So many open places are loaded at once at most; an address that names more was not made here.
const PLACES_MAX = 200

const NOWHERE: readonly Place[] = []

/** Everything that sources and clients hold, as a tree. */
export function AssetsPage() {
  const [state, set] = useUrlState<AssetsState>(USUAL)
  const roots = api.useQuery('get', '/ui/assets/roots', {})
  const places = useMemo(() => placesOf(state), [state])
  // What is open is asked for along with the top, not after it.
  useBranches(state.query === '' ? places : NOWHERE)
  return (
    <Page title="Assets" actions={<ConnectLink look="secondary" />}>
      <Loaded query={roots} skeleton={<Skeleton lines={8} label="Loading the assets" />}>
        {(data) =>
          data.length === 0 ? (
            <NoAssets />
          ) : (
            <>
              <SearchField
                className="mb-3 max-w-md"
                label="Filter the assets"
                placeholder="Filter by name, column, tag…"
                value={state.query}
                onChange={(query) => set({ query }, { replace: true })}
              />
              <div className="rounded-lg border border-line bg-surface">
                {state.query === '' ? (
                  <OpenTree roots={data} places={places} state={state} set={set} />
                ) : (
                  <FilteredAssets query={state.query} />
                )}
              </div>
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

interface OpenTreeProps {
  roots: Parameters<typeof AssetTree>[0]['roots']
  places: readonly Place[]
  state: AssetsState
  set: (patch: Partial<AssetsState>, options: { replace: boolean }) => void
}

function OpenTree({ roots, places, state, set }: OpenTreeProps) {
  const keys = useMemo(() => new Set(places.map(keyOfPlace)), [places])
  // Opening is a look around, no step to go back over one by one.
  const toggle = (place: Place): void => set(patchOf(state, place), { replace: true })
  return (
    <AssetTree roots={roots} places={places} isOpen={(key) => keys.has(key)} onToggle={toggle} />
  )
}

function placesOf({ integration, clients, open }: AssetsState): Place[] {
  const places: Place[] = [
    ...integration.map((externalId) => ({ kind: 'integration', externalId }) as const),
    ...(clients === 'open' ? [{ kind: 'clients' } as const] : []),
    ...open.map((id) => ({ kind: 'asset', id }) as const),
  ]
  return [...new Map(places.map((place) => [keyOfPlace(place), place])).values()].slice(
    0,
    PLACES_MAX,
  )
}

function patchOf(state: AssetsState, place: Place): Partial<AssetsState> {
  switch (place.kind) {
    case 'clients':
      return { clients: state.clients === 'open' ? '' : 'open' }
    case 'integration':
      return { integration: withOrWithout(state.integration, place.externalId) }
    case 'asset':
      return { open: withOrWithout(state.open, place.id) }
  }
}

function withOrWithout(values: readonly string[], value: string): string[] {
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value]
}

function ConnectLink({ look }: { look: 'primary' | 'secondary' }) {
  const session = useSession()
  return (
    <ButtonLink
      look={look}
      icon={<Cable size={14} aria-hidden />}
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
      <Empty
        icon={<Table2 size={28} aria-hidden />}
        title="No assets yet"
        action={<ConnectLink look="primary" />}
      >
        Assets are the tables, views and topics of your platforms. Connect a source, and they arrive
        here with their columns, on a schedule; or send them with{' '}
        <Link href={paths.reference({ op: 'putAsset' })}>
          <code>PUT /api/assets/…</code>
        </Link>
        .
      </Empty>
    </div>
  )
}
