import type { Schemas } from '../../api/client.ts'
import { capitalize } from '../../parts/capitalize.ts'
import { Empty } from '../../parts/notice.tsx'
import { bytesText, countText, numberText } from '../../parts/number-text.ts'
import { Facts, Panel } from '../../parts/page.tsx'
import { Status, Tag, type Tone } from '../../parts/status.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { durationText, Time } from '../../parts/time.tsx'
import { describeSeconds, describeState, describeValue, SIGNAL_WORDS } from './health-words.ts'

type Health = Schemas['Health']
type Process = Health['processes'][number]
type Job = Health['jobs'][number]
type Signal = Schemas['HealthSignal']

const ROLES: Readonly<Record<Process['role'], string>> = {
  both: 'Serves and works',
  serving: 'Serves only',
  working: 'Works only',
}

const PROCESS_STATES: Readonly<Record<Process['state'], { tone: Tone; word: string }>> = {
  running: { tone: 'positive', word: 'Running' },
  paused: { tone: 'caution', word: 'Paused' },
  stopping: { tone: 'off', word: 'Stopping' },
  gone: { tone: 'off', word: 'Gone' },
  unknown: { tone: 'neutral', word: 'Unknown' },
}

function getProcessColumns(health: Health): Column<Process>[] {
  const versions = new Set(health.processes.map(({ version }) => version))
  return [
    {
      title: 'Process',
      cell: ({ id, host, isThis }) => (
        <span className="inline-flex flex-wrap items-center gap-2">
          <span className="user-text">{host ?? id.slice(0, 8)}</span>
          {isThis && <Tag>answered this page</Tag>}
        </span>
      ),
    },
    { title: 'Role', cell: ({ role }) => ROLES[role] },
    {
      title: 'Version',
      cell: ({ version }) =>
        versions.size > 1 && version !== health.version ? (
          <Status tone="caution">{`${version}, not ${health.version}`}</Status>
        ) : (
          version
        ),
    },
    { title: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> },
    { title: 'Last beat', cell: ({ beatAt }) => <Time at={beatAt} /> },
    {
      title: 'State',
      cell: ({ state }) => (
        <Status tone={PROCESS_STATES[state].tone}>{PROCESS_STATES[state].word}</Status>
      ),
    },
  ]
}

/** The processes of the installation, with their versions and their last beats. */
export function ProcessesPanel({ health }: { health: Health }) {
  return (
    <Panel title="Processes" marks={numberText(health.processes.length)} flush>
      {health.processes.length === 0 ? (
        <Empty title="No process has recorded itself">
          Each process does it within five seconds, unless the database accepts no writes.
        </Empty>
      ) : (
        <Table
          label="Processes"
          columns={getProcessColumns(health)}
          rows={health.processes}
          getKey={({ id }) => id}
        />
      )}
    </Panel>
  )
}

const WORK: readonly Signal['name'][] = ['followerLag', 'deliveryAge', 'runWait', 'activityAge']
const KINDS: Partial<Record<Signal['name'], string>> = {
  followerLag: 'Event feed',
  deliveryAge: 'Deliveries',
}

function getWorkColumns(health: Health): Column<Signal>[] {
  return [
    {
      title: 'Work',
      cell: ({ name, subject }) => (
        <span>
          {KINDS[name] !== undefined && <span className="text-muted">{KINDS[name]}: </span>}
          {SIGNAL_WORDS[name].title(subject ?? '')}
        </span>
      ),
    },
    { title: 'Waiting', cell: (signal) => countWaiting(health, signal) },
    {
      title: 'Oldest',
      align: 'right',
      cell: ({ value, unit }) =>
        value === null ? 'Not visible' : value < 1 ? 'None' : describeValue(value, unit),
    },
    { title: 'Limit', align: 'right', cell: ({ limit, unit }) => describeValue(limit, unit) },
    { title: 'State', cell: ({ state }) => <StateMark state={state} /> },
  ]
}

/** The work that waits, for how long, and how long it may. */
export function WorkPanel({ health }: { health: Health }) {
  const rows = WORK.flatMap((name) => health.signals.filter((signal) => signal.name === name))
  return (
    <Panel title="Background work" flush>
      <Table
        label="Background work"
        columns={getWorkColumns(health)}
        rows={rows}
        getKey={({ name, subject }) => `${name} ${subject ?? ''}`}
      />
      {health.hasSeveralOrganizations && (
        <p className="border-t border-line px-4 py-2.5 text-sm text-muted">
          With several organizations, numbers that would show what others do are only visible to
          operators, in the metrics.
        </p>
      )}
    </Panel>
  )
}

