import { traceRoot, type Tracer } from './tracing.ts'

/** Work that a process repeats, whether or not others do, too. */
interface PeriodicJob {
  /** The job in warnings: `closing runs without a worker`. */
  name: string
  periodMs: number
  run(): Promise<unknown>
}

/** Running periodic jobs. */
export interface PeriodicJobs {
  /** Waits for those that are running. */
  stop(): Promise<void>
}

/** The shortest period of a job whose runs are traced: traces of polls would hide the others. */
export const TRACED_PERIOD_MS_MIN = 60_000

/**
 * Starts jobs. While a run is under way, ticks are skipped. A run that fails is logged, and the job is repeated. While
 * `isPaused` returns true, none is started.
 */
export function startJobs(
  jobs: readonly PeriodicJob[],
  options: {
    log: { warn(fields: { err: unknown }, message: string): void }
    isPaused: () => boolean
    tracer?: Tracer | undefined
  },
): PeriodicJobs {
  const { log, isPaused, tracer } = options
  const started = jobs.map(({ name, periodMs, run }) => {
    let underway: Promise<unknown> | undefined
    const jobTracer = periodMs < TRACED_PERIOD_MS_MIN ? undefined : tracer
    const timer = setInterval(() => {
      if (underway !== undefined || isPaused()) return
      underway = traceRoot(jobTracer, `job ${name}`, {}, run)
        .catch((error: unknown) => log.warn({ err: error }, `${name} failed`))
        .finally(() => {
          underway = undefined
        })
    }, periodMs)
    return async (): Promise<void> => {
      clearInterval(timer)
      await underway
    }
  })
  return {
    async stop() {
      await Promise.all(started.map(async (stop) => await stop()))
    },
  }
}
