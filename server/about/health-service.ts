import type { Services } from '../requests/http/endpoint.ts'
import { BACKUP, JOBS, type Job } from '../platform/processes/jobs.ts'
import { VERSION } from '../platform/version.ts'
import type { Health, HealthJob, HealthProcess, HealthSignal, SignalState } from './health.ts'
import type { InstallationState } from './installation-state.ts'
import { LIMITS } from './limits.ts'
import * as processes from './process-store.ts'
import type { JobRow, ProcessRow } from './process-store.ts'
import { measureSize } from './service.ts'
import { readInstallationState } from './state-service.ts'
import * as store from './store.ts'

const TABLES_MAX = 10

/** The worst state comes last. */
const STATES: readonly SignalState[] = ['ok', 'unknown', 'warning', 'critical']

type HealthServices = Pick<
  Services,
  'db' | 'clock' | 'guard' | 'installation' | 'lanes' | 'mailing'
>

/** Reads and judges the health of the installation. Errors: store_unavailable. */
export async function describeHealth(services: HealthServices): Promise<Health> {
  const { db, clock, guard, installation, lanes, mailing } = services
  const isWritable = (await guard.findObstacle(db)) === undefined && guard.isWritable()
  const state = await readInstallationState(db, clock)
  const present = (await processes.listProcesses(db, clock)).map((row) =>
    toProcess(row, isWritable, installation.findProcessId()),
  )
  const rows = await processes.listJobResults(db, clock)
  const hasMail = mailing !== undefined
  const jobs = toJobs(rows, { hasMail, isWritable })
  const backup = rows.find(({ name }) => name === BACKUP.name)
  const signals = [
    judge('writable', LIMITS.writable, isWritable ? 1 : 0),
    ...judgeProcesses(present, isWritable),
    ...judgeWork(state),
    ...jobs.map((job) => judgeJob(job, rows)),
    ...(backup?.succeededAt == null ? [] : [judgeBackup(backup.ageSeconds)]),
  ]
  const answer: Health = {
    state: findWorst(signals),
    readAt: state.readAt,
    hasSeveralOrganizations: !(await store.hasOneOrganization(db)),
    signals,
    database: {
      version: await store.findStoreVersion(db),
      sizeBytes: await measureSize(db),
      isWritable,
      connections: await processes.countServerConnections(db),
    },
    processes: present,
    deliveries: state.deliveries.map(({ channel, waitingCount }) => ({
      channel,
      waiting: waitingCount,
    })),
    runs: {
      waiting: state.runs.waitingCount,
      postponed: state.runs.postponedCount,
      running: state.runs.runningCount,
    },
    jobs,
    backupAt: backup?.succeededAt ?? null,
    tables: state.tables.slice(0, TABLES_MAX).map(({ table, bytes }) => ({ table, bytes })),
    waitingRequests: lanes.countWaiting(),
    hasMail,
    encryptionKeyFrom: installation.encryptionKeyFrom,
    version: VERSION,
  }
  return answer.hasSeveralOrganizations ? hideOthers(answer) : answer
}

// What is counted over all organizations would show the owners of one what others do. They see the states only.
function hideOthers(health: Health): Health {
  return {
    ...health,
    signals: health.signals.map((signal) =>
      COUNTED.has(signal.name) ? { ...signal, value: null } : signal,
    ),
    database: { ...health.database, sizeBytes: null },
    processes: health.processes.map((one) => ({ ...one, host: null })),
    deliveries: null,
    runs: null,
    tables: null,
    waitingRequests: 0,
  }
}

const COUNTED: ReadonlySet<HealthSignal['name']> = new Set([
  'followerLag',
  'deliveryAge',
  'runWait',
  'activityAge',
])

// While the database accepts no writes, no process can send a beat.
function toProcess(
  { isGone, ...row }: ProcessRow,
  isWritable: boolean,
  ownId: string | undefined,
): HealthProcess {
  const state = isGone ? (isWritable ? 'gone' : 'unknown') : row.state
  return { ...row, state, isThis: row.id === ownId }
}

function judgeProcesses(all: readonly HealthProcess[], isWritable: boolean): HealthSignal[] {
  const present = all.filter(({ state }) => state !== 'gone')
  const working = present.filter(({ role, state }) => role !== 'serving' && state !== 'stopping')
  const versions = new Set(present.map(({ version }) => version))
  const count = judge('workingProcesses', LIMITS.workingProcesses, working.length)
  return [
    isWritable ? count : { ...count, state: 'unknown' },
    judge('versions', LIMITS.versions, versions.size),
  ]
}

function judgeWork({ followers, deliveries, runs, activity }: InstallationState): HealthSignal[] {
  return [
    ...followers.map(({ follower, lagSeconds }) =>
      judge('followerLag', LIMITS.followerLag, lagSeconds, follower),
    ),
    ...deliveries.map(({ channel, oldestSeconds }) =>
      judge('deliveryAge', LIMITS.deliveryAge, oldestSeconds, channel),
    ),
    judge('runWait', LIMITS.runWait, runs.oldestWaitingSeconds),
    judge('activityAge', LIMITS.activityAge, activity.unsealedSeconds),
  ]
}

function toJobs(
  rows: readonly JobRow[],
  { hasMail, isWritable }: { hasMail: boolean; isWritable: boolean },
): HealthJob[] {
  return JOBS.flatMap(({ name, title, periodMs, lateMs, needs }: Job) => {
    const row = rows.find((one) => one.name === name)
    if (needs === 'mail' && !hasMail) return []
    const isLate = row !== undefined && row.ageSeconds * 1000 > lateMs
    const judged = isLate ? LIMITS.jobAge.severity : 'ok'
    return {
      name,
      title,
      // Without a row, no process has ever done the upkeep: that is the problem to report.
      state: row === undefined || !isWritable ? 'unknown' : judged,
      periodSeconds: periodMs / 1000,
      lateSeconds: lateMs / 1000,
      succeededAt: row?.succeededAt ?? null,
      failedAt: row?.failedAt ?? null,
      failureCode: row?.failureCode ?? null,
      durationMs: row?.durationMs ?? null,
    }
  })
}

function judgeJob({ name, state, lateSeconds }: HealthJob, rows: readonly JobRow[]): HealthSignal {
  const value = rows.find((row) => row.name === name)?.ageSeconds ?? null
  const { alert } = LIMITS.jobAge
  return { name: 'jobAge', subject: name, state, value, limit: lateSeconds, unit: 'seconds', alert }
}

function judgeBackup(ageSeconds: number): HealthSignal {
  const limit = BACKUP.lateMs / 1000
  const state = ageSeconds > limit ? 'warning' : 'ok'
  const rest = { value: ageSeconds, limit, unit: 'seconds', alert: null } as const
  return { name: 'backupAge', subject: null, state, ...rest }
}

type Limit = (typeof LIMITS)[
  | 'writable'
  | 'workingProcesses'
  | 'versions'
  | 'followerLag'
  | 'deliveryAge'
  | 'runWait'
  | 'activityAge']

function judge(
  name: HealthSignal['name'],
  limit: Limit,
  value: number,
  subject: string | null = null,
): HealthSignal {
  const isProblem = 'max' in limit ? value > limit.max : value < limit.min
  return {
    name,
    subject,
    state: isProblem ? limit.severity : 'ok',
    value,
    limit: 'max' in limit ? limit.max : limit.min,
    unit: limit.unit,
    alert: limit.alert,
  }
}

function findWorst(signals: readonly HealthSignal[]): SignalState {
  const rank = Math.max(...signals.map(({ state }) => STATES.indexOf(state)))
  return STATES[rank] ?? 'ok'
}
