import { GitCompareArrows, Minus, PenLine, Plus, RotateCcw } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { api } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import type { Run } from '../../api/runs.ts'
import { toChoices } from '../../parts/choices.ts'
import { classNames } from '../../parts/class-names.ts'
import { Combobox } from '../../parts/combobox.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty, ProblemNotice, Skeleton } from '../../parts/notice.tsx'
import { countText, numberText } from '../../parts/number-text.ts'
import { Panel } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { VirtualRows } from '../../parts/virtual-rows.tsx'
import { paths } from '../../paths.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { sortByPath, type RunChange, getPath } from './change-order.ts'
import type { RunName } from './use-run.ts'

const PAGE_ROWS = 1000
const FILLED_ROWS = 200

const ACTIONS = [
  ['created', 'Created'],
  ['updated', 'Updated'],
  ['deleted', 'Deleted'],
  ['revived', 'Restored'],
  ['held', 'Held deletes'],
] as const

const USUAL = { action: '' }

/** The change set of a run, loaded page by page while one scrolls. */
export function ChangesView({ name, run }: { name: RunName; run: Run }) {
  const [{ action }, setUrl] = useUrlState(USUAL)
  const changes = useChanges(name, run, action)
  const { rows, seenCount } = changes
  return (
    <Panel
      title={run.kind === 'preview' ? 'Planned changes' : 'Changes'}
      marks={numberText(run.assetsCreated + run.assetsUpdated + run.assetsDeleted + run.assetsHeld)}
      flush
      actions={
        <Combobox
          aria-label="Filter changes"
          className="w-40"
          value={action}
          choices={toChoices(ACTIONS, 'All changes')}
          onChange={(next) => setUrl({ action: next }, { replace: true })}
        />
      }
    >
      {changes.problem !== undefined && (
        <div className="p-4">
          <ProblemNotice problem={changes.problem} onRetry={changes.retry} />
        </div>
      )}
      {rows.length > 0 && (
        <VirtualRows
          label="Changes of assets"
          rows={rows}
          getKey={({ assetId }) => assetId}
          rowHeight={44}
          className="max-h-[36rem]"
          onNearEnd={changes.more}
        >
          {(change) => <ChangeRow change={change} isPreview={run.kind === 'preview'} />}
        </VirtualRows>
      )}
      {changes.isLoading && rows.length === 0 && <Skeleton lines={5} label="Loading the changes" />}
      {changes.isLoading && seenCount > 0 && (
        <p role="status" className="border-t border-line px-4 py-2 text-sm text-muted">
          {countText(seenCount, 'change')} searched so far
        </p>
      )}
      {!changes.isLoading && changes.problem === undefined && rows.length === 0 && (
        <NoChanges run={run} isFiltered={seenCount > 0} />
      )}
    </Panel>
  )
}

function NoChanges({ run, isFiltered }: { run: Run; isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No matching changes">Choose another filter.</Empty>
  const isRunning = run.status === 'RUNNING'
  const title = isRunning ? 'Nothing is published yet' : 'Nothing changed'
  return (
    <Empty icon={GitCompareArrows} title={title}>
      {isRunning
        ? 'A run publishes all its changes at the end, or none. They are listed here then.'
        : run.status === 'SUCCESS'
          ? 'The catalog already matched the source.'
          : 'Only a successful run publishes changes.'}
    </Empty>
  )
}

/** The loaded changes, filtered and sorted by path, and a way to load more. */
function useChanges({ externalId, ingestionRunId }: RunName, { status }: Run, action: string) {
  const isRunning = status === 'RUNNING'
  const pages = api.useInfiniteQuery(
    'get',
    '/ui/integrations/{externalId}/runs/{ingestionRunId}/changes',
    { params: { path: { externalId, ingestionRunId }, query: { limit: String(PAGE_ROWS) } } },
    {
      pageParamName: 'after',
      initialPageParam: '',
      getNextPageParam: (page) => (page.length < PAGE_ROWS ? undefined : page.at(-1)?.assetId),
      // The change set of a finished run is final.
      staleTime: Number.POSITIVE_INFINITY,
      enabled: !isRunning,
    },
  )
  const seen = useMemo(() => pages.data?.pages.flatMap(sortByPath) ?? [], [pages.data])
  const rows = action === '' ? seen : seen.filter((change) => hasAction(change, action))
  const { hasNextPage, isFetching, isError, fetchNextPage } = pages
  const mayLoad = hasNextPage && !isFetching && !isError
  const isUnfilled = rows.length < FILLED_ROWS
  useEffect(() => {
    if (mayLoad && isUnfilled) void fetchNextPage()
  }, [mayLoad, isUnfilled, fetchNextPage])
  return {
    rows,
    seenCount: seen.length,
    isLoading: isFetching,
    problem: pages.error === null ? undefined : toProblem(pages.error),
    retry: () => void pages.refetch(),
    more: mayLoad ? () => void fetchNextPage() : undefined,
  }
}

function hasAction(change: RunChange, action: string): boolean {
  if (action === 'held') return change.heldBecause !== null
  return change.heldBecause === null && change.action === action
}

const LOOKS = {
  created: { icon: Plus, title: 'Created', wish: 'Create', colour: 'text-positive' },
  updated: { icon: PenLine, title: 'Updated', wish: 'Update', colour: 'text-accent' },
  deleted: { icon: Minus, title: 'Deleted', wish: 'Delete', colour: 'text-critical' },
  revived: { icon: RotateCcw, title: 'Restored', wish: 'Restore', colour: 'text-positive' },
} as const

const HELD = {
  brake: 'Held: too many deletes',
  filter: 'Held: excluded by the settings',
  unproven: 'Held: may only be hidden',
} as const

/** A change of one asset, with its versions. */
function ChangeRow({ change, isPreview }: { change: RunChange; isPreview: boolean }) {
  const { assetId, action, heldBecause, pathBefore, pathAfter, versionBefore, versionAfter } =
    change
  const { icon: Icon, title, wish, colour } = LOOKS[action]
  const isDone = !isPreview && heldBecause === null
  const path = getPath(change)
  const before = pathBefore?.join('.')
  const isRenamed = before !== undefined && pathAfter !== null && before !== path
  // A preview creates nothing.
  const exists = !(isPreview && action === 'created')
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line px-4 py-2">
      <span className={classNames('flex w-24 shrink-0 items-center gap-1.5 text-sm', colour)}>
        <Icon size={14} aria-hidden />
        {isDone ? title : wish}
      </span>
      <span className="user-text min-w-0 max-sm:order-last max-sm:basis-full sm:flex-1">
        {exists ? <Link href={paths.asset(assetId)}>{path}</Link> : path}
        {isRenamed && <span className="block text-sm text-muted">was {before}</span>}
      </span>
      {heldBecause !== null && <Status tone="caution">{HELD[heldBecause]}</Status>}
      <span
        className={classNames(
          'figures text-sm text-muted max-sm:ml-auto',
          // A held delete changes no version, and narrow screens only have space for one of them.
          heldBecause !== null && 'max-sm:hidden',
        )}
      >
        {versionWords(versionBefore, versionAfter)}
      </span>
    </div>
  )
}

function versionWords(before: number | null, after: number | null): string {
  if (before === null) return after === null ? '' : `version ${after}`
  return after === null ? `version ${before}` : `version ${before} → ${after}`
}
