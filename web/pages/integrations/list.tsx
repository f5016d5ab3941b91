import { api } from '../../api/client.ts'
import { useSources } from '../../api/sources.ts'
import { useTeams } from '../../api/teams.ts'
import { findPlatformName } from '../../parts/platform-name.ts'
import { Button } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { countText, numberText } from '../../parts/number-text.ts'
import { PlatformMark } from '../../parts/platform-mark.tsx'
import { describeOutcome, runSummary, toneOfRun } from '../../parts/run-words.ts'
import { StatusStrip } from '../../parts/status-strip.tsx'
import { RunStatus, Status } from '../../parts/status.tsx'
import { sortByDate, sortByName } from '../../parts/sort-rows.ts'
import { SortedTable, type SortedColumn } from '../../parts/table-sort.tsx'
import { Time } from '../../parts/time.tsx'
import { WhenNear } from '../../parts/when-near.tsx'
import { paths } from '../../paths.ts'
import type { Filter } from './filters.tsx'
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
    getTitle: (source) =>
      sources.data?.find((one) => one.source === source)?.title ??
      findPlatformName(source) ??
      source,
    getAssetCount: (id) => (roots.data === undefined ? undefined : (counts.get(id) ?? 0)),
  })
  const shownCount = Math.max(SHOWN_AT_ONCE, Number(filter.shown) || 0)
  // The server returns pages: the rows of one page are sorted only if there are no others.
  const isWhole = !isFull && filter.p === ''
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="rounded-lg border border-line bg-surface">
        <SortedTable
          label="Integrations"
          columns={columns}
          rows={integrations}
          max={shownCount}
          sort={isWhole ? filter.sort : ''}
          onSort={isWhole ? (sort) => onPage({ sort }) : undefined}
          getKey={({ externalId }) => externalId}
        />
      </div>
      <ListFooter
        shownCount={Math.min(shownCount, integrations.length)}
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

const STRIP_RUNS = 8
const LINE_PX = 24

/** Data of other requests that the columns show. */
interface ColumnNeeds {
  /** Returns the title of a platform. */
  getTitle: (source: string) => string
  /** Returns the number of assets of an integration; undefined = still loading. */
  getAssetCount: (externalId: string) => number | undefined
}

/** Returns the columns of the list. Runs and times are loaded for rows that are near the view. */
function getColumns({ getTitle, getAssetCount }: ColumnNeeds): SortedColumn<ListedIntegration>[] {
  return [
    {
      title: 'Name',
      sort: sortByName(({ name }) => name),
      className: 'max-w-64 min-w-40',
      cell: ({ externalId, name, source }) => (
        <>
          <Link
            href={paths.integration(externalId)}
            className="user-text line-clamp-2 min-h-6 font-medium"
          >
            {name}
          </Link>
          <span className="user-text mt-0.5 flex items-center gap-1.5 text-sm text-muted">
            <PlatformMark source={source} size={16} />
            {getTitle(source)}
          </span>
        </>
      ),
    },
    {
      title: 'Last runs',
      cell: (integration) => (
        <WhenNear height={LINE_PX}>
          <Strip integration={integration} />
        </WhenNear>
      ),
    },
    {
      title: 'Outcome',
      sort: sortByDate('last-run', 'Outcome', ({ latestRun }) => latestRun?.startedAt ?? null),
      className: 'min-w-52',
      cell: ({ latestRun }) => <LatestRun run={latestRun} />,
    },
    {
      title: 'Next run',
      className: 'min-w-36',
      cell: (integration) => (
        <WhenNear height={LINE_PX}>
          <NextRun integration={integration} />
        </WhenNear>
      ),
    },
    {
      title: 'Assets',
      align: 'right',
      cell: ({ externalId }) => (
        <AssetCount externalId={externalId} count={getAssetCount(externalId)} />
      ),
    },
    {
      title: 'Owner',
      className: 'max-w-48',
      cell: ({ owningTeamExternalId }) => <Owner id={owningTeamExternalId} />,
    },
  ]
}

function AssetCount({ externalId, count }: { externalId: string; count: number | undefined }) {
  if (count === undefined) return <span className="text-faint">…</span>
  return (
    <Link
      href={paths.assets({ integration: externalId })}
      className="inline-flex min-h-6 min-w-6 items-center sm:justify-end"
    >
      {numberText(count)}
    </Link>
  )
}

function LatestRun({ run }: { run: ListedIntegration['latestRun'] }) {
  if (run === null) return <span className="text-muted">No runs yet</span>
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2">
        <RunStatus status={run.status} />
        <span className="text-sm text-muted">
          <Time at={run.startedAt} />
        </span>
      </span>
      <span className="user-text mt-0.5 line-clamp-2 text-sm">{describeOutcome(run)}</span>
    </>
  )
}

function Owner({ id }: { id: string | null }) {
  const name = useTeams()?.find((team) => team.id === id)?.name
  if (id === null) {
    return <span className="text-muted">Organization</span>
  }
  return (
    <Link href={paths.team(id)} className="user-text line-clamp-2 min-h-6">
      {name ?? id}
    </Link>
  )
}

function Strip({ integration }: { integration: ListedIntegration }) {
  const { externalId, name, latestRun } = integration
  const runs = api.useQuery(
    'get',
    '/api/integrations/ingest/{externalId}/runs',
    { params: { path: { externalId }, query: { limit: STRIP_RUNS } } },
    { enabled: latestRun !== null },
  )
  // The list is polled more often than the runs of each row, so its last run is newer.
  const known = (runs.data ?? []).filter(
    (run) => run !== null && run.ingestionRunId !== latestRun?.ingestionRunId,
  )
  const shown = [latestRun, ...known]
    .slice(0, STRIP_RUNS)
    .flatMap((run) => (run === null ? [] : [run]))
  if (shown.length === 0) return <span className="text-faint">–</span>
  return (
    <StatusStrip
      label={`Last runs of ${name}`}
      items={shown.toReversed().map((run) => ({
        key: run.ingestionRunId,
        href: paths.run(externalId, run.ingestionRunId),
        tone: toneOfRun(run),
        title: runSummary(run),
      }))}
    />
  )
}

function NextRun({ integration }: { integration: ListedIntegration }) {
  const { externalId, scheduleExpression, enabled, timeZone } = integration
  const form = api.useQuery(
    'get',
    '/ui/integrations/{externalId}',
    { params: { path: { externalId } } },
    { enabled: enabled && scheduleExpression !== null },
  )
  if (scheduleExpression === null) return <span className="text-muted">Manual</span>
  if (!enabled) return <Status tone="off">Schedule off</Status>
  if (form.data === undefined) return <span className="text-faint">…</span>
  const { pausedBecause, nextTimes } = form.data
  if (pausedBecause !== null) {
    return (
      <>
        <Status tone="caution">Paused</Status>
        <span className="user-text mt-0.5 line-clamp-2 text-sm text-muted">{pausedBecause}</span>
      </>
    )
  }
  return (
    <>
      <Time at={nextTimes[0]} />
      <span className="text-sm text-muted max-sm:ml-2 sm:block">{timeZone}</span>
    </>
  )
}
