import { DatabaseError } from 'pg'
import { followServer, isEpochOutdated } from './events/epoch-service.ts'
import type { StoreGuard } from './http/endpoint.ts'
import type { Log } from './kit/log.ts'
import { compareSchema, listMigrations, type SchemaVersion } from './kit/schema-version.ts'
import { MIGRATIONS } from './store.ts'
import type { Database } from './tables.ts'

/** A guard that looks at the store by itself. */
export interface WatchingGuard extends StoreGuard {
  stop(): Promise<void>
}

const PERIOD_MS = 1000

/**
 * Creates the guard of a process. It compares the store's schema with this program when it is asked to,
 * or when a statement fails in a way that another schema explains.
 */
export function newStoreGuard(db: Database, log: Log): StoreGuard & { check(): Promise<void> } {
  const names = listMigrations(MIGRATIONS)
  let version: SchemaVersion = 'same'

  async function compare(): Promise<void> {
    const before = version
    version = await compareSchema(db, names)
    if (version === before) return
    if (version === 'same') log.info('the store has the schema of this program again')
    else
      log.error(
        { schema: version },
        'the store has the schema of another version: writes are rejected',
      )
  }

  async function adjustToServer(): Promise<void> {
    const epoch = await followServer(db)
    if (epoch !== undefined)
      log.warn({ epoch }, 'the store was restored or moved: the feed has a new epoch')
  }

  return {
    schema: () => version,
    async recover(error) {
      if (isEpochOutdated(error)) {
        await adjustToServer()
        return true
      }
      if (error instanceof DatabaseError) await compare()
      return false
    },
    async check() {
      await compare()
      // An older schema may have no epoch yet.
      if (version !== 'older') await adjustToServer()
    },
  }
}

/** Creates a guard that checks the store every second. */
export function watchStore(db: Database, log: Log): WatchingGuard {
  const guard = newStoreGuard(db, log)
  let checking: Promise<void> | undefined
  const timer = setInterval(() => {
    // A store that is away is reported by whoever needs it.
    checking ??= guard
      .check()
      .catch((error: unknown) => log.debug({ err: error }, 'the store could not be checked'))
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