function countWaiting({ deliveries, runs }: Health, { name, subject }: Signal): string {
  if (name === 'deliveryAge') {
    const channel = deliveries?.find((one) => one.channel === subject)
    return channel === undefined ? '–' : numberText(channel.waiting)
  }
  if (name !== 'runWait' || runs === null) return '–'
  const { waiting, running, postponed } = runs
  const later = postponed === 0 ? '' : `, ${numberText(postponed)} repeated later`
  return `${numberText(waiting)}, ${numberText(running)} running${later}`
}

const JOB_COLUMNS: readonly Column<Job>[] = [
  {
    title: 'Job',
    cell: ({ title, failedAt, failureCode }) => (
      <span className="grid gap-0.5">
        {capitalize(title)}
        {failedAt !== null && (
          <span className="text-sm text-critical">
            Failed <Time at={failedAt} />: <code>{failureCode}</code>
          </span>
        )}
      </span>
    ),
  },
  {
    title: 'Every',
    align: 'right',
    cell: ({ periodSeconds }) => describeSeconds(periodSeconds),
  },
  {
    title: 'Last success',
    cell: ({ succeededAt, durationMs }) =>
      succeededAt === null ? (
        <span className="text-muted">Not yet</span>
      ) : (
        <span>
          <Time at={succeededAt} />
          {durationMs !== null && (
            <span className="text-muted"> in {durationText(durationMs)}</span>
          )}
        </span>
      ),
  },
  {
    title: 'Late after',
    align: 'right',
    cell: ({ lateSeconds }) => describeSeconds(lateSeconds),
  },
  { title: 'State', cell: ({ state }) => <StateMark state={state} /> },
]

/** The jobs of the upkeep, each done by one process. */
export function JobsPanel({ jobs }: { jobs: readonly Job[] }) {
  return (
    <Panel title="Jobs" marks={numberText(jobs.length)} flush>
      <Table label="Jobs" columns={JOB_COLUMNS} rows={jobs} getKey={({ name }) => name} />
    </Panel>
  )
}

function StateMark({ state }: { state: Signal['state'] }) {
  const { tone, word } = describeState(state)
  return <Status tone={tone}>{word}</Status>
}

/** The database: whether it accepts writes, and how full it is. */
export function DatabasePanel({ health }: { health: Health }) {
  const { version, sizeBytes, isWritable, connections } = health.database
  return (
    <Panel title="Database">
      <Facts
        facts={[
          [
            'State',
            isWritable ? (
              <Status key="state" tone="positive">
                Readable and writable
              </Status>
            ) : (
              <Status key="state" tone="critical">
                Readable, not writable
              </Status>
            ),
          ],
          ['Server', `PostgreSQL ${version}`],
          ['Size', sizeBytes === null ? null : bytesText(sizeBytes)],
          [
            'Connections',
            `${numberText(connections.count)} of ${numberText(connections.max)}, by all programs`,
          ],
          [
            'Last backup',
            health.backupAt === null ? (
              <span key="backup" className="text-muted">
                The command <code>backup</code> was not used yet
              </span>
            ) : (
              <Time key="backup" at={health.backupAt} />
            ),
          ],
        ]}
      />
    </Panel>
  )
}

/** The version and the configuration of the installation. */
export function InstallationPanel({ health }: { health: Health }) {
  const { version, hasMail, encryptionKeyFrom, waitingRequests } = health
  return (
    <Panel title="Installation">
      <Facts
        facts={[
          ['Portbook', version],
          ['License', 'Apache-2.0'],
          ['E-mail', hasMail ? 'A mail server is configured' : 'Off: no mail server is configured'],
          [
            'Encryption key',
            encryptionKeyFrom === 'setting'
              ? 'From PORTBOOK_ENCRYPTION_KEY'
              : 'From a file in the data directory',
          ],
          ['Requests', `${countText(waitingRequests, 'request')} waiting in this process`],
        ]}
      />
    </Panel>
  )
}

/** The largest tables, as bars. */
export function TablesPanel({ tables }: { tables: Health['tables'] }) {
  if (tables === null) return null
  const largest = Math.max(1, ...tables.map(({ bytes }) => bytes))
  return (
    <Panel title="Largest tables">
      <ul className="grid gap-2.5">
        {tables.map(({ table, bytes }) => (
          <li key={table} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1">
            <code className="user-text">{table}</code>
            <span className="figures text-muted">{bytesText(bytes)}</span>
            <span aria-hidden className="col-span-2 h-1 rounded bg-sunken">
              <span
                className="block h-full rounded bg-accent"
                style={{ width: `${Math.max(1, (bytes / largest) * 100)}%` }}
              />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
