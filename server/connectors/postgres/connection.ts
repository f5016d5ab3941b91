import { Client, DatabaseError, type QueryArrayResult } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { SourceFailure } from '../connector.ts'
import type { PooledConnection } from '../sql/connection-pool.ts'
import { watchAnswer } from '../sql/driver-failure.ts'
import { sendCancelRequest, type BackendKey } from './cancel-request.ts'
import { tlsOptions, type PostgresSetup } from './configuration.ts'
import { parseCopy, type CopyRow } from './copy-text.ts'
import { toFailure } from './failure.ts'
import { GuardedStream } from './guarded-stream.ts'
import { MessageGuard } from './message-guard.ts'
import { streamRows } from './row-stream.ts'

/** A connection to one database of the source; the set-up's abort signal closes it. */
export interface PostgresConnection extends PooledConnection {
  database: string
  /**
   * Sends statements, separated by `;`, in one round trip; returns the rows of the last one that
   * has any, as lists. With values, which are bound, it is one statement. Errors: the driver's.
   */
  query<Row extends unknown[]>(
    name: string,
    statements: string,
    values?: readonly unknown[],
  ): Promise<Row[]>
  /**
   * Streams the output of COPY … TO STDOUT as lists of rows. The rows of the last chunk before an
   * error may be missing. Errors: the driver's; SourceFailure protocol if rows were lost.
   */
  copy(name: string, text: string): AsyncGenerator<CopyRow[]>
  /**
   * Sends statements, separated by `;`, and streams the rows of the one that has any as lists of
   * texts. The rows of the last list before an error may be missing. Errors: the driver's.
   */
  rows(name: string, statements: string): AsyncGenerator<CopyRow[]>
}

const CONNECT_TIMEOUT_MS = 10_000
const KEEP_ALIVE_AFTER_MS = 10_000
const END_TIMEOUT_MS = 2000

/** Connects to a database. Errors: SourceFailure. */
export async function connect(
  connecting: PostgresSetup,
  database: string,
): Promise<PostgresConnection> {
  const connection = new DriverConnection(connecting, database)
  await connection.dial()
  return connection
}

// Every option is set, because the driver reads missing ones from this process's environment, which
// describes another server.
function newClient(connecting: PostgresSetup, database: string, stream: GuardedStream): Client {
  const { setup, configuration } = connecting
  return new Client({
    host: configuration.host,
    port: configuration.port,
    user: configuration.user,
    database,
    // The driver would replace an empty password with PGPASSWORD or a password file.
    password: () => setup.secrets['password'] ?? '',
    // The stream negotiates TLS.
    ssl: false,
    application_name: 'portbook',
    client_encoding: 'UTF8',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    stream: () => stream,
  })
}

/** A connection to the server that can be closed without the protocol's shutdown. */
class DriverConnection implements PostgresConnection {
  readonly database: string
  readonly #connecting: PostgresSetup
  readonly #guard: MessageGuard
  readonly #stream: GuardedStream
  readonly #client: Client
  readonly #onAbort = (): void => void this.#cut()
  #key: BackendKey | undefined
  #cutting: Promise<void> | undefined
  #isStreaming = false
  #statementStartedAt: number | undefined
  #hasEnded = false

