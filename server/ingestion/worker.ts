import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { StoreUnavailable } from '../kit/store-errors.ts'
import { processRun, type ActiveRun } from './attempt-service.ts'
import { claimRun } from './claim-store.ts'
import type { Engine } from './engine.ts'

const HAND_BACK_MS = 4000

/** The number of runs beyond the number of workers while others wait for unresponsive sources. */
const WAITING_MAX = 16

/** The last places are only for organizations without a run in this process. */
const RESERVED_COUNT = 4

/** The workers of a process. */
export interface Workers {
  /**
   * Claims no more runs, waits for running ones up to the grace period, and hands the others back.
   */
  stop(graceMs: number): Promise<void>
}

/**
 * Starts workers: each takes one run at a time, of the organizations in turn. A run that waits for its source does not
 * occupy a worker, so that unresponsive sources do not block others.
 */
export function startWorkers(engine: Engine, count: number): Workers {
  const working = new Map<string, ActiveRun & { organizationId: string }>()
  // Each process begins with another organization.
  let lastOrganization: string = randomUUID()
  const stopping = new AbortController()
  let claiming: Promise<void> = Promise.resolve()

  const cannotStart = (): boolean => engine.isDiskFull() || engine.isPaused()

  function hasPlace(): boolean {
    const waiting = [...working.values()].filter((one) => one.isWaiting())
    return working.size - waiting.length < count && working.size < count + WAITING_MAX
  }

  function listOrganizationsToWait(): string[] {
    if (count + WAITING_MAX - working.size > RESERVED_COUNT) return []
    return [...new Set(working.values().map(({ organizationId }) => organizationId))]
  }

  async function claimAll(): Promise<void> {
    while (!stopping.signal.aborted && hasPlace() && !cannotStart()) {
      // Not through the pool for long statements: a hanging store must not delay the end of the
      // process.
      const turn = { after: lastOrganization, except: listOrganizationsToWait() }
      const claim = await claimRun(engine.beatDb, engine.clock, turn)
      if (claim === undefined) return
      const { organizationId } = claim
      lastOrganization = organizationId
      const one = processRun(engine, claim, {
        onWaiting: wake,
        onPostponed: (delayMs) => due.wakeAfter(delayMs),
      })
      working.set(claim.runId, { ...one, organizationId })
      void one.done.then(() => {
        working.delete(claim.runId)
        wake()
      })
    }
  }

  // Claims are sequential, so that no more runs are claimed than there are workers.
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
      await endRuns([...working.values()], graceMs)
      unlisten()
    },
  }
}

/** Waits for runs up to the grace period, and hands the others back. */
async function endRuns(runs: readonly ActiveRun[], graceMs: number): Promise<void> {
  const late = setTimeout(() => {
    for (const one of runs) one.handBack()
  }, graceMs)
  const tooLate = new AbortController()
  // A run that still hangs loses its lease, and another worker claims it.
  await Promise.race([
    Promise.all(runs.map(({ done }) => done)),
    sleep(graceMs + HAND_BACK_MS, undefined, { signal: tooLate.signal }).catch(() => undefined),
  ])
  tooLate.abort()
  clearTimeout(late)
}

/** Creates an alarm that can wake up at several times. */
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
