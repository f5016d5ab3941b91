import { api, type Schemas } from '../../api/client.ts'
import { assetWord } from '../../parts/asset-kind.tsx'
import { Link, NameLink } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty, Skeleton } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { ResourceIcon } from '../../parts/resource-icon.tsx'
import { DocumentStatus, RunStatus } from '../../parts/status.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { numberText } from '../../parts/number-text.ts'
import { Time } from '../../parts/time.tsx'
import { pathOfResource, paths } from '../../paths.ts'

// Rows of each kind at most; the others are one click away.
const SHOWN_MAX = 20
const ASSETS_SHOWN_MAX = 8

const KINDS = [
  { resourceType: 'DATA_PRODUCT', one: 'Data product', several: 'data products', max: SHOWN_MAX },
  {
    resourceType: 'DATA_CONTRACT',
    one: 'Data contract',
    several: 'data contracts',
    max: SHOWN_MAX,
  },
  { resourceType: 'DATA_ASSET', one: 'Asset', several: 'assets', max: ASSETS_SHOWN_MAX },
] as const

type ResourceType = (typeof KINDS)[number]['resourceType']

interface Row {
  key: string
  name: string
  href: string
  resourceType: ResourceType | 'INTEGRATION'
  kind: string
  status: string | null
  runStatus: string | null
  updatedAt: string | null
}

/** Everything that a team owns, in one table. */
export function TeamOwns({ id }: { id: string }) {
  const products = useOwned(id, 'DATA_PRODUCT')
  const contracts = useOwned(id, 'DATA_CONTRACT')
  const assets = useOwned(id, 'DATA_ASSET')
  const integrations = api.useQuery('get', '/api/integrations/ingest', {
    params: { query: { owningTeamExternalId: id } },
  })
  const searches = [products, contracts, assets]
  const answers = searches.flatMap(({ data }) => (data === undefined ? [] : [data]))
  const isReady = answers.length === searches.length && integrations.data !== undefined
  const rows = [
    ...answers.slice(0, 2).flatMap(({ results }) => results.map(toRow)),
    ...(integrations.data ?? []).slice(0, SHOWN_MAX).map(toIntegrationRow),
    ...answers.slice(2).flatMap(({ results }) => results.map(toRow)),
  ]
  const queries = [...searches, integrations]
  const query = {
    data: isReady || undefined,
    error: queries.find(({ error }) => error !== null)?.error,
    refetch: () => queries.map(({ refetch }) => refetch()),
  }
  return (
    <Panel title="Owns" flush>
      <Loaded query={query} skeleton={<Skeleton lines={5} label="Loading what the team owns" />}>
        {() =>
          rows.length === 0 ? (
            <Empty title="Nothing owned yet">
              Data products, contracts, integrations and assets of this team appear here.
            </Empty>
          ) : (
            <>
              <Table
                label="Owned by the team"
                columns={COLUMNS}
                rows={rows}
                keyOf={({ key }) => key}
              />
              <MoreLinks id={id} totals={answers.map(({ total }) => total)} />
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}

function useOwned(id: string, resourceType: ResourceType) {
  const limit = KINDS.find((kind) => kind.resourceType === resourceType)?.max ?? SHOWN_MAX
  const query = { resourceType: [resourceType], teamId: [id], limit, facets: false }
  return api.useQuery('get', '/api/search', { params: { query } })
}

function toRow(result: Schemas['SearchResult']): Row {
  const { id, name, resourceType, status, type, updatedAt } = result
  const kind = KINDS.find((one) => one.resourceType === resourceType)
  const isAsset = resourceType === 'DATA_ASSET'
  return {
    key: `${resourceType} ${id}`,
    name: name === '' ? id : name,
    href: pathOfResource(resourceType, id),
    resourceType: kind?.resourceType ?? 'DATA_ASSET',
    kind: isAsset && type !== null && type !== '' ? assetWord(type) : (kind?.one ?? ''),
    status,
    runStatus: null,
    updatedAt,
  }
}

function toIntegrationRow({ externalId, name, latestRun }: Schemas['Integration']): Row {
  return {
    key: `INTEGRATION ${externalId}`,
    name,
    href: paths.integration(externalId),
    resourceType: 'INTEGRATION',
    kind: 'Integration',
    status: null,
    runStatus: latestRun?.status ?? null,
    updatedAt: latestRun?.completedAt ?? latestRun?.startedAt ?? null,
  }
}

const COLUMNS: readonly Column<Row>[] = [
  {
    title: 'Name',
    cell: ({ name, href, resourceType }) => (
      <span className="flex min-w-0 items-center gap-2">
        <ResourceIcon resourceType={resourceType} />
        <NameLink href={href} name={name} lines={2} />
      </span>
    ),
  },
  { title: 'Kind', cell: ({ kind }) => <span className="user-text text-muted">{kind}</span> },
  {
    title: 'Status',
    cell: ({ status, runStatus }) => {
      if (runStatus !== null) return <RunStatus status={runStatus} />
      if (status === null || status === '') return <span className="text-faint">–</span>
      return <DocumentStatus status={status} />
    },
  },
  {
    title: 'Updated',
    cell: ({ updatedAt }) => (
      <span className="text-muted">
        <Time at={updatedAt} />
      </span>
    ),
  },
]

function MoreLinks({ id, totals }: { id: string; totals: readonly number[] }) {
  const more = KINDS.map((kind, at) => ({ ...kind, total: totals[at] ?? 0 })).filter(
    ({ total, max }) => total > max,
  )
  if (more.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 border-t border-line px-4 py-2">
      {more.map(({ resourceType, several, total }) => (
        <li key={resourceType}>
          <Link
            href={paths.search({ resourceType, teamId: id })}
            className="flex min-h-6 items-center"
          >
            All {numberText(total)} {several}
          </Link>
        </li>
      ))}
    </ul>
  )
}
