import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ClientConfig } from 'pg'
import type { Config } from './platform/config.ts'
import { ensureEpoch } from './ledger/events/epoch-service.ts'
import type { PoolLimits } from './platform/kit/connection.ts'
import { openDatabase, type OpenDatabase } from './platform/kit/database.ts'
import type { Log } from './platform/kit/log.ts'
import { REQUEST_TIMEOUT_MS } from './platform/kit/request-wait.ts'
import type { PoolUse } from './platform/kit/session.ts'
import { migrate, type Migrated } from './platform/kit/migrate.ts'
import { assumePooling, detectPooling, DIRECT, type Pooling } from './platform/kit/pooler.ts'
import { unlessReadOnly } from './platform/kit/store-errors.ts'
import type { StoreHealth } from './platform/kit/store-health.ts'
import type { Purpose } from './platform/postgres/keeper.ts'
import { openLocalServer } from './platform/postgres/local-server.ts'
import { GUEST_RUNS_MAX } from './ingestion/integrations/run.ts'
import { ensureMappings } from './people/organization-documents/mapping-service.ts'
import { ensureIndex } from './documents/search/rebuild-service.ts'
import type { Database, Tables } from './platform/tables.ts'
import { VERSION } from './platform/version.ts'

/** The migrations of this program. */
export const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url))

/** A PostgreSQL database with an up-to-date schema. */
export interface Store extends OpenDatabase<Tables> {
  /** The settings of a connection outside of the pool. */
  connection: ClientConfig
  /** The settings of a superuser connection to Portbook's own server; undefined = the server is configured. */
  admin?: ClientConfig | undefined
  /** The session state that a pooler preserves; undefined = all. */
  pooling?: Pooling | undefined
  /** The TCP address of the server; undefined = it does not listen on the network. */
  address?: { host: string; port: number } | undefined
  /** Returns whether the disk is too full for writes; always false for a configured server. */
  isDiskFull(): boolean
}

/** A store that this process has opened. */
export interface OpenedStore extends Store {
  /** The migrations that opening it applied, and those of a newer version. */
  migrated: Migrated
}

/** A PostgreSQL server, Portbook's own or the configured one. */
interface Server {
  connection: ClientConfig
  admin?: ClientConfig
  pooling: Pooling
  address?: { host: string; port: number } | undefined
  isDiskFull(): boolean
  close(): Promise<void>
}

// The sum of the connect and query timeouts is below the time that a request may wait. With the minimum time of the
// last statement it is below three seconds, within which requests are answered.
const LIMITS = { connectTimeoutMs: 700, queryTimeoutMs: 1650 }
const BULK_QUERY_MS_MAX = 30 * 60_000
const SIDE_CONNECTIONS = 2
const RELAY_CONNECTIONS = 6
// A process that stops waits for these statements, also if the database does not respond.
const RELAY_QUERY_MS_MAX = 8000

/** The connection pools in addition to that of requests. */
export interface Pools {
  /** For long statements. */
  bulkDb: Database
  /** For short statements that must not wait: heartbeats, schedules. */
  sideDb: Database
  /** For followers of the feed and deliveries, which neither delay runs nor wait for them. */
  relayDb: Database
  /** The pools by their names in metrics. */
  pools: Readonly<Record<'bulk' | 'side' | 'relay', Store['pool']>>
  close(): Promise<void>
}

/** Opens the pools of a process that works on ingestion runs. */
export function openPools(store: Store, log: Log, workerCount: number): Pools {
  const limits = { ...LIMITS, connectTimeoutMs: 2000 }
  const bulk = openPool(store, log, 'background', {
    ...limits,
    connectionsMax: bulkConnections(workerCount),
    queryTimeoutMs: BULK_QUERY_MS_MAX,
  })
  const side = openPool(store, log, 'background', {
    ...limits,
    connectionsMax: SIDE_CONNECTIONS,
    queryTimeoutMs: 3000,
  })
  const relay = openPool(store, log, 'background', {
    ...limits,
    connectionsMax: RELAY_CONNECTIONS,
    queryTimeoutMs: RELAY_QUERY_MS_MAX,
  })
  return {
    bulkDb: bulk.db,
    sideDb: side.db,
    relayDb: relay.db,
    pools: { bulk: bulk.pool, side: side.pool, relay: relay.pool },
    async close() {
      await bulk.close()
      await side.close()
      await relay.close()
    },
  }
}

/**
 * Opens the configured PostgreSQL, or Portbook's own if none is configured, and applies pending migrations. A database
 * that accepts no writes is opened if its schema is up to date.
 *
 * Errors: SchemaMismatch, MigrationBlocked, LocalPostgresError, and those of the driver if the server cannot be reached.
 */
