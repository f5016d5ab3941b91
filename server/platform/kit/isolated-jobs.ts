/** A job of several that do not depend on each other. */
interface IsolatedJob {
  /** The job in log messages: `deleting old log lines`. */
  what: string
  work: () => Promise<unknown>
}

/** Runs jobs one after the other. The failure of a job is logged and does not keep the others from running. */
export async function runIsolated(
  log: { warn(fields: { err: unknown }, message: string): void },
  jobs: readonly IsolatedJob[],
): Promise<void> {
  for (const { what, work } of jobs) {
    try {
      await work()
    } catch (error) {
      log.warn({ err: error }, `${what} failed`)
    }
  }
}
