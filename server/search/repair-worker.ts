import type { Log } from '../kit/log.ts'
import type { Database } from '../tables.ts'
import { repairIndex } from './rebuild-service.ts'

/** The scheduled repairs of the index after a start. */
export interface Repair {
  stop(): Promise<void>
}

// Processes of an older version stop writing within seconds if they compare the schema; others write until
// they are replaced.
const DELAYS_MS = [5000, 60_000, 600_000]

/** Indexes what processes of an older version write without an entry while this version takes over. */
export function startRepair(
  db: Database,
  log: Log,
  delaysMs: readonly number[] = DELAYS_MS,
): Repair {
  let underway: Promise<void> = Promise.resolve()
  const repair = async (): Promise<void> => {
    try {
      const documents = await repairIndex(db)
      if (documents > 0) log.info({ documents }, 'documents were added to the search index')
    } catch (error) {
      log.warn({ err: error }, 'the search index could not be repaired')
    }
  }
  const timers = delaysMs.map((delayMs) =>
    setTimeout(() => {
      underway = underway.then(repair)
    }, delayMs),
  )
  return {
    async stop() {
      for (const timer of timers) clearTimeout(timer)
      await underway
    },
  }
}
