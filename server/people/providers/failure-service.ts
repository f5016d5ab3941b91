import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { insertFailure } from './failure-store.ts'
import type { SignInFailure } from './provider.ts'

/** Records a failed sign-in for the page of its provider, which shows the last ones. */
export async function recordFailure(
  db: Database,
  clock: Clock,
  failure: { organizationId: string; providerId: string } & Omit<SignInFailure, 'failedAt'>,
): Promise<void> {
  await insertFailure(db, clock, failure)
}
