import { Client, DatabaseError } from 'pg'
import type { QueryArrayResult } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { SourceFailure } from '../connector.ts'
import { sendCancelRequest } from './cancel-request.ts'
import type { BackendKey } from './cancel-request.ts'
import { tlsOptions } from './configuration.ts'
import type { PostgresSetup } from './configuration.ts'
import { parseCopy } from './copy-text.ts'
import type { CopyRow } from './copy-text.ts'
import { toFailure } from './failure.ts'
import type { PostgresFailureFacts } from './failure.ts'
import { GuardedStream } from './guarded-stream.ts'
import { MessageGuard } from './message-guard.ts'
import { streamRows } from './row-stream.ts'

/** A connection to one database of the source; the set-up's abort signal closes it. */
export interface PostgresConnection {
  database: string
  /** False after either side closed it. */
  readonly isOpen: boolean
  /**
   * Sends statements, separated by `;`, in one round trip; returns the rows of the last one that
   * has any, as lists. Errors: the driver's.
   */
  query<Row extends unknown[]>(name: string, statements: string): Promise<Row[]>
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
  /** Converts the driver's error to a failure. */
  failure(error: unknown): SourceFailure
  /** Closes the connection and cancels its statement on the server. */
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 10_000
const KEEP_ALIVE_AFTER_MS = 10_000
const END_TIMEOUT_MS = 2000

/** The time after the server's own timeout before a statement is abandoned. */
const ANSWER_MARGIN_MS = 10_000

/** Connects to a database. Errors: SourceFailure. */
export async function connect(
  connecting: PostgresSetup,
  database: string,
): Promise<PostgresConnection> {
  const { setup, configuration } = connecting
  const circumstances = (): PostgresFailureFacts => ({
    address: connecting.address,
    user: configuration.user,
    database,
    statementTimeoutMs: configuration.statementTimeoutMs,
    statementMs: 0,
    isAborted: setup.signal.aborted,
  })
  if (setup.signal.aborted) throw toFailure(setup.signal.reason, circumstances())
  const guard = new MessageGuard(connecting.address)
  const stream = new GuardedStream(setup.dialer.socket(), tlsOptions(connecting), guard)
  const client = newClient(connecting, database, stream)
  const line = new DriverConnection(connecting, client, stream, guard)
  const startedAt = performance.now()
  try {
    await client.connect()
  } catch (error) {
    await line.cut()
    throw toFailure(error, circumstances())
  } finally {
    setup.sent(`connect to ${database}`, performance.now() - startedAt)
  }
  return new OpenConnection(connecting, client, line, circumstances)
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
class DriverConnection {
  readonly #connecting: PostgresSetup
  readonly #stream: GuardedStream
  readonly #guard: MessageGuard
  readonly #onAbort = (): void => void this.cut()
  #key: BackendKey | undefined
  #cutting: Promise<void> | undefined

  constructor(
    connecting: PostgresSetup,
    client: Client,
    stream: GuardedStream,
    guard: MessageGuard,
  ) {
    this.#connecting = connecting
    this.#stream = stream
    this.#guard = guard
    client.connection.once('backendKeyData', (message: unknown) => (this.#key = readKey(message)))
    // The running statement reports connection errors; between statements they are ignored.
    client.on('error', () => undefined)
    connecting.setup.signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  get isCut(): boolean {
    return this.#cutting !== undefined
  }

  /** Cancels the statement on the server and hangs up. Idempotent. */
  cut(): Promise<void> {
    this.#cutting ??= this.#cancelAndHangUp()
    return this.#cutting
  }

  /** Hangs up with an error, which ends the running statement. */
  breakOff(error: Error): void {
    this.#stream.destroy(error)
  }

  /** Streams the rows of statements, whose total length is then not limited. */
  async *streamRows(client: Client, statements: string): AsyncGenerator<CopyRow[]> {
    this.#guard.isStreaming = true
    try {
      yield* streamRows(client, this.#stream, statements)
    } finally {
      this.#guard.isStreaming = false
    }
  }

  /** Stops listening for the abort. */
  release(): void {
    this.#connecting.setup.signal.removeEventListener('abort', this.#onAbort)
  }

  async #cancelAndHangUp(): Promise<void> {
    this.release()
    // Without the cancel, the statement would run until it next writes; without hanging up, a
    // server that waits for the client to read would not wake up.
    if (this.#key !== undefined) await sendCancelRequest(this.#connecting, this.#key)
    this.#stream.destroy(new Error('the connection was closed'))
  }
}

class OpenConnection implements PostgresConnection {
  readonly database: string
  readonly #connecting: PostgresSetup
  readonly #client: Client
  readonly #line: DriverConnection
  readonly #circumstances: () => PostgresFailureFacts
  #isStreaming = false
  #statementStartedAt = 0
  #hasEnded = false

  constructor(
    connecting: PostgresSetup,
    client: Client,
    line: DriverConnection,
    circumstances: () => PostgresFailureFacts,
  ) {
    this.database = circumstances().database
    this.#connecting = connecting
    this.#client = client
    this.#line = line
    this.#circumstances = circumstances
    client.once('end', () => (this.#hasEnded = true))
  }

  get isOpen(): boolean {
    return !this.#hasEnded && !this.#line.isCut
  }

  async query<Row extends unknown[]>(name: string, statements: string): Promise<Row[]> {
    const startedAt = this.#begun()
    const timer = this.#startTimer()
    try {
      const query = { text: statements, rowMode: 'array' as const }
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
      for await (const rows of this.#stream(name, parseCopy(stream), answer.arrived)) {
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
    const rows = this.#line.streamRows(this.#client, statements)
    yield* this.#stream(name, rows, Promise.resolve())
  }

  /** Yields lists of rows, and limits the time that the server takes for each. */
  async *#stream(
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
    const statementMs = performance.now() - this.#statementStartedAt
    return toFailure(error, { ...this.#circumstances(), statementMs })
  }

  async close(): Promise<void> {
    if (this.#hasEnded) return
    if (this.#isStreaming || this.#line.isCut) return await this.#line.cut()
    this.#line.release()
    const timer = setTimeout(() => this.#line.breakOff(new Error('no end in time')), END_TIMEOUT_MS)
    await this.#client.end().catch(() => undefined)
    clearTimeout(timer)
  }

  /**
   * Closes the connection if the server neither answers nor stops a statement: its own timeout does
   * not help if the network drops everything.
   */
  #startTimer(): { stop(): void } {
    const { address, configuration } = this.#connecting
    const limitMs = configuration.statementTimeoutMs + ANSWER_MARGIN_MS
    const timer = setTimeout(() => {
      const message = `${address} stopped responding in the middle of a statement.`
      this.#line.breakOff(new SourceFailure('unreachable', message))
    }, limitMs)
    return { stop: () => clearTimeout(timer) }
  }

  #begun(): number {
    this.#statementStartedAt = performance.now()
    return this.#statementStartedAt
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
