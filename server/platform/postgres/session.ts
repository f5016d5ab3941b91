import { Client } from 'pg'
import { findConnectionRejection } from '../kit/store-errors.ts'
import { SUPERUSER } from './cluster.ts'
import type { PostgresEndpoint } from './endpoint.ts'
import { LocalPostgresError } from './local-postgres-error.ts'

/**
 * The superuser session that a process keeps open while it uses Portbook's own PostgreSQL. It detects the end of the
 * server, and holds the locks by which processes on one data directory detect each other. The locks end with the
 * session, however the process ends.
 */
export type KeeperSession = Client

/** The locks of processes. */
type ProcessLock = 'owner' | 'serving'

/** The role and the database of the catalog. */
export const CATALOG = 'portbook'

// Advisory locks with two keys are separate from those with one key, which the catalog uses.
const LOCK_CLASS = 727_622
const LOCK_IDS: Readonly<Record<ProcessLock | 'creating', number>> = {
  owner: 1,
  serving: 2,
  creating: 3,
}
const CONNECT_MS_MAX = 2000
const QUERY_MS_MAX = 30_000

/**
 * Connects as the superuser. Returns `absent` if no server listens, and `busy` if one is starting, stopping or
 * unresponsive.
 *
 * Errors: LocalPostgresError if the server refuses the password or this user.
 */
export async function openSession(
  { host, port }: PostgresEndpoint,
  password: string,
): Promise<KeeperSession | 'absent' | 'busy'> {
  const client = new Client({
    host,
    port,
    password,
    user: SUPERUSER,
    database: 'postgres',
    application_name: 'portbook process',
    connectionTimeoutMillis: CONNECT_MS_MAX,
    query_timeout: QUERY_MS_MAX,
  })
  // The end of the connection is reported by `end`.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    void client.end().catch(() => undefined)
    return explainConnectionFailure(error, host)
  }
}

function explainConnectionFailure(error: unknown, host: string): 'absent' | 'busy' {
  const rejection = findConnectionRejection(error)
  if (rejection === 'absent' || rejection === 'busy') return rejection
  if (rejection === 'forbidden') {
    throw new LocalPostgresError(
      `The PostgreSQL in ${host} belongs to another user. Start Portbook as that user or as root.`,
    )
  }
  if (rejection === 'wrong password') {
    throw new LocalPostgresError(
      `The PostgreSQL in ${host} does not accept the password in the file "password" beside it. Restore the file from a backup.`,
    )
  }
  throw error
}

/** Acquires a lock until the session ends. Returns false if another process holds it. */
export async function tryLock(session: KeeperSession, lock: ProcessLock): Promise<boolean> {
  const { rows } = await session.query<{ taken: boolean }>(
    'select pg_try_advisory_lock($1, $2) as taken',
    [LOCK_CLASS, LOCK_IDS[lock]],
  )
  return rows[0]?.taken === true
}

/** Returns whether any process holds a lock. */
export async function isLocked(session: KeeperSession, lock: ProcessLock): Promise<boolean> {
  const { rowCount } = await session.query(
    `select from pg_locks
     where locktype = 'advisory' and classid = $1 and objid = $2 and objsubid = 2 and granted`,
    [LOCK_CLASS, LOCK_IDS[lock]],
  )
  return rowCount !== 0
}

/** Creates the role and the database of the catalog if they are missing. */
export async function ensureCatalog(session: KeeperSession, password: string): Promise<void> {
  const exists = async (table: 'pg_roles' | 'pg_database', column: string): Promise<boolean> => {
    const { rowCount } = await session.query(`select from ${table} where ${column} = $1`, [CATALOG])
    return rowCount !== 0
  }
  if (await exists('pg_database', 'datname')) return
  const lock = [LOCK_CLASS, LOCK_IDS.creating]
  // Serializes processes that start concurrently.
  await session.query('select pg_advisory_lock($1, $2)', lock)
  if (!(await exists('pg_roles', 'rolname'))) {
    await session.query(`create role ${CATALOG} login password ${session.escapeLiteral(password)}`)
  }
  if (!(await exists('pg_database', 'datname'))) {
    await session.query(`create database ${CATALOG} owner ${CATALOG}`)
  }
  await session.query('select pg_advisory_unlock($1, $2)', lock)
}
