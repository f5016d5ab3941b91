import type { Clock } from '../../platform/kit/clock.ts'
import type { Log } from '../../platform/kit/log.ts'
import { planForLookups } from '../../platform/kit/planning.ts'
import type { Database } from '../../platform/tables.ts'
import { insertAttempts } from './attempt-store.ts'
import { lockLanes, releaseLanes } from './claim-store.ts'
import type { AttemptRecord, ClaimedLane } from './lane.ts'

/** An attempt that has ended. Its times are on the clock of `performance.now()`. */
type EndedAttempt = Omit<AttemptRecord, 'ageMs'> & {
  startedMs: number
  /** Until when it is kept while the database is away. */
  keptUntilMs: number
}

/** Writes the results of attempts in batches. */
export interface ResultWriter {
  add(attempt: EndedAttempt): void
  /** Returns a lane to the queue, after the attempts that were added before. */
  release(lane: ClaimedLane): void
  /** Writes what is left. */
  stop(): Promise<void>
}

const WRITE_AFTER_MS = 40
/** The maximum number of attempts, and of lanes, in one transaction. */
const WRITTEN_AT_ONCE_MAX = 1000
const RETRY_MS = 500

/**
 * Creates the writer of a worker. While the database is away, results are kept until the leases of their lanes have
 * ended, when other workers send the deliveries again.
 */
export function newResultWriter(
  { db, clock, log }: { db: Database; clock: Clock; log: Log },
  onWritten: () => void,
): ResultWriter {
  let attempts: EndedAttempt[] = []
  let lanes: ClaimedLane[] = []
  let writing: Promise<boolean> | undefined
  let timer: NodeJS.Timeout | undefined

  const schedule = (delayMs: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      void write()
    }, delayMs)
  }

  function write(): Promise<boolean> {
    writing ??= writeBatch().finally(() => {
      writing = undefined
      if (attempts.length + lanes.length > 0) schedule(WRITE_AFTER_MS)
    })
    return writing
  }

  /** Writes a part of what was added. Returns false if it could not be written. */
  async function writeBatch(): Promise<boolean> {
    const written = attempts.splice(0, WRITTEN_AT_ONCE_MAX)
    // A lane is released after its attempts were recorded.
    const isRest = attempts.length === 0
    const batch = { attempts: written, lanes: isRest ? lanes.splice(0, WRITTEN_AT_ONCE_MAX) : [] }
    if (batch.attempts.length + batch.lanes.length === 0) return true
    try {
      await writeResults(db, clock, batch)
      onWritten()
      return true
    } catch (error) {
      log.warn({ err: error }, 'the results of deliveries could not be recorded; retrying')
      const nowMs = performance.now()
      attempts = [...batch.attempts.filter(({ keptUntilMs }) => keptUntilMs > nowMs), ...attempts]
      // Without their attempts, lanes are claimed again when their leases end.
      lanes =
        attempts.length > 0 || batch.attempts.length === 0 ? [...batch.lanes, ...lanes] : lanes
      schedule(RETRY_MS)
      return false
    }
  }

  return {
    add(attempt) {
      attempts.push(attempt)
      schedule(WRITE_AFTER_MS)
    },
    release(lane) {
      lanes.push(lane)
      schedule(WRITE_AFTER_MS)
    },
    async stop() {
      clearTimeout(timer)
      timer = undefined
      await writing
      while ((await write()) && attempts.length + lanes.length > 0);
      clearTimeout(timer)
    },
  }
}

async function writeResults(
  db: Database,
  clock: Clock,
  { attempts, lanes }: { attempts: readonly EndedAttempt[]; lanes: readonly ClaimedLane[] },
): Promise<void> {
  const nowMs = performance.now()
  const records = attempts.map(({ startedMs, ...attempt }) => ({
    ...attempt,
    ageMs: Math.round(nowMs - startedMs),
  }))
  await db.transaction().execute(async (transaction) => {
    await planForLookups(transaction)
    if (records.length > 0) await insertAttempts(transaction, clock, records)
    if (lanes.length === 0) return
    const held = await lockLanes(transaction, lanes)
    if (held.length > 0) await releaseLanes(transaction, clock, held)
  })
}