export async function openStore(config: Config, log: Log, purpose: Purpose): Promise<OpenedStore> {
  const server = await openServer(config, log, purpose)
  const { connection, admin, pooling, address, isDiskFull } = server
  try {
    const migrated = await migrate(connection, MIGRATIONS, {
      version: VERSION,
      onWait: (wait) =>
        log.warn(wait, 'a migration waits for a lock of another transaction: it is repeated'),
    })
    logMigrations(log, migrated)
    const limits = {
      ...LIMITS,
      connectionsMax: config.databaseConnectionsMax,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
    }
    const use = purpose === 'command' ? 'background' : 'requests'
    const database = openPool({ connection, pooling }, log, use, limits)
    const close = async (): Promise<void> => {
      await database.close()
      await server.close()
    }
    await examineServer(log, database)
    await buildDerived(log, { connection, pooling }, database)
    return { ...database, connection, admin, pooling, address, migrated, isDiskFull, close }
  } catch (error) {
    await server.close()
    throw error
  }
}

function logMigrations(log: Log, { applied, newer }: Migrated): void {
  const names = applied.map(({ name }) => name)
  if (names.length > 0) log.info({ applied: names }, 'the schema is up to date')
  if (newer.length === 0) return
  log.warn(
    { migrations: newer.map(({ name }) => name) },
    'a newer version has migrated the database: this version may write to it',
  )
}

async function openServer(config: Config, log: Log, purpose: Purpose): Promise<Server> {
  const { databaseUrl, databaseConnectionsMax, workers, dataDirectory, programs } = config
  if (databaseUrl === undefined) {
    const connectionsMax =
      databaseConnectionsMax + bulkConnections(workers) + SIDE_CONNECTIONS + RELAY_CONNECTIONS
    if (purpose !== 'command') log.info({ dataDirectory: resolve(dataDirectory) }, 'data directory')
    const server = await openLocalServer({ dataDirectory, programs, purpose, connectionsMax, log })
    return { ...server, pooling: DIRECT }
  }
  const connection: ClientConfig = {
    connectionString: databaseUrl,
    application_name: 'portbook',
    keepAlive: true,
  }
  return {
    connection,
    pooling: await findPooling(config, log, connection),
    address: parseAddress(databaseUrl),
    isDiskFull: () => false,
    close: () => Promise.resolve(),
  }
}

function bulkConnections(workerCount: number): number {
  return workerCount + GUEST_RUNS_MAX + 2
}

function parseAddress(databaseUrl: string): { host: string; port: number } {
  const { hostname, port } = new URL(databaseUrl)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 5432) }
}

async function findPooling(
  { databasePooler }: Config,
  log: Log,
  connection: ClientConfig,
): Promise<Pooling> {
  if (databasePooler === 'none') return DIRECT
  const examine = databasePooler === 'transaction' ? assumePooling : detectPooling
  const pooling = await examine(connection)
  if (pooling.mode !== 'none') {
    const { mode, keepsPreparedStatements } = pooling
    log.info({ mode, keepsPreparedStatements }, 'the database is behind a connection pooler')
  }
  return pooling
}

/** A server, and its health as other pools see it. */
type Reachable = Pick<Store, 'connection' | 'pooling'> & { health?: StoreHealth }

function openPool(
  { connection, pooling, health }: Reachable,
  log: Log,
  use: PoolUse,
  limits: PoolLimits,
): OpenDatabase<Tables> {
  const onIdleError = (error: Error): void =>
    log.warn({ err: error }, 'an idle database connection ended')
  const onLostStatement = (error: unknown): void =>
    log.warn({ err: error }, 'a pooler in front of the database loses sessions; restart Portbook')
  return openDatabase<Tables>(connection, limits, onIdleError, {
    pooling,
    health,
    use,
    onLostStatement,
  })
}

// Runs before anything is written, because the order of events depends on the server. While the database accepts no
// writes, the guard of the process does it later.
async function examineServer(log: Log, database: OpenDatabase<Tables>): Promise<void> {
  try {
    const epoch = await unlessReadOnly(() => ensureEpoch(database.db))
    if (epoch !== undefined)
      log.warn({ epoch }, 'the database was restored or moved: the feed has a new epoch')
  } catch (error) {
    await database.close()
    throw error
  }
}

// After an upgrade, the index is built before serving, so that search is complete, and the mappings of groups are added. In a large catalog, its
// statements take longer than those of requests may. While the database accepts no writes, the repair of the index
// does it later.
async function buildDerived(
  log: Log,
  server: Pick<Store, 'connection' | 'pooling'>,
  database: OpenDatabase<Tables>,
): Promise<void> {
  const limits = { ...LIMITS, connectionsMax: 1, queryTimeoutMs: BULK_QUERY_MS_MAX }
  const bulk = openPool(server, log, 'background', limits)
  try {
    const documents = (await unlessReadOnly(() => ensureIndex(bulk.db))) ?? 0
    if (documents > 0) log.info({ documents }, 'the search index is built')
    const mappings = (await unlessReadOnly(() => ensureMappings(bulk.db))) ?? 0
    if (mappings > 0) log.info({ mappings }, 'the mappings of groups to roles are in effect')
  } catch (error) {
    await database.close()
    throw error
  } finally {
    await bulk.close()
  }
}
