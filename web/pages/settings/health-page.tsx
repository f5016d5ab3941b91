import { api, type Schemas } from '../../api/client.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { NewTabLink } from '../../parts/link.tsx'
import { Notice, Skeleton } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { ReadersOnly } from '../../shell/right-readers.tsx'
import {
  DatabasePanel,
  InstallationPanel,
  JobsPanel,
  ProcessesPanel,
  TablesPanel,
  WorkPanel,
} from './health-panels.tsx'
import {
  describeState,
  describeValue,
  getGuideHref,
  listProblems,
  SIGNAL_WORDS,
} from './health-words.ts'
import { SettingsFrame } from './settings-frame.tsx'

type Health = Schemas['Health']

const REFETCH_MS = 15_000

/** Whether the installation works, and what to do if it does not. */
export function HealthPage() {
  return (
    <SettingsFrame at={paths.health}>
      <ReadersOnly things="the health of the installation">{() => <CurrentHealth />}</ReadersOnly>
    </SettingsFrame>
  )
}

function CurrentHealth() {
  const query = api.useQuery('get', '/ui/health', {}, { refetchInterval: REFETCH_MS })
  return (
    <Loaded query={query} skeleton={<HealthSkeleton />}>
      {(health) => (
        <>
          <Summary health={health} />
          <ProcessesPanel health={health} />
          <WorkPanel health={health} />
          <JobsPanel jobs={health.jobs} />
          <div className="grid items-start gap-5 lg:grid-cols-2">
            <div className="grid min-w-0 gap-5">
              <DatabasePanel health={health} />
              <InstallationPanel health={health} />
            </div>
            <TablesPanel tables={health.tables} />
          </div>
        </>
      )}
    </Loaded>
  )
}

function HealthSkeleton() {
  return (
    <>
      <Skeleton lines={1} label="Loading the health" />
      {['Processes', 'Background work', 'Database'].map((title) => (
        <Panel key={title} title={title}>
          <Skeleton lines={4} isFlush />
        </Panel>
      ))}
    </>
  )
}

const CALM: Readonly<Record<'ok' | 'unknown', { title: string; text: string }>> = {
  ok: { title: 'Everything works', text: 'All values are within their limits.' },
  unknown: {
    title: 'No problem found',
    text: 'Some values are unknown: a process that has just started does each job for the first time after its period.',
  },
}

// Its height changes only with its content, so that nothing moves when it is read again.
function Summary({ health }: { health: Health }) {
  const problems = listProblems(health.signals)
  const calm = CALM[health.state === 'unknown' ? 'unknown' : 'ok']
  const read = (
    <span className="text-sm text-muted">
      Read <Time at={health.readAt} />, again every 15 seconds
    </span>
  )
  return (
    <section aria-label="Summary" className="grid gap-3">
      <div role="status" className="grid gap-3">
        {problems.length === 0 ? (
          <Notice tone={describeState(health.state).tone} title={calm.title}>
            {calm.text}
          </Notice>
        ) : (
          problems.map((signal) => (
            <Problem
              key={`${signal.name} ${signal.subject ?? ''}`}
              signal={signal}
              health={health}
            />
          ))
        )}
      </div>
      {read}
    </section>
  )
}

function Problem({ signal, health }: { signal: Schemas['HealthSignal']; health: Health }) {
  const { name, value, limit, unit, state, alert } = signal
  const { problem, advice } = SIGNAL_WORDS[name]
  const job = health.jobs.find((one) => one.name === signal.subject)
  const subject = (name === 'jobAge' ? job?.title : signal.subject) ?? ''
  const href = getGuideHref(alert)
  return (
    <Notice
      tone={describeState(state).tone}
      title={problem(subject, describeValue(value, unit))}
      {...(href === undefined ? {} : { actions: <NewTabLink href={href}>What to do</NewTabLink> })}
    >
      {advice}
      {unit === 'seconds' && (
        <span className="text-muted"> The limit is {describeValue(limit, unit)}.</span>
      )}
    </Notice>
  )
}
