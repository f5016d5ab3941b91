import { RECORDS } from '../../../formats/record/kinds.ts'
import { api, type Schemas } from '../../api/client.ts'
import { mayOwn, useSession } from '../../api/session.ts'
import { Deprecations, listDeprecated, ResourceStanding } from '../../documents/deprecations.tsx'
import { Trusts, TrustMarks } from '../../documents/trust-strip.tsx'
import { assetWord } from '../../parts/asset-kind.tsx'
import { Link, NameLink } from '../../parts/link.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { ResourceIcon } from '../../parts/resource-icon.tsx'
import { resourceWord } from '../../parts/resource-types.ts'
import { RunStatus } from '../../parts/status.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { numberText } from '../../parts/number-text.ts'
import { Time } from '../../parts/time.tsx'
import { pathOfResource, paths } from '../../paths.ts'

// Rows of each kind at most; the others are one click away.
const SHOWN_MAX = 20
const ASSETS_SHOWN_MAX = 8

type ResourceType = Schemas['SearchResult']['resourceType']

/** Resources that one search finds, with their words and the number of rows. */
interface OwnedGroup {
  resourceTypes: readonly ResourceType[]
  words: string
  max: number
}

const PRODUCTS: OwnedGroup = {
  resourceTypes: ['DATA_PRODUCT'],
  words: 'data products',
  max: SHOWN_MAX,
}
const CONTRACTS: OwnedGroup = {
  resourceTypes: ['DATA_CONTRACT'],
  words: 'data contracts',
  max: SHOWN_MAX,
}
const RECORD_GROUP: OwnedGroup = {
  resourceTypes: RECORDS.map(({ resourceType }) => resourceType),
  words: new Intl.ListFormat('en').format(RECORDS.map(({ label }) => label.toLowerCase())),
  max: SHOWN_MAX,
}
const ASSETS: OwnedGroup = {
  resourceTypes: ['DATA_ASSET'],
  words: 'assets',
  max: ASSETS_SHOWN_MAX,
}
const GROUPS = [PRODUCTS, CONTRACTS, RECORD_GROUP, ASSETS]

interface Row {
  key: string
  id: string
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
  const session = useSession()
  const isInside = mayOwn(session).allowed || session.teams.some((team) => team.id === id)
  const products = useOwned(id, PRODUCTS)
  const contracts = useOwned(id, CONTRACTS)
  const records = useOwned(id, RECORD_GROUP)
  const assets = useOwned(id, ASSETS)
  const integrations = api.useQuery('get', '/api/integrations/ingest', {
    params: { query: { owningTeamExternalId: id } },
  })
  const searches = [products, contracts, records, assets]
  const answers = searches.flatMap(({ data }) => (data === undefined ? [] : [data]))
  const isReady = answers.length === searches.length && integrations.data !== undefined
  const rows = [
    ...answers.slice(0, 3).flatMap(({ results }) => results.map(toRow)),
    ...(integrations.data ?? []).slice(0, SHOWN_MAX).map(toIntegrationRow),
    ...answers.slice(3).flatMap(({ results }) => results.map(toRow)),
  ]
  const queries = [...searches, integrations]
  const query = {
    data: isReady || undefined,
    error: queries.find(({ error }) => error !== null)?.error,
    refetch: () => queries.map(({ refetch }) => refetch()),
  }
  return (
    <QueryPanel
      title="Owns"
      flush
      actions={
        <Link href={paths.drift({ team: id })} className="text-sm">
          Drift of its contracts
        </Link>
      }
      query={query}
      skeleton={{ lines: 5, label: 'Loading what the team owns' }}
      empty={
        <Empty title="Nothing owned yet">
          {isInside
            ? 'Data products, contracts, integrations and assets of this team appear here.'
            : 'Data products, contracts and assets of this team appear here. Its integrations are visible to its members.'}
        </Empty>
      }
      isEmpty={() => rows.length === 0}
    >
      {() => (
        <Deprecations of={listDeprecated(rows)}>
          <Trusts of={rows}>
            <Table
              label="Owned by the team"
              columns={COLUMNS}
              rows={rows}
              getKey={({ key }) => key}
            />
          </Trusts>
          <MoreLinks id={id} totals={answers.map(({ total }) => total)} />
        </Deprecations>
      )}
    </QueryPanel>
  )
}

function useOwned(id: string, { resourceTypes, max }: OwnedGroup) {
  const query = { resourceType: [...resourceTypes], teamId: [id], limit: max, facets: false }
  return api.useQuery('get', '/api/search', { params: { query } })
}

function toRow(result: Schemas['SearchResult']): Row {
  const { id, name, resourceType, status, type, updatedAt } = result
  const isAsset = resourceType === 'DATA_ASSET'
  return {
    key: `${resourceType} ${id}`,
    id,
    name: name === '' ? id : name,
    href: pathOfResource(resourceType, id),
    resourceType,
    kind: isAsset && type !== null && type !== '' ? assetWord(type) : resourceWord(resourceType),
    status,
    runStatus: null,
    updatedAt,
  }
}

function toIntegrationRow({ externalId, name, latestRun }: Schemas['Integration']): Row {
  return {
    key: `INTEGRATION ${externalId}`,
    id: externalId,
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
    cell: ({ name, href, resourceType, id }) => (
      <span className="flex min-w-0 items-center gap-2">
        <ResourceIcon resourceType={resourceType} />
        <NameLink href={href} name={name} lines={2} />
        <TrustMarks {...{ resourceType, id }} />
      </span>
    ),
  },
  { title: 'Kind', cell: ({ kind }) => <span className="user-text text-muted">{kind}</span> },
  {
    title: 'Status',
    cell: ({ resourceType, id, status, runStatus }) => {
      if (runStatus !== null) return <RunStatus status={runStatus} />
      if (status === null || status === '') return <span className="text-faint">–</span>
      return (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <ResourceStanding {...{ resourceType, id, status }} />
        </span>
      )
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
  const more = GROUPS.map((group, at) => ({ ...group, total: totals[at] ?? 0 })).filter(
    ({ total, max }) => total > max,
  )
  if (more.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 border-t border-line px-4 py-2">
      {more.map(({ resourceTypes, words, total }) => (
        <li key={words}>
          <Link
            href={paths.search({ resourceType: resourceTypes, teamId: id })}
            className="flex min-h-6 items-center"
          >
            All {numberText(total)} {words}
          </Link>
        </li>
      ))}
    </ul>
  )
}
