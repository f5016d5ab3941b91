import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { Connection as Driver } from 'mysql2'
import { newCancellation, SourceFailure } from '../connector.ts'
import type { PooledConnection } from '../sql/connection-pool.ts'
import { watchAnswer } from '../sql/driver-failure.ts'
import type { MysqlSetup } from './configuration.ts'
import { newDriver } from './driver.ts'
import { toFailure } from './failure.ts'
import { readFlavour, type MysqlFlavour } from './flavour.ts'

/** A value of a row: a number only if the statement selects a small integer. */
export type Cell = string | number | null

/** Returns the text of a value; undefined for an empty one. */
export function asText(cell: Cell | undefined): string | undefined {
  return typeof cell === 'string' && cell !== '' ? cell : undefined
}

/** A row in the order of the statement's columns. */
export type Row = readonly Cell[]

/** A statement with its name in the run's log. */
export interface MysqlStatement {
  name: string
  /** With a `?` for each value. */
  text: string
  values?: readonly string[]
}

/**
 * An open connection; the set-up's abort signal closes it and stops its statement on the server.
 */
export interface MysqlConnection extends PooledConnection {
  flavour: MysqlFlavour
  /** Runs a small statement and returns all rows. Errors: the driver's. */
  query(statement: MysqlStatement): Promise<Row[]>
  /** Streams rows in chunks. Errors: the driver's; SourceFailure cancelled. */
  stream(statement: MysqlStatement): AsyncGenerator<Row[]>
}

const CONNECT_TIMEOUT_MS = 10_000
const KILL_TIMEOUT_MS = 2000
const ROWS_BUFFERED = 128

/** Opens a read-only connection. Errors: SourceFailure. */
export async function connect(connecting: MysqlSetup): Promise<MysqlConnection> {
  const { setup } = connecting
  const line = new DriverConnection(connecting)
  try {
    await line.dial(setup.signal)
    line.closeOnAbort()
    const [version] = await line.query({ name: 'version', text: 'select version()' })
    const flavour = readFlavour(String(version?.[0] ?? ''))
    if (flavour.isTooOld) {
      throw new SourceFailure('protocol', `${flavour.title} is too old to be read.`)
    }
    for (const statement of sessionStatements(connecting, flavour)) await line.query(statement)
    line.isReady = true
    return Object.assign(line, { flavour })
  } catch (error) {
    const failure = line.failure(error)
    await line.close()
    throw failure
  }
}

function sessionStatements({ configuration }: MysqlSetup, flavour: MysqlFlavour): MysqlStatement[] {
  const { statementTimeoutMs } = configuration
  const own = flavour.isMariadb
    ? `max_statement_time = ${statementTimeoutMs / 1000}`
    : `max_execution_time = ${statementTimeoutMs}`
  const settings = [
    // The driver escapes with backslashes and quotes texts with single quotes.
    `sql_mode = ''`,
    own,
    // Each part of a statement waits this long for each table that is being altered or filled.
    'lock_wait_timeout = 1',
    `time_zone = '+00:00'`,
    // The reader distinguishes the messages about a table that cannot be opened by their text.
    `lc_messages = 'en_US'`,
    // The server waits this long for the client to take rows, while earlier ones are being stored.
    'net_write_timeout = 900',
    'wait_timeout = 28800',
  ]
  return [
    { name: 'session settings', text: `set session ${settings.join(', ')}` },
    { name: 'read only', text: 'set session transaction read only' },
  ]
}

/** A connection to the server that can be closed without the protocol's shutdown. */
class DriverConnection {
  readonly #connecting: MysqlSetup
  readonly #isHelper: boolean
  readonly #socket: Socket
  readonly #onAbort = (): void => void this.close()
  /** Whether the server's statement timeout is set. */
  isReady = false
  #driver: Driver | undefined
  #running: Readable | undefined
  #closing: Promise<void> | undefined

  /** A helper only stops a statement of another connection; its own statement is never stopped. */
  constructor(connecting: MysqlSetup, isHelper = false) {
    this.#connecting = connecting
    this.#isHelper = isHelper
    this.#socket = connecting.setup.dialer.socket()
  }

  get isUsable(): boolean {
    return this.#closing === undefined
  }

