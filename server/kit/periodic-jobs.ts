import type { Log } from './log.ts'

/** A job that every process repeats, and that one process at a time suffices for. */
export interface PeriodicJob {
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

/**
 * Starts jobs. One that takes longer than its period delays its next run, and one that fails is logged and repeated.
 * While `isPaused` returns true, none is started.
 */
export function startJobs(
  jobs: readonly PeriodicJob[],
  { log, isPaused }: { log: Log; isPaused: () => boolean },
): PeriodicJobs {
  const started = jobs.map(({ name, periodMs, run }) => {
    let underway: Promise<unknown> = Promise.resolve()
    const timer = setInterval(() => {
      if (isPaused()) return
      underway = underway.then(run).catch((error: unknown) => {
        log.warn({ err: error }, `${name} failed`)
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
