import { randomUUIDv7 } from 'node:crypto'
import { listDueSchedules } from '../integrations/run-service.ts'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { Log } from '../../platform/kit/log.ts'
import type { Signals } from '../../platform/kit/signals.ts'
import type { WorkObserver } from '../../platform/kit/work-observer.ts'
import type { Database } from '../../platform/tables.ts'
import { reapRuns } from './claim-store.ts'
import { deleteOldLogLines, startDueRuns, type DueRun } from './schedule-store.ts'
import { nextTimes, readSchedule } from '../integrations/schedule.ts'
import { deleteAbandonedGrants } from '../../reality/grants/staging-service.ts'
import { deleteAbandoned } from './staging-store.ts'

/** The services for the upkeep of runs. */
export interface RunUpkeepServices {
  db: Database
  /** For long statements. */
  bulkDb: Database
  clock: Clock
  log: Log
  signals: Signals
  observer?: WorkObserver | undefined
}

const DUE_AT_ONCE = 100

/**
 * Starts the runs that are due and advances their schedules from now: missed runs are caught up
 * once.
 */
export async function startDue({ db, clock, log, signals }: RunUpkeepServices): Promise<DueRun[]> {
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
export async function closeAbandonedRuns({
  db,
  clock,
  log,
  signals,
  observer,
}: RunUpkeepServices): Promise<void> {
  for (const run of await reapRuns(db, clock)) {
    log.warn(run, 'an ingestion run was closed on behalf of its worker')
    signals.send(run.runId)
    observer?.runEnded(run.status)
  }
}

/** Deletes the rows of runs that ended without publishing them. */
export async function deleteRunLeftovers({
  bulkDb,
}: Pick<RunUpkeepServices, 'bulkDb'>): Promise<void> {
  await deleteAbandoned(bulkDb)
  await deleteAbandonedGrants(bulkDb)
}

/** Deletes log lines of runs that are too old. */
export async function deleteRunLogs({
  bulkDb,
  clock,
}: Pick<RunUpkeepServices, 'bulkDb' | 'clock'>): Promise<void> {
  await deleteOldLogLines(bulkDb, clock)
}
