import type { Clock } from '../../platform/kit/clock.ts'
import type { Log } from '../../platform/kit/log.ts'
import { startJobs, type PeriodicJobs } from '../../platform/kit/periodic-jobs.ts'
import type { Tracer } from '../../platform/kit/tracing.ts'
import type { Database } from '../../platform/tables.ts'
import {
  DEFAULT_HOUR,
  DIGESTS_AT_ONCE_MAX,
  enqueueDueDigests,
  findDigestHour,
  upsertDigestHour,
} from './digest-store.ts'

/** The services that send digests. */
interface DigestServices {
  db: Database
  clock: Clock
  log: Log
  /** Whether the store accepts no writes, or has the schema of another version, whose processes are then responsible. */
  isPaused: () => boolean
  /** Undefined = no traces are recorded. */
  tracer?: Tracer | undefined
}

// The search for digests reads all notifications that wait for one.
const PERIOD_MS = 60_000

/** Starts to enqueue the digests that are due. Every process does it, and one is enough. */
export function startDigests(services: DigestServices): PeriodicJobs {
  const run = (): Promise<void> => enqueueDigests(services)
  const job = { name: 'enqueueing digests', periodMs: PERIOD_MS, run }
  return startJobs([job], {
    log: services.log,
    isPaused: services.isPaused,
    tracer: services.tracer,
  })
}

/** Enqueues the digests that are due, each once. */
export async function enqueueDigests({
  db,
  clock,
}: Pick<DigestServices, 'db' | 'clock'>): Promise<void> {
  while ((await enqueueDueDigests(db, clock, DIGESTS_AT_ONCE_MAX)) === DIGESTS_AT_ONCE_MAX);
}

/** Returns the hour of the digest of a person, in UTC. */
export async function getDigestHour(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<number> {
  return (await findDigestHour(db, organizationId, userId)) ?? DEFAULT_HOUR
}

/** Changes the hour of the digest of a person, in UTC. A person gets one digest a day at most. */
export async function setDigestHour(
  db: Database,
  organizationId: string,
  userId: string,
  hour: number,
): Promise<void> {
  await upsertDigestHour(db, organizationId, userId, hour)
}
