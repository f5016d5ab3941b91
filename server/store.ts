import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import type { Config } from './config.ts'
import type { PoolLimits } from './kit/connection.ts'
import { openDatabase, type OpenDatabase } from './kit/database.ts'
import { openEmbeddedStore } from './kit/embedded-store.ts'
import type { Log } from './kit/log.ts'
import { migrate } from './kit/migrate.ts'
import { startUpkeep } from './kit/upkeep.ts'
import { ensureIndex } from './search/rebuild-service.ts'
import type { Database, Tables } from './tables.ts'

/** The migrations of this program. */
export const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url))

/** The store, open and up to date: PostgreSQL or the embedded one, which rooms cannot tell apart. */
export interface Store extends OpenDatabase<Tables> {
  /** How to open a connection of one's own, outside of the pool. */
  connection: ClientConfig
  embedded: boolean
  /** Where it listens on the network; undefined = nowhere. */
  address?: { host: string; port: number } | undefined
}

// Both together stay below the three seconds after which a request must be answered.
const POSTGRES_LIMITS = { waitingMax: 5000, connectTimeoutMs: 1000, queryTimeoutMs: 1900 }

// One connection, because all connections of the embedded store share one session. It is never
// away, only busy.
const EMBEDDED_LIMITS: PoolLimits = {
  connectionsMax: 1,
  waitingMax: 5000,
  connectTimeoutMs: 10_000,
  queryTimeoutMs: 30_000,
}

/** Connections besides those of requests, which must be quick. */
export interface Pools {
  /** For statements that may take long. */
  bulkDb: Database
  /** For small ones that must not wait: beats, schedules. */
  sideDb: Database
  close(): Promise<void>
}

const BULK_QUERY_MS_MAX = 30 * 60_000
const SIDE_CONNECTIONS = 2

/** Opens them; the embedded store has but one connection, which serves all. */
export function openPools(store: Store, log: Log, workerCount: number): Pools {
  if (store.embedded) {
    return { bulkDb: store.db, sideDb: store.db, close: () => Promise.resolve() }
  }
  const onIdleError = (error: Error): void => {
    log.warn({ err: error }, 'an idle connection to the store ended')
  }
  const limits = { ...POSTGRES_LIMITS, connectTimeoutMs: 2000 }
  const bulk = openDatabase<Tables>(
    store.connection,
    { ...limits, connectionsMax: workerCount + 2, queryTimeoutMs: BULK_QUERY_MS_MAX },
    onIdleError,
  )
  const side = openDatabase<Tables>(
    store.connection,
    { ...limits, connectionsMax: SIDE_CONNECTIONS, queryTimeoutMs: 3000 },
    onIdleError,
  )
  return {
    bulkDb: bulk.db,
    sideDb: side.db,
    async close() {
      await bulk.close()
      await side.close()
    },
  }
}

/**
 * Opens the configured store and migrates it. When the embedded one ends unasked, `onDeath` is
 * called. Errors: SchemaMismatch, DirectoryInUse, and the driver's when there is no server.
 */
export async function openStore(
  config: Config,
  log: Log,
  onDeath: (error: Error) => void,
): Promise<Store> {
  const onIdleError = (error: Error): void => {
    log.warn({ err: error }, 'an idle connection to the store ended')
  }
  if (config.databaseUrl !== undefined) {
    const connection: ClientConfig = {
      connectionString: config.databaseUrl,
      application_name: 'portbook',
      keepAlive: true,
    }
    await report(log, migrate(connection, MIGRATIONS))
    const limits = { ...POSTGRES_LIMITS, connectionsMax: config.databaseConnectionsMax }
    const database = openDatabase<Tables>(connection, limits, onIdleError)
    await reportIndex(log, database)
    return {
      ...database,
      connection,
      embedded: false,
      address: addressOf(config.databaseUrl),
    }
  }
  const embedded = await openEmbeddedStore(join(config.dataDirectory), onDeath)
  const { connection } = embedded
  try {
    await report(log, migrate(connection, MIGRATIONS))
  } catch (error) {
    await embedded.close()
    throw error
  }
  const database = openDatabase<Tables>(connection, EMBEDDED_LIMITS, onIdleError)
  try {
    await reportIndex(log, database)
  } catch (error) {
    await embedded.close()
    throw error
  }
  const upkeep = startUpkeep(database.db, (error) => {
    log.warn({ err: error }, 'the embedded store could not be tidied')
  })
  return {
    ...database,
    connection,
    embedded: true,
    address: undefined,
    async close() {
      await upkeep.stop()
      await database.close()
      await embedded.close()
    },
  }
}

// Nobody but this process needs to reach its store.
function addressOf(databaseUrl: string): { host: string; port: number } {
  const { hostname, port } = new URL(databaseUrl)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 5432) }
}

async function report(log: Log, migrating: Promise<string[]>): Promise<void> {
  const applied = await migrating
  if (applied.length > 0) log.info({ applied }, 'the schema is up to date')
}

// After an upgrade it is built here: whatever is served finds everything.
async function reportIndex(log: Log, database: OpenDatabase<Tables>): Promise<void> {
  try {
    const documents = await ensureIndex(database.db)
    if (documents > 0) log.info({ documents }, 'the search index is built')
  } catch (error) {
    await database.close()
    throw error
  }
}
