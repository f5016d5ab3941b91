import type { Authenticator } from '../../requests/access/authenticate.ts'
import { touchMembers, touchSessions } from '../../requests/access/session-use-store.ts'
import { recordKeyUse } from '../api-keys/service.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Log } from '../../platform/kit/log.ts'
import { startJobs } from '../../platform/kit/periodic-jobs.ts'
import type { Database } from '../../platform/tables.ts'

// The use of keys and sessions is recorded in the background: no request waits for it, and reading needs no write.

const PERIOD_MS = 5000

/** The services that record the use of credentials. */
interface RecordingParts {
  db: Database
  clock: Clock
  authenticator: Authenticator
}

/** Records the use of keys and sessions, and the visits of people, since the last call. */
export async function recordCredentialUse({
  db,
  clock,
  authenticator,
}: RecordingParts): Promise<void> {
  await recordKeyUse(db, authenticator.takeKeyUses())
  const sessions = authenticator.takeSessionUses()
  if (sessions.length === 0) return
  await touchSessions(db, clock, sessions)
  await touchMembers(db, sessions)
}

/**
 * Records the use of credentials every few seconds, unless the database accepts no writes. `recordMore` records what else
 * the process has noted about requests.
 */
export function startCredentialUse(
  parts: RecordingParts & { guard: { isPaused(): boolean } },
  log: Log,
  recordMore: () => Promise<void> = async () => {},
): { stop(): Promise<void> } {
  const run = async (): Promise<void> => {
    await recordCredentialUse(parts)
    await recordMore()
  }
  const name = 'recording the use of API keys and sessions'
  const isPaused = (): boolean => parts.guard.isPaused()
  const jobs = startJobs([{ name, periodMs: PERIOD_MS, run }], { log, isPaused })
  return {
    async stop() {
      await jobs.stop()
      if (isPaused()) return
      await run().catch((error: unknown) => log.warn({ err: error }, `${name} failed`))
    },
  }
}
