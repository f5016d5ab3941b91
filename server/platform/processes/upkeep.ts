import { StoreUnavailable } from '../kit/store-errors.ts'
import type { Log } from '../kit/log.ts'
import { TRACED_PERIOD_MS_MIN } from '../kit/periodic-jobs.ts'
import { traceRoot, type Tracer } from '../kit/tracing.ts'
import { JOBS, type Job, type JobName } from './jobs.ts'
import type { JobKeeper, Presence } from './presence.ts'
import type { HeldJob, JobReport } from './store.ts'

/** The work of every job. */
export type JobWork = Readonly<Record<JobName, () => Promise<unknown>>>

/** The services of the upkeep. */
interface UpkeepServices {
  presence: Pick<Presence, 'keepJobs'>
  log: Pick<Log, 'warn'>
  /** Whether the store accepts no writes, or has the schema of another version, whose processes are then responsible. */
  isPaused: () => boolean
  /** Whether this process can send e-mail. */
  hasMail: boolean
  /** Undefined = no traces are recorded. */
  tracer?: Tracer | undefined
  nowMs?: () => number
}

/** The upkeep of a process. */
export interface Upkeep {
  /** Starts the jobs that are due now. */
  tick(): void
  /** Waits for the jobs under way. */
  settle(): Promise<void>
  /** Starts no more jobs, and waits for those under way. */
  stop(): Promise<void>
}

const TICK_MS = 500

/**
 * Starts the upkeep of a working process: it repeats the jobs that the process holds, and leaves the others to their
 * holders. The time of the next run of a job that is taken over follows from its last run in any process.
 */
export function startUpkeep(services: UpkeepServices, work: JobWork): Upkeep {
  const upkeep = newUpkeep(services, work)
  const timer = setInterval(() => upkeep.tick(), TICK_MS)
  return {
    ...upkeep,
    async stop() {
      clearInterval(timer)
      await upkeep.stop()
    },
  }
}

/** Creates the upkeep of a process, whose ticks the caller makes. */
export function newUpkeep(services: UpkeepServices, work: JobWork): Upkeep {
  const { presence, log, isPaused, hasMail, tracer, nowMs = () => performance.now() } = services
  const offered: Job<JobName>[] = JOBS.filter((job: Job) => job.needs !== 'mail' || hasMail)
  const jobs = offered.map((job) => new HeldWork(job, work[job.name], { log, nowMs, tracer }))
  let heldUntilMs = Number.NEGATIVE_INFINITY
  let isStopped = false
  const keeper: JobKeeper = {
    offered,
    listReports: () => jobs.flatMap((job) => job.report() ?? []),
    hold(held, untilMs) {
      heldUntilMs = untilMs
      const byName = new Map(held.map((one) => [one.name, one]))
      for (const job of jobs) {
        job.confirmReport()
        job.hold(byName.get(job.name))
      }
    },
  }
  presence.keepJobs(keeper)
  const settle = async (): Promise<void> => {
    await Promise.all(jobs.map(async (job) => await job.ended()))
  }
  return {
    settle,
    tick() {
      // Without beats, another process may have taken over the jobs.
      if (isStopped || isPaused() || nowMs() > heldUntilMs) return
      for (const job of jobs) {
        if (!job.isDue()) continue
        if (job.isHeavy && jobs.some((other) => other.isHeavy && other.isUnderWay())) continue
        job.start()
      }
    },
    async stop() {
      isStopped = true
      await settle()
    },
  }
}

interface WorkServices {
  log: Pick<Log, 'warn'>
  nowMs: () => number
  tracer: Tracer | undefined
}

/** A job in this process, which may hold it. */
class HeldWork {
  readonly name: JobName
  readonly isHeavy: boolean
  readonly #job: Job<JobName>
  readonly #work: () => Promise<unknown>
  readonly #services: WorkServices
  /** When the next run is due, by `nowMs`; undefined = another process holds the job, or none does. */
  #dueMs: number | undefined
  #underway: Promise<void> | undefined
  /** The last run, until it is recorded. */
  #last: RunTimes | undefined
  /** The run that the last beat reported. */
  #sent: RunTimes | undefined

  constructor(job: Job<JobName>, work: () => Promise<unknown>, services: WorkServices) {
    this.name = job.name
    this.isHeavy = job.isHeavy
    this.#job = job
    this.#work = work
    this.#services = services
  }

  hold(held: HeldJob | undefined): void {
    if (held === undefined) this.#dueMs = undefined
    else this.#dueMs ??= this.#services.nowMs() + held.dueInMs
  }

  isDue(): boolean {
    return !this.isUnderWay() && this.#dueMs !== undefined && this.#dueMs <= this.#services.nowMs()
  }

  isUnderWay(): boolean {
    return this.#underway !== undefined
  }

  start(): void {
    const startedMs = this.#services.nowMs()
    this.#last = { startedMs }
    if (this.#dueMs !== undefined) this.#dueMs = startedMs + this.#job.periodMs
    this.#underway = this.#run(startedMs).finally(() => {
      this.#underway = undefined
    })
  }

  async #run(startedMs: number): Promise<void> {
    const { title, periodMs } = this.#job
    const tracer = periodMs < TRACED_PERIOD_MS_MIN ? undefined : this.#services.tracer
    let failureCode: string | undefined
    try {
      await traceRoot(tracer, `job ${title}`, {}, this.#work)
    } catch (error) {
      this.#services.log.warn({ err: error, job: this.name }, `${title} failed`)
      failureCode = toFailureCode(error)
    }
    this.#last = { startedMs, ended: { atMs: this.#services.nowMs(), failureCode } }
  }

  report(): JobReport | undefined {
    const last = this.#last
    this.#sent = last
    if (last === undefined) return undefined
    const nowMs = this.#services.nowMs()
    const report = { name: this.name, startedAgoMs: nowMs - last.startedMs }
    if (last.ended === undefined) return report
    const { atMs, failureCode } = last.ended
    return { ...report, ended: { agoMs: nowMs - atMs, failureCode } }
  }

  // A run that began or ended in the meantime is reported by the next beat.
  confirmReport(): void {
    if (this.#last === this.#sent) this.#last = undefined
  }

  async ended(): Promise<void> {
    await this.#underway
  }
}

/** The times of a run by `nowMs`. */
interface RunTimes {
  startedMs: number
  /** Undefined = it is under way. */
  ended?: { atMs: number; failureCode: string | undefined }
}

/** Returns the code of a failure: one of Portbook's codes of the database, an SQLSTATE, or that of the system. */
function toFailureCode(error: unknown): string {
  if (error instanceof StoreUnavailable) return error.rule.answer
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return 'unexpected_error'
}
