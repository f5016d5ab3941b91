/**
 * Cleanup at the end of a test process, for what several of its files share, and at the end of a file. A hook of node's
 * runner would run after the file that happens to load the module first.
 */

type CleanUp = () => Promise<void> | void

const cleanups: CleanUp[] = []
const cleanupsOfFile: CleanUp[] = []

/** Registers a function for the end of all test files of the process; the last registered runs first. */
export function atEnd(cleanUp: CleanUp): void {
  cleanups.push(cleanUp)
}

/** Registers a function for the end of the current test file; the last registered runs first. */
export function atEndOfFile(cleanUp: CleanUp): void {
  cleanupsOfFile.push(cleanUp)
}

/** Runs the functions for the end of the process, all of them even if some fail; throws their errors. */
export async function runCleanups(): Promise<void> {
  await runAll(cleanups)
}

/** Runs the functions for the end of a file, all of them even if some fail; throws their errors. */
export async function runCleanupsOfFile(): Promise<void> {
  await runAll(cleanupsOfFile)
}

async function runAll(registered: CleanUp[]): Promise<void> {
  const errors: unknown[] = []
  for (const cleanUp of registered.splice(0).toReversed()) {
    try {
      await cleanUp()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('\n'))
}