  constructor(connecting: PostgresSetup, database: string) {
    this.database = database
    this.#connecting = connecting
    this.#guard = new MessageGuard(connecting.address)
    const socket = connecting.setup.dialer.socket()
    this.#stream = new GuardedStream(socket, tlsOptions(connecting), this.#guard)
    this.#client = newClient(connecting, database, this.#stream)
    this.#client.connection.once('backendKeyData', (message: unknown) => {
      this.#key = readKey(message)
    })
    // The running statement reports connection errors; between statements they are ignored.
    this.#client.on('error', () => undefined)
    this.#client.once('end', () => (this.#hasEnded = true))
  }

  get isUsable(): boolean {
    return !this.#hasEnded && this.#cutting === undefined && !this.#isStreaming
  }

  /** Connects and logs in. Errors: SourceFailure. */
  async dial(): Promise<void> {
    const { setup } = this.#connecting
    if (setup.signal.aborted) throw this.failure(setup.signal.reason)
    setup.signal.addEventListener('abort', this.#onAbort, { once: true })
    const startedAt = performance.now()
    try {
      await this.#client.connect()
    } catch (error) {
      await this.#cut()
      throw this.failure(error)
    } finally {
      setup.sent(`connect to ${this.database}`, performance.now() - startedAt)
    }
  }

  async query<Row extends unknown[]>(
    name: string,
    statements: string,
    values?: readonly unknown[],
  ): Promise<Row[]> {
    const startedAt = this.#begun()
    const timer = this.#startTimer()
    try {
      const bound = values === undefined ? {} : { values: [...values] }
      const query = { text: statements, rowMode: 'array' as const, ...bound }
      // The driver returns a list for several statements, which its types do not declare.
      const answer: QueryArrayResult<Row> | QueryArrayResult<Row>[] =
        await this.#client.query<Row>(query)
      const answers = Array.isArray(answer) ? answer : [answer]
      return answers.findLast(({ fields }) => fields.length > 0)?.rows ?? []
    } finally {
      timer.stop()
      this.#connecting.setup.sent(name, performance.now() - startedAt)
    }
  }

  async *copy(name: string, text: string): AsyncGenerator<CopyRow[]> {
    const answer = this.#listenForAnswer()
    const stream = this.#client.query(copyTo(text))
    // An error between reads is thrown by the next read.
    stream.on('error', () => undefined)
    let rowCount = 0
    try {
      for await (const rows of this.#yieldRows(name, parseCopy(stream), answer.arrived)) {
        rowCount += rows.length
        yield rows
      }
    } finally {
      answer.forget()
    }
    if (stream.rowCount !== rowCount) {
      throw new SourceFailure('protocol', 'The answer of the source is incomplete.')
    }
  }

  async *rows(name: string, statements: string): AsyncGenerator<CopyRow[]> {
    // The total length of streamed rows is not limited.
    this.#guard.isStreaming = true
    try {
      const rows = streamRows(this.#client, this.#stream, statements)
      yield* this.#yieldRows(name, rows, Promise.resolve())
    } finally {
      this.#guard.isStreaming = false
    }
  }

  /** Yields lists of rows, and limits the time that the server takes for each. */
  async *#yieldRows(
    name: string,
    lists: AsyncIterable<CopyRow[]>,
    isAnswered: Promise<void>,
  ): AsyncGenerator<CopyRow[]> {
    this.#isStreaming = true
    let waitedMs = 0
    let since = this.#begun()
    let timer = this.#startTimer()
    try {
      for await (const rows of lists) {
        timer.stop()
        waitedMs += performance.now() - since
        yield rows
        // The rest may already be buffered.
        this.#connecting.setup.signal.throwIfAborted()
        since = performance.now()
        timer = this.#startTimer()
      }
      await isAnswered
      this.#isStreaming = false
    } catch (error) {
      // A statement rejected by the server leaves the connection usable; other errors mean that it
      // is lost.
      this.#isStreaming = !(error instanceof DatabaseError)
      throw error
    } finally {
      timer.stop()
      this.#connecting.setup.sent(name, waitedMs + performance.now() - since)
    }
  }

  failure(error: unknown): SourceFailure {
    const { address, configuration, setup } = this.#connecting
    const startedAt = this.#statementStartedAt
    return toFailure(error, {
      address,
      user: configuration.user,
      database: this.database,
      statementTimeoutMs: configuration.statementTimeoutMs,
      statementMs: startedAt === undefined ? 0 : performance.now() - startedAt,
      isAborted: setup.signal.aborted,
    })
  }

  async close(): Promise<void> {
    if (this.#hasEnded) return
    if (this.#isStreaming || this.#cutting !== undefined) return await this.#cut()
    this.#release()
    const end = (): unknown => this.#stream.destroy(new Error('no end in time'))
    const timer = setTimeout(end, END_TIMEOUT_MS)
    await this.#client.end().catch(() => undefined)
    clearTimeout(timer)
  }

  /** Cancels the statement on the server and hangs up. Idempotent. */
  #cut(): Promise<void> {
    this.#cutting ??= this.#cancelAndHangUp()
    return this.#cutting
  }

  async #cancelAndHangUp(): Promise<void> {
    this.#release()
    // Without the cancel, the statement would run until it next writes; without hanging up, a
    // server that waits for the client to read would not wake up.
    if (this.#key !== undefined) await sendCancelRequest(this.#connecting, this.#key)
    this.#stream.destroy(new Error('the connection was closed'))
  }

  /** Stops listening for the abort. */
  #release(): void {
    this.#connecting.setup.signal.removeEventListener('abort', this.#onAbort)
  }

  /** Closes the connection if the server neither answers nor stops a statement. */
  #startTimer(): { stop(): void } {
    const { address, configuration } = this.#connecting
    return watchAnswer(address, configuration.statementTimeoutMs, (failure) =>
      this.#stream.destroy(failure),
    )
  }

  #begun(): number {
    const startedAt = performance.now()
    this.#statementStartedAt = startedAt
    return startedAt
  }

  /** Resolves when the server has answered everything or is gone. */
  #listenForAnswer(): { arrived: Promise<void>; forget(): void } {
    const { promise: arrived, resolve } = Promise.withResolvers<void>()
    this.#client.once('drain', resolve).once('end', resolve)
    return {
      arrived,
      forget: () => void this.#client.off('drain', resolve).off('end', resolve),
    }
  }
}

function readKey(message: unknown): BackendKey | undefined {
  if (typeof message !== 'object' || message === null) return undefined
  if (!('processID' in message) || !('secretKey' in message)) return undefined
  const { processID, secretKey } = message
  if (typeof processID !== 'number' || typeof secretKey !== 'number') return undefined
  return { processId: processID, secretKey }
}
