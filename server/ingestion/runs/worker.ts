import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { GUEST_RUNS_MAX } from '../integrations/run.ts'
import { StoreUnavailable } from '../../platform/kit/store-errors.ts'
import { processRun, type ActiveRun } from './attempt-service.ts'
import { claimRun } from './claim-store.ts'
import type { Engine } from './engine.ts'

const HAND_BACK_MS = 4000

/** The number of runs beyond the number of workers while others wait for unresponsive sources. */
const WAITING_MAX = 16

/** The last of these are only for organizations without a run in this process. */
const RESERVED_COUNT = 4

/** The workers of a process. */
export interface Workers {
  /**
   * Claims no more runs, waits for running ones up to the grace period, and hands the others back.
   */
  stop(graceMs: number): Promise<void>
}

/** A run in progress of an organization. */
type WorkingRun = ActiveRun & { organizationId: string }

/**
 * Starts workers: each takes one run at a time, of the organizations in turn. A run that waits for its source does not
 * occupy a worker, so that unresponsive sources do not block others.
 */
export function startWorkers(engine: Engine, count: number): Workers {
  const working = new Map<string, WorkingRun>()
  // Each process begins with another organization.
  let lastOrganization: string = randomUUID()
  const stopping = new AbortController()
  let claiming: Promise<void> = Promise.resolve()
  let isAwake = false

  const cannotStart = (): boolean => engine.isDiskFull() || engine.isPaused()

  async function claimAll(): Promise<void> {
    isAwake = false
    while (!stopping.signal.aborted && !cannotStart()) {
      const except = listFullOrganizations([...working.values()], count)
      if (except === undefined) return
      // Not through the pool for long statements: a hanging store must not delay the end of the
      // process.
      const turn = { after: lastOrganization, except }
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
    if (isAwake) return
    isAwake = true
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

/** Returns the organizations that get no further run now; undefined = none does. */
function listFullOrganizations(runs: readonly WorkingRun[], count: number): string[] | undefined {
  const busyCount = runs.filter((one) => !one.isWaiting()).length
  const freeCount = count + WAITING_MAX - runs.length
  if (busyCount >= count + GUEST_RUNS_MAX || freeCount <= 0) return undefined
  if (busyCount < count && freeCount > RESERVED_COUNT) return []
  return [...new Set(runs.map(({ organizationId }) => organizationId))]
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
