import { setTimeout as sleep } from 'node:timers/promises'
import { StoreUnavailable } from '../kit/connection.ts'
import { work, type Working } from './attempt-service.ts'
import { claimRun } from './claim-store.ts'
import type { Engine } from './engine.ts'

const HAND_BACK_MS = 4000

/** Runs beyond the number of workers while others wait for sources that do not answer. */
const WAITING_MAX = 16

/** The workers of a process. */
export interface Workers {
  /** Claims no more, gives running runs so long to end, and hands the others back. */
  stop(graceMs: number): Promise<void>
}

/**
 * Starts workers: each takes one run at a time, of any organization, the oldest first. A run that waits
 * for its source takes no worker's place, so that silent sources do not hold up the others.
 */
export function startWorkers(engine: Engine, count: number): Workers {
  const working = new Map<string, Working>()
  const stopping = new AbortController()
  let claiming: Promise<void> = Promise.resolve()

  const isPaused = (): boolean => engine.isDiskFull() || engine.isOutdated()

  function hasPlace(): boolean {
    const waiting = [...working.values()].filter((one) => one.isWaiting())
    return working.size - waiting.length < count && working.size < count + WAITING_MAX
  }

  async function claimAll(): Promise<void> {
    while (!stopping.signal.aborted && hasPlace() && !isPaused()) {
      // Not by the pool for long statements: a store that hangs must not hold up the end of the process.
      const claim = await claimRun(engine.beatDb, engine.clock)
      if (claim === undefined) return
      const one = work(engine, claim, {
        onWaiting: wake,
        onPostponed: (delayMs) => due.wakeAfter(delayMs),
      })
      working.set(claim.runId, one)
      void one.done.then(() => {
        working.delete(claim.runId)
        wake()
      })
    }
  }

  // Claims follow each other, so that no more runs are taken than there are workers.
  function wake(): void {
    claiming = claiming.then(claimAll).catch((error: unknown) => {
      const isAway = error instanceof StoreUnavailable
      engine.log[isAway ? 'warn' : 'error']({ err: error }, 'no ingestion run could be claimed')
    })
  }

  const due = newAlarm(wake)
  const unlisten = engine.signals.listen((runId) => {
    const one = working.get(runId)
    if (one === undefined) wake()
    else one.look()
  })
  const timer = setInterval(wake, engine.timing.pollMs)
  wake()
  return {
    async stop(graceMs) {
      stopping.abort()
      clearInterval(timer)
      due.stop()
      await claiming
      const late = setTimeout(() => {
        for (const one of working.values()) one.handBack()
      }, graceMs)
      const tooLate = new AbortController()
      // Whatever hangs even so loses its lease, and another worker takes it.
      await Promise.race([
        Promise.all(working.values().map(({ done }) => done)),
        sleep(graceMs + HAND_BACK_MS, undefined, { signal: tooLate.signal }).catch(() => undefined),
      ])
      tooLate.abort()
      clearTimeout(late)
      unlisten()
    },
  }
}

/** Wakes at several times. */
function newAlarm(wake: () => void): { wakeAfter(delayMs: number): void; stop(): void } {
  const timers = new Set<NodeJS.Timeout>()
  return {
    wakeAfter(delayMs) {
      const timer = setTimeout(() => {
        timers.delete(timer)
        wake()
      }, delayMs)
      timers.add(timer)
    },
    stop() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
