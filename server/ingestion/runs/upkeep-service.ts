import { randomUUIDv7 } from 'node:crypto'
import { sealActivity } from '../../ledger/activity/seal-service.ts'
import { purgeAssets } from '../../catalog/assets/removal-service.ts'
import { deleteExpiredDeliveries } from '../../delivery/deliveries/service.ts'
import { countReaders } from '../../documents/search/reader-service.ts'
import { listDueSchedules } from '../integrations/run-service.ts'
import { deleteExpiredEvents } from '../../reports/lineage-events/service.ts'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import { runIsolated } from '../../platform/kit/isolated-jobs.ts'
import type { Log } from '../../platform/kit/log.ts'
import { startJobs, type PeriodicJobs } from '../../platform/kit/periodic-jobs.ts'
import type { Signals } from '../../platform/kit/signals.ts'
import type { Tracer } from '../../platform/kit/tracing.ts'
import type { Database } from '../../platform/tables.ts'
import { expireUsage } from '../../reports/usage/service.ts'
import { reapRuns } from './claim-store.ts'
import { deleteOldLogLines, startDueRuns, type DueRun } from './schedule-store.ts'
import { nextTimes, readSchedule } from '../integrations/schedule.ts'
import { deleteAbandoned } from './staging-store.ts'
import { deleteExpiredResults } from '../../reports/test-results/service.ts'

/** The services for the upkeep of runs. */
export interface UpkeepServices {
  db: Database
  /** For long statements. */
  bulkDb: Database
  clock: Clock
  log: Log
  signals: Signals
  /** Whether the store accepts no writes, or has the schema of another version, whose processes are then responsible. */
  isPaused: () => boolean
  /** Undefined = no traces are recorded. */
  tracer?: Tracer | undefined
}

const SCHEDULE_MS = 5000
const REAP_MS = 10_000
const SEAL_MS = 60_000
const COUNT_READERS_MS = 30_000
const TIDY_MS = 60 * 60_000
const DUE_AT_ONCE = 100

/**
 * Starts due runs, closes those whose workers died, seals the activity, counts readers, and deletes expired data. Every
 * process does it, and one is enough.
 */
export function startUpkeep(services: UpkeepServices): PeriodicJobs {
  const jobs = [
    { name: 'starting scheduled runs', periodMs: SCHEDULE_MS, run: () => startDue(services) },
    { name: 'closing runs without a worker', periodMs: REAP_MS, run: () => reap(services) },
    { name: 'sealing the activity', periodMs: SEAL_MS, run: () => sealActivity(services) },
    { name: 'counting readers', periodMs: COUNT_READERS_MS, run: () => countReaders(services) },
    { name: 'deleting expired data', periodMs: TIDY_MS, run: () => tidy(services) },
  ]
  return startJobs(jobs, {
    log: services.log,
    isPaused: services.isPaused,
    tracer: services.tracer,
  })
}

/**
 * Starts the runs that are due and advances their schedules from now: missed runs are caught up
 * once.
 */
export async function startDue({ db, clock, log, signals }: UpkeepServices): Promise<DueRun[]> {
  const due = await listDueSchedules(db, clock, DUE_AT_ONCE)
  if (due.length === 0) return []
  const moves = due.map(({ organizationId, integrationId, expression, timeZone, dueAt, now }) => ({
    organizationId,
    integrationId,
    dueAt,
    nextDueAt: getNextTime(expression, timeZone, integrationId, now),
    runId: randomUUIDv7(),
  }))
  const runs = await startDueRuns(db, clock, moves)
  for (const { integrationId, runId } of runs) {
    if (runId === null)
      log.warn({ integrationId }, 'a scheduled run was skipped: one is in progress')
    else signals.send(runId)
  }
  return runs
}

// A schedule that can no longer be parsed is never due again; it was validated when it was stored.
function getNextTime(
  expression: string,
  timeZone: string,
  integrationId: string,
  now: Instant,
): Instant | undefined {
  const reading = readSchedule(expression, timeZone)
  return reading.ok ? nextTimes(reading.schedule, now, 1, integrationId)[0] : undefined
}

/** Closes runs that no worker will end. */
async function reap({ db, clock, log, signals }: UpkeepServices): Promise<void> {
  for (const run of await reapRuns(db, clock)) {
    log.warn(run, 'an ingestion run was closed on behalf of its worker')
    signals.send(run.runId)
  }
}

async function tidy({ bulkDb, clock, log }: UpkeepServices): Promise<void> {
  await runIsolated(log, [
    { what: 'deleting abandoned rows of runs', work: () => deleteAbandoned(bulkDb) },
    { what: 'deleting old log lines', work: () => deleteOldLogLines(bulkDb, clock) },
    { what: 'purging removed assets', work: () => purgeAssets(bulkDb, clock) },
    { what: 'deleting expired lineage events', work: () => deleteExpiredEvents(bulkDb, clock) },
    { what: 'deleting expired test results', work: () => deleteExpiredResults({ bulkDb, clock }) },
    { what: 'deleting expired usage', work: () => expireUsage(bulkDb, clock) },
    { what: 'deleting old deliveries', work: () => deleteExpiredDeliveries(bulkDb, clock) },
  ])
}
