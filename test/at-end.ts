/**
 * Cleanup at the end of a test process, for what several of its files share. A hook of node's runner
 * would run after the file that happens to load the module first.
 */

type CleanUp = () => Promise<void> | void

const cleanups: CleanUp[] = []

/** Registers a function for the end of all test files of the process; the last registered runs first. */
export function atEnd(cleanUp: CleanUp): void {
  cleanups.push(cleanUp)
}

/** Runs the registered functions, all of them even if some fail; throws their errors. */
export async function runCleanups(): Promise<void> {
  const errors: unknown[] = []
  for (const cleanUp of cleanups.splice(0).toReversed()) {
    try {
      await cleanUp()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('\n'))
}
