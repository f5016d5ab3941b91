import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import * as store from './run-store.ts'
import type { DueSchedule, RunnableIntegration } from './run-store.ts'

/** The number of rejected log-ins in a row after which a schedule is paused. */
const AUTHENTICATION_FAILURES_MAX = 5

/** Finds an integration for a worker; undefined if it was deleted in the meantime. */
export async function findRunnable(
  db: Database,
  organizationId: string,
  integrationId: string,
): Promise<RunnableIntegration | undefined> {
  return await store.findRunnable(db, organizationId, integrationId)
}

/**
 * Records whether a source accepted the credentials of a run. Returns whether the schedule is now
 * paused.
 */
export async function noteAuthentication(
  db: Database,
  clock: Clock,
  integration: { organizationId: string; integrationId: string },
  isRefused: boolean,
): Promise<boolean> {
  const { organizationId, integrationId } = integration
  if (isRefused) {
    return await store.countAuthenticationFailure(
      db,
      clock,
      organizationId,
      integrationId,
      AUTHENTICATION_FAILURES_MAX,
    )
  }
  await store.resetAuthenticationFailures(db, organizationId, integrationId)
  return false
}

/** Lists due schedules, the longest waiting one of each organization first. */
export async function listDueSchedules(
  db: Database,
  clock: Clock,
  limit: number,
): Promise<DueSchedule[]> {
  return await store.listDue(db, clock, limit)
}
