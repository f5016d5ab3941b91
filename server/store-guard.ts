import { followServer } from './ledger/events/epoch-service.ts'
import type { StoreGuard } from './requests/http/endpoint.ts'
import type { Log } from './platform/kit/log.ts'
import {
  compareSchema,
  listMigrations,
  SAME_SCHEMA,
  type SchemaState,
} from './platform/kit/schema-version.ts'
import { isRejected, isUnexamined, type StoreErrorCode } from './platform/kit/store-errors.ts'
import { isReadOnly, type WriteObstacle } from './platform/kit/store-health.ts'
import { VERSION } from './platform/version.ts'
import { MIGRATIONS, type Store } from './store.ts'

/** A guard that checks the database periodically. */
export interface WatchingGuard extends StoreGuard {
  /** Whether this process could read at the last check. */
  isReadable(): boolean
  stop(): Promise<void>
}

/** The store that a guard checks. */
type GuardedStore = Pick<Store, 'db' | 'health' | 'isDiskFull'>

const PERIOD_MS = 1000

/**
 * Creates the guard of a process. It compares the schema of the database with this program on request, or when a
 * statement fails in a way that another schema could explain, and asks the database whether it accepts writes.
 */
export function newStoreGuard(
  store: GuardedStore,
  log: Log,
): StoreGuard & Pick<WatchingGuard, 'isReadable'> & { check(): Promise<void> } {
  const { db } = store
  const program = { migrations: listMigrations(MIGRATIONS), version: VERSION }
  let schema = SAME_SCHEMA
  const writes = newWriteState(store, log)

  async function compare(): Promise<void> {
    const before = schema
    schema = await compareSchema(db, program)
    if (toComparable(schema) !== toComparable(before)) logSchema(log, schema)
  }

  const isWritable = (): boolean => schema.version === 'same' && writes.obstacle() === undefined

  async function check(): Promise<void> {
    await writes.compare()
    await compare()
    // An older schema may have no epoch yet.
    if (schema.version !== 'older' && writes.obstacle() !== 'store_read_only')
      await adjustToServer()
  }

  async function adjustToServer(): Promise<void> {
    const epoch = await followServer(db)
    if (epoch !== undefined)
      log.warn({ epoch }, 'the database was restored or moved: the feed has a new epoch')
  }

  return {
    schema: () => schema,
    async recover(error) {
      if (isUnexamined(error)) {
        await adjustToServer()
        return true
      }
      if (isRejected(error)) await compare()
      return false
    },
    findObstacle: (asked) => findObstacle({ ...store, db: asked }),
    isWritable,
    isReadable: () => schema.version === 'same' && writes.obstacle() !== 'store_unavailable',
    isPaused: () => !isWritable() || store.health.isSuspect(),
    check,
  }
}

function toComparable({ version, newer }: SchemaState): string {
  return JSON.stringify([version, newer])
}

function logSchema(log: Log, { version, newer, firstWriter }: SchemaState): void {
  const migrations = newer.map(({ name }) => name)
  if (version === 'same' && newer.length === 0) {
    log.info('the database has the schema of this program again')
  } else if (version === 'same') {
    log.info(
      { migrations, writableBy: firstWriter },
      'a newer version has migrated the database: this process goes on writing',
    )
  } else {
    log.error(
      { schema: version, migrations, writableBy: firstWriter },
      'the database has the schema of another version: writes are rejected',
    )
  }
}

/** Whether the database accepted writes at the last check. */
interface WriteState {
  /** Asks the database, and logs when the state begins and ends. Errors: those of any statement. */
  compare(): Promise<void>
  obstacle(): StoreErrorCode | undefined
}

function newWriteState(store: GuardedStore, log: Log): WriteState {
  let obstacle: StoreErrorCode | undefined
  let logged: StoreErrorCode | undefined
  return {
    obstacle: () => obstacle,
    async compare() {
      let found: WriteObstacle | undefined
      try {
        found = await findObstacle(store)
      } catch (error) {
        obstacle = 'store_unavailable'
        if (logged !== obstacle) log.warn({ err: error }, 'the database cannot be used')
        logged = obstacle
        throw error
      }
      obstacle = found
      if (found === undefined) store.health.markWritable()
      if (found === logged) return
      logged = found
      if (found === undefined) log.info('the database accepts writes again')
      else log.warn({ reason: found }, 'the database accepts no writes; reads are answered')
    },
  }
}

async function findObstacle({
  db,
  health,
  isDiskFull,
}: GuardedStore): Promise<WriteObstacle | undefined> {
  if (await isReadOnly(db)) {
    health.markReadOnly()
    return 'store_read_only'
  }
  return isDiskFull() || health.isFull() ? 'store_full' : undefined
}

/** Creates a guard that checks the database every second. */
export function watchStore(store: GuardedStore, log: Log): WatchingGuard {
  const guard = newStoreGuard(store, log)
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
