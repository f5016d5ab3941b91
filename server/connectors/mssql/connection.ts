import type { Connection as Driver, Request } from 'tedious'
import { newCancellation, SourceFailure } from '../connector.ts'
import type { PooledConnection } from '../sql/connection-pool.ts'
import { describeTimeout } from '../sql/driver-failure.ts'
import { RowQueue } from '../sql/row-queue.ts'
import type { TdsSetup } from './configuration.ts'
import { ByteGuard, CANCEL_TIMEOUT_MS, loadDriver, newDriver, type DriverModule } from './driver.ts'
import type { EntraTokens } from './entra.ts'
import { isStatementError, toFailure } from './failure.ts'
import { readFlavour, type MssqlFlavour } from './flavour.ts'
import { QUEUE_LIMIT, readRow, type TdsRow } from './rows.ts'
import { LOCK_SETTINGS, serverStatement, type MssqlStatement } from './statements.ts'

/** The parts from which a session opens its connections. */
interface TdsAccess {
  connecting: TdsSetup
  /** The tokens of an application; undefined with a user. */
  tokens: EntraTokens | undefined
}

/**
 * An open connection; the set-up's abort signal stops its statement on the server and closes it.
 */
export interface TdsConnection extends PooledConnection {
  flavour: MssqlFlavour
  /** The database in which its statements run. */
  database: string
  /** Runs a small statement and returns all rows. Errors: the driver's; SourceFailure too_large. */
  query(statement: MssqlStatement): Promise<TdsRow[]>
  /** Streams rows in chunks. Errors: the driver's; SourceFailure cancelled. */
  stream(statement: MssqlStatement): AsyncGenerator<TdsRow[]>
}

const QUERY_ROWS_MAX = 100_000
/** The time after which the driver has ended a cancelled statement in any case. */
const CANCEL_MARGIN_MS = 500

/** Opens a connection, with a database if it is not the configured one. Errors: SourceFailure. */
export async function connect(access: TdsAccess, database?: string): Promise<TdsConnection> {
  const { configuration, setup } = access.connecting
  const line = new DriverConnection(access)
  try {
    await line.dial(database ?? configuration.database)
    const [row = []] = await line.query(serverStatement())
    const [edition, version, serverName, current] = row
    const flavour = readFlavour(
      Number(edition ?? 0),
      String(version ?? ''),
      String(serverName ?? configuration.host),
      configuration.host,
    )
    if (flavour.hasLockSettings) await line.query(LOCK_SETTINGS)
    setup.signal.throwIfAborted()
    return Object.assign(line, { flavour, database: String(current ?? '') })
  } catch (error) {
    const failure = line.failure(error)
    await line.close()
    throw failure
  }
}

/** A statement that runs on a connection. */
interface RunningStatement {
  request: Request
  queue: RowQueue<TdsRow>
  /** Fulfils when the driver has ended it. */
  ended: Promise<void>
}

/** A connection of the driver. */
class DriverConnection {
  readonly #access: TdsAccess
  readonly #guard: ByteGuard
  readonly #onAbort = (): void => void this.close()
  readonly #closing = new AbortController()
  #module: DriverModule | undefined
  #driver: Driver | undefined
  #loginNumber: number | undefined
  #running: RunningStatement | undefined
  #cutting: Promise<void> | undefined

  constructor(access: TdsAccess) {
    this.#access = access
    this.#guard = new ByteGuard(access.connecting.address)
  }

  get isUsable(): boolean {
    return this.#cutting === undefined
  }

