import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { Database } from '../tables.ts'
import { VERSION } from '../version.ts'
import { BEAT_MS, GONE_MS, type ProcessRole, type ProcessState } from './process.ts'
import * as store from './store.ts'
import type { HeldJob, JobReport } from './store.ts'

/** The services of a presence. */
interface PresenceServices {
  db: Database
  clock: Clock
  log: Log
  role: ProcessRole
  /** The name of the newest migration of this program. */
  schemaVersion: string
  /**
   * Whether the process may write: `yes`; `schema` = the database has the schema of another version; `no` = it accepts no
   * writes, also not those of beats.
   */
  findWriteState: () => 'yes' | 'schema' | 'no'
  nowMs?: () => number
}

/** A process in the table of processes. */
export interface Presence {
  readonly id: string
  /** Sends a beat, unless the database accepts no writes. A failure is only logged for debugging: its users report it. */
  beat(): Promise<void>
  /**
   * Registers the keeper of the jobs of this process. They are taken over by the next beats, and kept until the process
   * stops or its beats do not arrive.
   */
  keepJobs(keeper: JobKeeper): void
  /** Marks the process as stopping. It keeps its jobs, so that those under way can end. */
  announceStop(): Promise<void>
  /** Sends the last reports and deletes the row, so that others take over the jobs. */
  stop(): Promise<void>
}

/** Decides about the jobs of a process. */
export interface JobKeeper {
  offered: readonly { name: string; periodMs: number }[]
  /** Lists the runs that no beat has recorded yet. */
  listReports(): JobReport[]
  /**
   * Receives the jobs that the process holds until an instant of `nowMs`. The runs of the last list are
   * recorded.
   */
  hold(jobs: readonly HeldJob[], untilMs: number): void
}

// A working process that is started at the same time has until then.
const BEATS_WITHOUT_WORKER = 4

/** Starts the beats of a process, until it stops. */
export function startBeats(presence: Presence): Pick<Presence, 'stop'> {
  const beat = (): void => void presence.beat()
  const timer = setInterval(beat, BEAT_MS)
  beat()
  return {
    async stop() {
      clearInterval(timer)
      await presence.stop()
    },
  }
}

/** Creates the presence of a process, which begins with its first beat. */
export function newPresence(services: PresenceServices): Presence {
  const {
    db,
    clock,
    log,
    role,
    schemaVersion,
    findWriteState,
    nowMs = () => performance.now(),
  } = services
  const id = randomUUID()
  const startedMs = nowMs()
  const watch = newWorkerWatch(log, role)
  let keeper: JobKeeper | undefined
  let isStopping = false
  let underway: Promise<void> | undefined

  async function send(): Promise<void> {
    const writes = findWriteState()
    if (writes === 'no') return
    const sentMs = nowMs()
    const state: ProcessState = isStopping ? 'stopping' : writes === 'yes' ? 'running' : 'paused'
    const { otherWorkingCount, held } = await store.recordBeat(db, clock, {
      id,
      version: VERSION,
      schemaVersion,
      role,
      host: hostname(),
      state,
      uptimeMs: sentMs - startedMs,
      offered: state === 'paused' ? [] : (keeper?.offered ?? []),
      reports: keeper?.listReports() ?? [],
    })
    keeper?.hold(held, sentMs + GONE_MS)
    watch(otherWorkingCount)
  }

  async function beat(): Promise<void> {
    underway ??= send()
      .catch((error: unknown) => log.debug({ err: error }, 'a beat could not be recorded'))
      .finally(() => {
        underway = undefined
      })
    await underway
  }

  return {
    id,
    beat,
    keepJobs(given) {
      keeper = given
    },
    async announceStop() {
      isStopping = true
      await beat()
    },
    async stop() {
      await underway
      await beat()
      if (findWriteState() !== 'no') await removeProcess(services, id)
    },
  }
}

async function removeProcess({ db, log }: PresenceServices, id: string): Promise<void> {
  try {
    await store.deleteProcess(db, id)
  } catch (error) {
    log.debug({ err: error }, 'the process could not be removed')
  }
}

/** Creates a function that logs once that no process works, and once that one does again. */
function newWorkerWatch(log: Log, role: ProcessRole): (otherWorkingCount: number) => void {
  let beatsWithout = 0
  return (otherWorkingCount) => {
    if (role !== 'serving') return
    if (otherWorkingCount > 0) {
      if (beatsWithout >= BEATS_WITHOUT_WORKER) log.info('a working process is there again')
      beatsWithout = 0
      return
    }
    beatsWithout += 1
    if (beatsWithout !== BEATS_WITHOUT_WORKER) return
    log.warn(
      'no process works: ingestion runs, notifications, deliveries and the upkeep wait. Start one with the command work, or set PORTBOOK_WORKERS to at least 1',
    )
  }
}
