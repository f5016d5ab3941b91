import { Layers } from 'lucide-react'
import { api, type Answer } from '../../api/client.ts'
import { Combobox } from '../../parts/combobox.tsx'
import { toChoices } from '../../parts/choices.ts'
import { QueryPanel } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Status, type Tone } from '../../parts/status.tsx'
import { countText, numberText } from '../../parts/number-text.ts'
import { VirtualRows } from '../../parts/virtual-rows.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { getPollInterval, type RunName } from './use-run.ts'

type Scope = Answer<'/ui/integrations/{externalId}/runs/{ingestionRunId}/scopes', 'get'>[number]

const STATES: readonly { state: string; title: string; tone: Tone }[] = [
  { state: 'complete', title: 'Complete', tone: 'positive' },
  { state: 'pending', title: 'Not read yet', tone: 'draft' },
  { state: 'denied', title: 'Access denied', tone: 'critical' },
  { state: 'failed', title: 'Failed', tone: 'critical' },
  { state: 'missing', title: 'No longer listed', tone: 'caution' },
  { state: 'skipped', title: 'Excluded', tone: 'off' },
]

const USUAL = { state: '' }

/** The state of each database, schema or namespace in a run. */
export function ScopesView({ name, isRunning }: { name: RunName; isRunning: boolean }) {
  const { externalId, ingestionRunId } = name
  const scopes = api.useQuery(
    'get',
    '/ui/integrations/{externalId}/runs/{ingestionRunId}/scopes',
    { params: { path: { externalId, ingestionRunId } } },
    { refetchInterval: getPollInterval(isRunning), staleTime: 0 },
  )
  const [{ state }, setUrl] = useUrlState(USUAL)
  const shown = scopes.data?.filter((scope) => state === '' || scope.state === state) ?? []
  return (
    <QueryPanel
      title="Scopes"
      marks={scopes.data === undefined ? undefined : numberText(scopes.data.length)}
      flush
      actions={
        <Combobox
          aria-label="Filter scopes by state"
          className="w-40"
          value={state}
          choices={toChoices(
            STATES.map((one) => [one.state, one.title]),
            'All states',
          )}
          onChange={(next) => setUrl({ state: next }, { replace: true })}
        />
      }
      query={scopes}
      empty={<NoScopes isFiltered={scopes.data?.length !== 0} isRunning={isRunning} />}
      isEmpty={() => shown.length === 0}
    >
      {() => (
        <VirtualRows
          label="Scopes"
          rows={shown}
          getKey={(scope) => JSON.stringify([scope.kind, scope.scope])}
          rowHeight={40}
          className="max-h-[32rem]"
        >
          {(scope) => <ScopeRow scope={scope} />}
        </VirtualRows>
      )}
    </QueryPanel>
  )
}

function NoScopes({ isFiltered, isRunning }: { isFiltered: boolean; isRunning: boolean }) {
  if (isFiltered) return <Empty title="No matching scopes">Choose another state.</Empty>
  return (
    <Empty icon={Layers} title="No scopes">
      {isRunning
        ? 'Databases, schemas or namespaces appear here once the source is listed.'
        : 'The source was not listed: the run failed early, or it is a correction.'}
    </Empty>
  )
}

function ScopeRow({ scope }: { scope: Scope }) {
  const look = STATES.find(({ state }) => state === scope.state)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-0.5 border-b border-line px-4 py-2">
      <span className="user-text min-w-0 max-sm:basis-full sm:flex-1">
        {scope.scope.join('.')} <span className="text-xs text-faint">{scope.kind}</span>
      </span>
      <span className="figures text-muted">{countText(scope.objects, 'object')}</span>
      <span className="max-sm:ml-auto sm:w-28">
        <Status tone={look?.tone ?? 'neutral'}>{look?.title ?? scope.state}</Status>
      </span>
      {scope.message !== null && (
        <span className="user-text w-full text-sm text-muted">{scope.message}</span>
      )}
    </div>
  )
}
