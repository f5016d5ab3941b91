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
import type { Circumstances } from './failure.ts'
import { GuardedStream } from './guarded-stream.ts'
import { MessageGuard } from './message-guard.ts'

/** A connection to one database of the source; its abort signal is that of the set-up. */
export interface Connection {
  database: string
  /** False once it has ended, from whichever side. */
  readonly isOpen: boolean
  /**
   * Sends statements, `;` between them, in one round trip; gives the rows of the last one that has
   * any, as lists. Errors: the driver's.
   */
  query<Row extends unknown[]>(name: string, statements: string): Promise<Row[]>
  /**
   * Streams what a COPY … TO STDOUT says, as lists of rows. The rows of the last chunk before an error
   * may be missing. Errors: the driver's; SourceFailure protocol when rows were lost on the way.
   */
  copy(name: string, text: string): AsyncGenerator<CopyRow[]>
  /** The driver's error as our own. */
  failure(error: unknown): SourceFailure
  /** Ends it; what still runs at the server is cancelled there. */
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 10_000
const KEEP_ALIVE_AFTER_MS = 10_000
const END_TIMEOUT_MS = 2000

/** How much later than the server we give a statement up. */
const ANSWER_MARGIN_MS = 10_000

/** Begins a transaction that changes nothing, in which the settings of the user's role have no effect. */
export function beginStatement({ configuration }: PostgresSetup): string {
  return [
    'begin transaction isolation level repeatable read read only',
    `set local search_path = ''`,
    `set local statement_timeout = ${configuration.statementTimeoutMs}`,
    // A table that someone alters is left for later rather than waited for.
    `set local lock_timeout = '2s'`,
    // Names of types and expressions are made into text by these; a role may have other ones.
    'set local quote_all_identifiers = off',
    `set local datestyle = 'ISO, MDY'`,
    'set local intervalstyle = postgres',
    `set local timezone = 'UTC'`,
    'set local extra_float_digits = 1',
    'set local bytea_output = hex',
    'set local standard_conforming_strings = on',
    `set local lc_monetary = 'C'`,
    // Such a database checks no name: one that is not UTF-8 would end the statement that reads it.
    `select pg_catalog.set_config('client_encoding', 'SQL_ASCII', true)
    where pg_catalog.getdatabaseencoding() = 'SQL_ASCII'`,
  ].join(';')
}

/** Connects to a database. Errors: SourceFailure. */
export async function connect(connecting: PostgresSetup, database: string): Promise<Connection> {
  const { setup, configuration } = connecting
  const circumstances = (): Circumstances => ({
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
  const line = new Line(connecting, client, stream)
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

// Every setting is given, because the driver takes what is not given from this process's own
// environment, which speaks of another server.
function newClient(connecting: PostgresSetup, database: string, stream: GuardedStream): Client {
  const { setup, configuration } = connecting
  return new Client({
    host: configuration.host,
    port: configuration.port,
    user: configuration.user,
    database,
    // An empty password given as such would be replaced by PGPASSWORD or a password file.
    password: () => setup.secrets['password'] ?? '',
    // The stream does it.
    ssl: false,
    application_name: 'portbook',
    client_encoding: 'UTF8',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    stream: () => stream,
  })
}

/** The line to the server, and how it is cut when there is no time for a polite end. */
class Line {
  readonly #connecting: PostgresSetup
  readonly #stream: GuardedStream
  readonly #onAbort = (): void => void this.cut()
  #key: BackendKey | undefined
  #cutting: Promise<void> | undefined

  constructor(connecting: PostgresSetup, client: Client, stream: GuardedStream) {
    this.#connecting = connecting
    this.#stream = stream
    client.connection.once('backendKeyData', (told: unknown) => (this.#key = readKey(told)))
    // What fails with the line is told by the statement that runs; between two there is no one to tell.
    client.on('error', () => undefined)
    connecting.setup.signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  get isCut(): boolean {
    return this.#cutting !== undefined
  }

  /** Cancels what runs at the server, and hangs up. Once is enough. */
  cut(): Promise<void> {
    this.#cutting ??= this.#cancelAndHangUp()
    return this.#cutting
  }

  /** Hangs up with an error, which the statement that runs ends with. */
  breakOff(error: Error): void {
    this.#stream.destroy(error)
  }

  /** Stops listening for the abort. */
  release(): void {
    this.#connecting.setup.signal.removeEventListener('abort', this.#onAbort)
  }

  async #cancelAndHangUp(): Promise<void> {
    this.release()
    // Hanging up alone would leave the statement running until it next writes; the cancel alone does
    // not wake a server that waits for us to read.
    if (this.#key !== undefined) await sendCancelRequest(this.#connecting, this.#key)
    this.#stream.destroy(new Error('the line was cut'))
  }
}

class OpenConnection implements Connection {
  readonly database: string
  readonly #connecting: PostgresSetup
  readonly #client: Client
  readonly #line: Line
  readonly #circumstances: () => Circumstances
  #isStreaming = false
  #statementStartedAt = 0
  #hasEnded = false

  constructor(
    connecting: PostgresSetup,
    client: Client,
    line: Line,
    circumstances: () => Circumstances,
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
      // Of several statements the driver gives a list, which its types do not tell.
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
    // An error that comes while nobody reads is met by the next read.
    stream.on('error', () => undefined)
    this.#isStreaming = true
    let rowCount = 0
    let waitedMs = 0
    let since = this.#begun()
    let timer = this.#startTimer()
    try {
      for await (const rows of parseCopy(stream)) {
        timer.stop()
        rowCount += rows.length
        waitedMs += performance.now() - since
        yield rows
        since = performance.now()
        timer = this.#startTimer()
      }
      await answer.arrived
      this.#isStreaming = false
    } catch (error) {
      // A refusal leaves the connection usable; what failed with the line has no other use for it.
      this.#isStreaming = !(error instanceof DatabaseError)
      throw error
    } finally {
      timer.stop()
      answer.forget()
      this.#connecting.setup.sent(name, waitedMs + performance.now() - since)
    }
    if (stream.rowCount !== rowCount) {
      throw new SourceFailure('protocol', 'Not all that the source sent has arrived.')
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
   * Breaks the connection off if the server neither answers nor stops a statement: its own timeout does
   * not help when the network between swallows everything.
   */
  #startTimer(): { stop(): void } {
    const { address, configuration } = this.#connecting
    const limitMs = configuration.statementTimeoutMs + ANSWER_MARGIN_MS
    const timer = setTimeout(() => {
      const message = `${address} fell silent in the middle of a statement.`
      this.#line.breakOff(new SourceFailure('unreachable', message))
    }, limitMs)
    return { stop: () => clearTimeout(timer) }
  }

  #begun(): number {
    this.#statementStartedAt = performance.now()
    return this.#statementStartedAt
  }

  /** Tells when the server has answered everything that it was asked, or is gone. */
  #listenForAnswer(): { arrived: Promise<void>; forget(): void } {
    const { promise: arrived, resolve } = Promise.withResolvers<void>()
    this.#client.once('drain', resolve).once('end', resolve)
    return {
      arrived,
      forget: () => void this.#client.off('drain', resolve).off('end', resolve),
    }
  }
}

function readKey(told: unknown): BackendKey | undefined {
  if (typeof told !== 'object' || told === null) return undefined
  if (!('processID' in told) || !('secretKey' in told)) return undefined
  const { processID, secretKey } = told
  if (typeof processID !== 'number' || typeof secretKey !== 'number') return undefined
  return { processId: processID, secretKey }
}
