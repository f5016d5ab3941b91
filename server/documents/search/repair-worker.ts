import type { Log } from '../../platform/kit/log.ts'
import type { Database } from '../../platform/tables.ts'
import { ensureIndex } from './rebuild-service.ts'

/** The scheduled repairs of the index after a start. */
interface Repair {
  stop(): Promise<void>
}

// Processes of an older version stop writing within seconds if they compare the schema; others write until
// they are replaced.
const DELAYS_MS = [5000, 60_000, 600_000]
// After a failure, for example while the database accepts no writes.
const RETRY_MS = 60_000

/**
 * Indexes what processes of an older version write without an entry while this version takes over, and builds an index
 * that could not be built at the start.
 */
export function startRepair(
  db: Database,
  log: Log,
  delaysMs: readonly number[] = DELAYS_MS,
  retryMs: number = RETRY_MS,
): Repair {
  let underway: Promise<void> = Promise.resolve()
  let isStopped = false
  const repair = async (): Promise<void> => {
    try {
      const documents = await ensureIndex(db)
      if (documents > 0) log.info({ documents }, 'documents were added to the search index')
    } catch (error) {
      log.warn({ err: error }, 'the search index could not be repaired')
      if (!isStopped) scheduleRetry()
    }
  }
  const repairLater = (): void => {
    underway = underway.then(repair)
  }
  let retry: NodeJS.Timeout | undefined
  const scheduleRetry = (): void => {
    retry ??= setTimeout(() => {
      retry = undefined
      repairLater()
    }, retryMs)
  }
  const timers = delaysMs.map((delayMs) => setTimeout(repairLater, delayMs))
  return {
    async stop() {
      isStopped = true
      for (const timer of [...timers, retry]) clearTimeout(timer)
      await underway
    },
  }
}
