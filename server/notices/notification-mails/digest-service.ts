import type { Clock } from '../../platform/kit/clock.ts'
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
}

/** Enqueues the digests that are due, each once. */
export async function enqueueDigests({ db, clock }: DigestServices): Promise<void> {
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
