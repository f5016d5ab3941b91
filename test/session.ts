import type { Clock } from '../server/platform/kit/clock.ts'
import type { Database } from '../server/platform/tables.ts'
import { startSession } from '../server/people/users/session-service.ts'

/** Starts a session of a person as if they had signed in with a password, without an entry in the activity. Returns its secret. */
export async function newSession(db: Database, clock: Clock, userId: string): Promise<string> {
  return await startSession(db, clock, userId, {
    method: 'password',
    client: undefined,
    userAgent: undefined,
    requestId: undefined,
  })
}
