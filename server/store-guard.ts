import { followServer, isEpochOutdated } from './events/epoch-service.ts'
import type { StoreGuard } from './http/endpoint.ts'
import type { Log } from './kit/log.ts'
import { compareSchema, listMigrations, type SchemaVersion } from './kit/schema-version.ts'
import { isRejected } from './kit/store-errors.ts'
import { MIGRATIONS } from './store.ts'
import type { Database } from './tables.ts'

/** A guard that checks the database periodically. */
export interface WatchingGuard extends StoreGuard {
  stop(): Promise<void>
}

const PERIOD_MS = 1000

/**
 * Creates the guard of a process. It compares the schema of the database with this program on request, or when a
 * statement fails in a way that another schema could explain.
 */
export function newStoreGuard(db: Database, log: Log): StoreGuard & { check(): Promise<void> } {
  const names = listMigrations(MIGRATIONS)
  let version: SchemaVersion = 'same'

  async function compare(): Promise<void> {
    const before = version
    version = await compareSchema(db, names)
    if (version === before) return
    if (version === 'same') log.info('the database has the schema of this program again')
    else
      log.error(
        { schema: version },
        'the database has the schema of another version: writes are rejected',
      )
  }

  async function adjustToServer(): Promise<void> {
    const epoch = await followServer(db)
    if (epoch !== undefined)
      log.warn({ epoch }, 'the database was restored or moved: the feed has a new epoch')
  }

  return {
    schema: () => version,
    async recover(error) {
      if (isEpochOutdated(error)) {
        await adjustToServer()
        return true
      }
      if (isRejected(error)) await compare()
      return false
    },
    async check() {
      await compare()
      // An older schema may have no epoch yet.
      if (version !== 'older') await adjustToServer()
    },
  }
}

/** Creates a guard that checks the database every second. */
export function watchStore(db: Database, log: Log): WatchingGuard {
  const guard = newStoreGuard(db, log)
  let checking: Promise<void> | undefined
  const timer = setInterval(() => {
    // The users of the database report if it is unavailable.
    checking ??= guard
      .check()
      .catch((error: unknown) => log.debug({ err: error }, 'the database could not be checked'))
      .finally(() => {
        checking = undefined
      })
  }, PERIOD_MS)
  return {
    ...guard,
    async stop() {
      clearInterval(timer)
      await checking
    },
  }
}