  /** Connects and logs in. Errors: the driver's. */
  async dial(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const startedAt = performance.now()
    const driver = await newDriver(this.#connecting, this.#socket)
    this.#driver = driver
    // The driver does not report a closed connection to the statement's stream, which would wait
    // forever.
    driver.on('error', (error: Error) => this.#running?.destroy(error))
    try {
      await once(driver, 'connect', { signal })
    } finally {
      this.#connecting.setup.sent('connect', performance.now() - startedAt)
    }
  }

  async query(statement: MysqlStatement): Promise<Row[]> {
    const rows: Row[] = []
    for await (const piece of this.stream(statement)) rows.push(...piece)
    return rows
  }

  /** Streams a statement's rows; the next statement may start only after all rows were taken. */
  async *stream({ name, text, values = [] }: MysqlStatement): AsyncGenerator<Row[]> {
    if (this.#driver === undefined || !this.isUsable) throw newCancellation()
    const startedAt = performance.now()
    const stream = this.#driver
      .query({ sql: text, values: [...values], rowsAsArray: true })
      .stream({ highWaterMark: ROWS_BUFFERED })
    // An error between reads is thrown by the next read.
    stream.on('error', () => undefined)
    this.#running = stream
    let isAnswered = false
    let timer = this.#startTimer(stream)
    try {
      for await (const piece of pieces(stream)) {
        timer.stop()
        yield piece
        timer = this.#startTimer(stream)
      }
      isAnswered = true
    } catch (error) {
      // A statement rejected by the server leaves the connection usable.
      isAnswered = error instanceof Error && 'sqlState' in error && !('fatal' in error)
      throw error
    } finally {
      timer.stop()
      if (!isAnswered) void this.close()
      this.#running = undefined
      this.#connecting.setup.sent(name, performance.now() - startedAt)
    }
  }

  /** Ends a statement that the server neither answers nor stops. */
  #startTimer(stream: Readable): { stop(): void } {
    const { address, configuration } = this.#connecting
    const limitMs = this.isReady ? configuration.statementTimeoutMs : CONNECT_TIMEOUT_MS
    return watchAnswer(address, limitMs, (failure) => stream.destroy(failure))
  }

  /** Closes the connection when the set-up is aborted. */
  closeOnAbort(): void {
    this.#connecting.setup.signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  failure(error: unknown): SourceFailure {
    return toConnectionFailure(error, this.#connecting)
  }

  /** Stops the statement on the server and hangs up. Idempotent. Never fails. */
  close(): Promise<void> {
    this.#closing ??= this.#stopAndHangUp()
    return this.#closing
  }

  async #stopAndHangUp(): Promise<void> {
    this.#connecting.setup.signal.removeEventListener('abort', this.#onAbort)
    const isRunning = this.#running !== undefined && !this.#isHelper
    const threadId = isRunning ? this.#driver?.threadId : undefined
    this.#running?.destroy(newCancellation())
    // A server notices a closed connection only at its next write, which may be much later.
    if (threadId !== undefined) await this.#kill(threadId).catch(() => undefined)
    this.#driver?.destroy()
    this.#socket.destroy()
  }

  /** Stops a connection's statement through another connection. */
  async #kill(threadId: number): Promise<void> {
    const signal = AbortSignal.timeout(KILL_TIMEOUT_MS)
    const side = new DriverConnection(this.#connecting, true)
    try {
      await side.dial(signal)
      const killing = side.query({ name: 'kill query', text: `kill query ${threadId}` })
      signal.addEventListener('abort', () => side.#socket.destroy(), { once: true })
      await killing
    } finally {
      await side.close()
    }
  }
}

/** Converts an error of a connection to a failure. */
export function toConnectionFailure(
  error: unknown,
  { address, configuration, setup }: MysqlSetup,
): SourceFailure {
  const { user, statementTimeoutMs, ssl } = configuration
  const isAborted = setup.signal.aborted
  const isEncrypted = ssl !== 'off'
  return toFailure(error, { address, user, statementTimeoutMs, isAborted, isEncrypted })
}

/** Yields a stream's buffered rows in chunks. */
async function* pieces(stream: Readable): AsyncGenerator<Row[]> {
  let piece: Row[] = []
  for await (const row of stream) {
    // A value that is not a row marks the end of a statement without rows.
    if (!Array.isArray(row)) continue
    piece.push(row.map(readCell))
    if (stream.readableLength > 0 && piece.length < ROWS_BUFFERED) continue
    yield piece
    piece = []
  }
  if (piece.length > 0) yield piece
}

function readCell(cell: unknown): Cell {
  if (typeof cell === 'string' || typeof cell === 'number' || cell === null) return cell
  if (Buffer.isBuffer(cell)) return cell.toString()
  throw new SourceFailure(
    'protocol',
    'The server returned a value that is neither text nor a number.',
  )
}