  /** Connects and logs in. Errors: the driver's, those of the dialer; SourceFailure. */
  async dial(database: string | undefined): Promise<void> {
    const { connecting, tokens } = this.#access
    const { setup } = connecting
    setup.signal.throwIfAborted()
    setup.signal.addEventListener('abort', this.#onAbort, { once: true })
    this.#module = await loadDriver()
    const token = await tokens?.getToken()
    const startedAt = performance.now()
    const signal = AbortSignal.any([setup.signal, this.#closing.signal])
    signal.throwIfAborted()
    const guard = this.#guard
    const driver = newDriver(this.#module, { connecting, database, token, guard, signal })
    this.#driver = driver
    driver.on('errorMessage', ({ number }) => {
      this.#loginNumber = number
    })
    driver.on('error', (error) => this.#running?.queue.end(error))
    driver.on('end', () => void this.close())
    try {
      await logIn(driver)
    } finally {
      setup.sent('connect', performance.now() - startedAt)
    }
  }

  async query(statement: MssqlStatement): Promise<TdsRow[]> {
    const rows: TdsRow[] = []
    for await (const chunk of this.stream(statement)) {
      rows.push(...chunk)
      if (rows.length <= QUERY_ROWS_MAX) continue
      const message = `The server returned more than ${QUERY_ROWS_MAX} rows of ${statement.name}`
      throw new SourceFailure('too_large', message)
    }
    return rows
  }

  /** Streams a statement's rows; the next statement may start only after all rows were taken. */
  async *stream({ name, text }: MssqlStatement): AsyncGenerator<TdsRow[]> {
    const running = this.#start(text)
    const { statementTimeoutMs } = this.#access.connecting.configuration
    const startedAt = performance.now()
    let remainingMs = statementTimeoutMs
    let isAnswered = false
    try {
      for (;;) {
        const waitingSince = performance.now()
        const rows = await this.#take(running.queue, remainingMs)
        if (rows === undefined) break
        remainingMs -= performance.now() - waitingSince
        yield rows
      }
      isAnswered = true
    } catch (error) {
      // A statement rejected by the server leaves the connection usable.
      isAnswered = isStatementError(error)
      throw error
    } finally {
      if (!isAnswered) void this.close()
      this.#running = undefined
      this.#access.connecting.setup.sent(name, performance.now() - startedAt)
    }
  }

  #start(text: string): RunningStatement {
    const [driver, module] = [this.#driver, this.#module]
    if (driver === undefined || module === undefined || !this.isUsable) throw newCancellation()
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const request = new module.Request(text, (error) => {
      queue.end(error ?? undefined)
      resolve()
    })
    const queue = new RowQueue<TdsRow>(request, QUEUE_LIMIT)
    request.on('row', (columns: unknown) => {
      this.#guard.reset()
      queue.add(readRow(columns))
    })
    const running = { request, queue, ended }
    this.#running = running
    this.#guard.reset()
    driver.execSqlBatch(request)
    return running
  }

  /** Waits for rows, but no longer than the statement may take: the server has no such timeout. */
  async #take(queue: RowQueue<TdsRow>, remainingMs: number): Promise<TdsRow[] | undefined> {
    const { statementTimeoutMs } = this.#access.connecting.configuration
    const timer = setTimeout(
      () => queue.end(new SourceFailure('too_large', describeTimeout(statementTimeoutMs))),
      Math.max(remainingMs, 1),
    )
    try {
      return await queue.take()
    } finally {
      clearTimeout(timer)
    }
  }

  failure(error: unknown): SourceFailure {
    const { address, account, setup } = this.#access.connecting
    const isAborted = setup.signal.aborted
    return toFailure(error, { address, account, isAborted, loginNumber: this.#loginNumber })
  }

  /** Stops the statement on the server and hangs up. Idempotent. Never fails. */
  close(): Promise<void> {
    this.#cutting ??= this.#stopAndHangUp()
    return this.#cutting
  }

  async #stopAndHangUp(): Promise<void> {
    this.#access.connecting.setup.signal.removeEventListener('abort', this.#onAbort)
    this.#closing.abort()
    const running = this.#running
    if (running !== undefined) {
      running.queue.end(newCancellation())
      // The server notices a closed connection only at its next write, which may be much later.
      running.request.cancel()
      await waitAtMost(running.ended, CANCEL_TIMEOUT_MS + CANCEL_MARGIN_MS)
    }
    this.#driver?.close()
  }
}

async function logIn(driver: Driver): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  driver.once('connect', (error) => (error === undefined ? resolve() : reject(error)))
  driver.connect()
  await promise
}

async function waitAtMost(ended: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([ended, promise])
  clearTimeout(timer)
}
