import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The directory belongs to another living process. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse'
}

/**
 * Takes a directory for this process alone, for the rest of its life. The lock is an exclusive
 * transaction on a small SQLite file: the operating system drops it when the process dies, however
 * it dies. Errors: DirectoryInUse.
 */
export function lockDirectory(directory: string): { release(): void } {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const file = new DatabaseSync(join(directory, 'lock'), { timeout: 500 })
  try {
    file.exec('begin exclusive')
  } catch (error) {
    file.close()
    if (!isBusy(error)) throw error
    throw new DirectoryInUse(`another process uses the data directory ${directory}`, {
      cause: error,
    })
  }
  return { release: () => file.close() }
}

// SQLITE_BUSY: someone else holds the lock. All else is a fault of the file or of the disk.
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5
}
