import { api } from '../../api/client.ts'
import { useTeams } from '../../api/teams.ts'
import { Link } from '../../parts/link.tsx'
import { PlatformMark } from '../../parts/platform-mark.tsx'
import { describeOutcome, runSummary, toneOfRun } from '../../parts/run-words.ts'
import { StatusStrip } from '../../parts/status-strip.tsx'
import { RunStatus, Status } from '../../parts/status.tsx'
import { numberText } from '../../parts/number-text.ts'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { useSeen, type ListedIntegration } from './use-integrations.ts'

const STRIP_RUNS = 8

interface RowProps {
  integration: ListedIntegration
  /** The title of its platform. */
  platform: string
  /** Undefined = still loading. */
  assetCount: number | undefined
}

/** An integration with its last runs, its next run, its assets and its owner. */
export function IntegrationRow({ integration, platform, assetCount }: RowProps) {
  const { externalId, name, latestRun, owningTeamExternalId: owner } = integration
  const [place, isSeen] = useSeen()
  return (
    <tr
      ref={place}
      className="border-b border-line last:border-0 hover:bg-hover/60 max-md:grid max-md:gap-2 max-md:px-4 max-md:py-3"
    >
      <th
        scope="row"
        className="max-w-64 min-w-40 align-top font-normal max-md:max-w-none md:px-4 md:py-2.5"
      >
        <Link
          href={paths.integration(externalId)}
          className="user-text line-clamp-2 min-h-6 font-medium"
        >
          {name}
        </Link>
        <span className="user-text mt-0.5 flex items-center gap-1.5 text-sm text-muted">
          <PlatformMark source={integration.source} size={16} />
          {platform}
        </span>
      </th>
      <td className="align-top md:px-4 md:py-2.5">
        <Strip integration={integration} isSeen={isSeen} />
      </td>
      <td className="min-w-52 align-top md:px-4 md:py-2.5">
        <LatestRun run={latestRun} />
      </td>
      <td className="min-w-36 align-top md:px-4 md:py-2.5">
        <NextRun integration={integration} isSeen={isSeen} />
      </td>
      <td className="align-top md:px-4 md:py-2.5 md:text-right">
        {assetCount === undefined ? (
          <span className="text-faint">…</span>
        ) : (
          <Link href={paths.assets({ integration: externalId })}>
            {numberText(assetCount)}
            <span className="md:sr-only"> assets</span>
          </Link>
        )}
      </td>
      <td className="max-w-48 align-top md:px-4 md:py-2.5">
        <Owner id={owner} />
      </td>
    </tr>
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
    return (
      <span className="text-muted">
        <span className="md:sr-only">Owned by </span>Organization
      </span>
    )
  }
  return (
    <Link href={paths.team(id)} className="user-text line-clamp-2">
      <span className="md:sr-only">Owned by </span>
      {name ?? id}
    </Link>
  )
}

interface SeenProps {
  integration: ListedIntegration
  /** The row has been visible, so its details are loaded. */
  isSeen: boolean
}

function Strip({ integration, isSeen }: SeenProps) {
  const { externalId, name, latestRun } = integration
  const runs = api.useQuery(
    'get',
    '/api/integrations/ingest/{externalId}/runs',
    { params: { path: { externalId }, query: { limit: STRIP_RUNS } } },
    { enabled: isSeen && latestRun !== null },
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

function NextRun({ integration, isSeen }: SeenProps) {
  const { externalId, scheduleExpression, enabled, timeZone } = integration
  const form = api.useQuery(
    'get',
    '/ui/integrations/{externalId}',
    { params: { path: { externalId } } },
    { enabled: isSeen && enabled && scheduleExpression !== null },
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
      <span className="md:sr-only">Next run </span>
      <Time at={nextTimes[0]} />
      <span className="text-sm text-muted max-md:ml-2 md:block">{timeZone}</span>
    </>
  )
}
