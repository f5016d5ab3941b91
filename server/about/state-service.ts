import { DELIVERY_CHANNELS } from '../delivery/deliveries/delivery.ts'
import { readTime, type Clock } from '../platform/kit/clock.ts'
import type { Log } from '../platform/kit/log.ts'
import { BACKUP, JOBS } from '../platform/processes/jobs.ts'
import type { Database } from '../platform/tables.ts'
import type { InstallationState, JobState, StateReader } from './installation-state.ts'
import { LIMITS } from './limits.ts'
import * as store from './state-store.ts'

/** The services that read the state of the installation. */
interface StateServices {
  db: Database
  clock: Clock
  log: Log
}

/** The times of a reader; tests use other ones. */
interface StateTiming {
  periodMs: number
  /** The age from which on a state is not returned. */
  ageMsMax: number
}

const PERIOD_MS = 15_000
const AGE_MS_MAX = LIMITS.stateAge.max * 1000

/** Reads the state of the installation. It needs a few milliseconds. Errors: StoreUnavailable. */
export async function readInstallationState(
  db: Database,
  clock: Clock,
): Promise<InstallationState> {
  return {
    readAt: await readTime(db, clock),
    followers: await store.listFollowerStates(db, clock),
    deliveries: await store.listChannelStates(db, clock, DELIVERY_CHANNELS),
    runs: await store.findRunsState(db, clock),
    activity: await store.findActivityState(db, clock),
    processes: await store.listProcessCounts(db, clock),
    jobs: await listJobStates(db),
    tables: await store.listTableSizes(db),
  }
}

const LATE_MS: ReadonlyMap<string, number> = new Map(
  [...JOBS, BACKUP].map(({ name, lateMs }) => [name, lateMs]),
)

// Jobs of other versions are theirs to judge.
async function listJobStates(db: Database): Promise<JobState[]> {
  const jobs = await store.listJobs(db)
  return jobs.flatMap((one) => {
    const lateMs = LATE_MS.get(one.job)
    return lateMs === undefined ? [] : [{ ...one, lateAfterSeconds: lateMs / 1000 }]
  })
}

/**
 * Starts a reader. Every working process has one. It reads on while the database accepts no writes; that it fails is
 * logged once, and when it succeeds again.
 */
export function startStateReader(
  { db, clock, log }: StateServices,
  { periodMs, ageMsMax }: StateTiming = { periodMs: PERIOD_MS, ageMsMax: AGE_MS_MAX },
): StateReader {
  let latest: { state: InstallationState; readAtMs: number } | undefined
  let isFailing = false
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    try {
      latest = { state: await readInstallationState(db, clock), readAtMs: performance.now() }
      if (isFailing) log.info('the state of the installation is read again')
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'the state of the installation cannot be read')
      isFailing = true
    }
  }

  const look = (): void => {
    reading ??= read().finally(() => {
      reading = undefined
    })
  }
  const timer = setInterval(look, periodMs)
  look()
  return {
    find() {
      const isCurrent = latest !== undefined && performance.now() - latest.readAtMs <= ageMsMax
      return isCurrent ? latest?.state : undefined
    },
    getReadSeconds: () =>
      latest === undefined ? 0 : (performance.timeOrigin + latest.readAtMs) / 1000,
    async stop() {
      clearInterval(timer)
      await reading
    },
  }
}
