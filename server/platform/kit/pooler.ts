import { Client } from 'pg'
import type { ClientConfig } from 'pg'
import { isLostStatement, isStatementTimeout } from './store-errors.ts'

// A pooler such as PgBouncer may run each transaction of a client on another backend of PostgreSQL. Session state
// is then lost between two transactions: settings, LISTEN, locks, temporary tables, and prepared statements unless
// the pooler tracks them.

/** The session state that is preserved between two transactions. */
export interface Pooling {
  /**
   * `none`: a direct connection. `session`: a pooler that keeps a backend for each client. `transaction`: a
   * pooler that may change the backend after each transaction.
   */
  mode: 'none' | 'session' | 'transaction'
  /** Whether a prepared statement can be used in a later transaction. */
  keepsPreparedStatements: boolean
  /** Whether the server plans for spinning disks, which Portbook's sessions correct. */
  plansForDisks: boolean
  /** Whether the server can check during a statement whether its client still exists. */
  checksClients: boolean
}

/** A direct connection. */
export const DIRECT: Pooling = {
  mode: 'none',
  keepsPreparedStatements: true,
  plansForDisks: true,
  checksClients: true,
}

/** An arbitrary pooler. Statements that work behind it work behind every other one. */
export const TRANSACTION_POOLING: Pooling = {
  mode: 'transaction',
  keepsPreparedStatements: false,
  plansForDisks: true,
  checksClients: true,
}

/** The highest `random_page_cost` of Portbook's sessions, suitable for memory and solid-state disks. */
export const RANDOM_PAGE_COST_MAX = 1.1

/** SQL condition: the server can check whether a client still exists. PostgreSQL on Windows refuses the setting. */
export const CAN_CHECK_CLIENTS = `version() !~* 'mingw|windows|visual c'`

const CONNECT_MS_MAX = 10_000
const STATEMENT_MS_MAX = 1000
// Other clients' use of backends may hide a change, but not five times.
const ROUNDS = 5

/**
 * Detects whether a pooler is between this process and PostgreSQL, and which session state it preserves. It tests
 * the behaviour, because the names and settings of poolers differ and clients can read few of them.
 *
 * Errors: those of the driver, also if the pooler allows no transactions (`pool_mode = statement`).
 */
export async function detectPooling(connection: ClientConfig): Promise<Pooling> {
  return await withClient(connection, async (observer) => {
    const { pid, ...traits } = await readServer(observer)
    // A pooler reports an invented process ID, because a client has no dedicated backend.
    if (Reflect.get(observer, 'processID') === pid) return { ...DIRECT, ...traits }
    return await withClient(connection, async (holder) => {
      const pooling = await comparePooling(observer, holder)
      return { ...pooling, ...traits }
    })
  })
}

/** Returns how to use a server behind an arbitrary pooler. Errors: those of the driver. */
export async function assumePooling(connection: ClientConfig): Promise<Pooling> {
  return await withClient(connection, async (client) => {
    const { pid: _, ...traits } = await readServer(client)
    return { ...TRANSACTION_POOLING, ...traits }
  })
}

/** The traits of a server that decide about the settings of its sessions. */
type ServerTraits = Pick<Pooling, 'plansForDisks' | 'checksClients'>

/** Reads the traits of a server, and the process ID of the backend. */
async function readServer(client: Client): Promise<ServerTraits & { pid: number }> {
  const { rows } = await client.query<ServerTraits & { pid: number }>(
    `select pg_backend_pid() as pid, ${CAN_CHECK_CLIENTS} as "checksClients",
       current_setting('random_page_cost')::float8 > ${RANDOM_PAGE_COST_MAX} as "plansForDisks"`,
  )
  return rows[0] ?? { pid: 0, plansForDisks: true, checksClients: false }
}

// A second client keeps a backend busy with an open transaction. If that is the backend on which the first client
// ran, or if the first client now runs on another one, then the pooler changes backends.
async function comparePooling(observer: Client, holder: Client): Promise<Pooling> {
  const name = `probe_${crypto.randomUUID()}`
  const observe = (): Promise<number> => findBackend(observer, name)
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await observe()
      await holder.query('begin')
      const isTaken = (await findBackend(holder)) === before
      const after = await observe()
      await holder.query('rollback')
      if (before !== after) return { ...TRANSACTION_POOLING, keepsPreparedStatements: true }
      if (isTaken) return TRANSACTION_POOLING
    }
    return { ...DIRECT, mode: 'session' }
  } catch (error) {
    // A timeout means that the pooler has more clients than backends.
    if (isLostStatement(error) || isStatementTimeout(error)) return TRANSACTION_POOLING
    throw error
  }
}

async function findBackend(client: Client, name?: string): Promise<number> {
  const { rows } = await client.query<{ pid: number }>({
    text: 'select pg_backend_pid() as pid',
    ...(name === undefined ? {} : { name }),
  })
  return rows[0]?.pid ?? 0
}

async function withClient<T>(
  connection: ClientConfig,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    ...connection,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    query_timeout: STATEMENT_MS_MAX,
  })
  // A lost connection fails the statement that it interrupts; without a listener the process would end.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
