/**
 * The process that reads one source, for one check or one session: it connects, parses what the
 * source sends, and passes it on. A source that breaks this process does not affect its parent. It
 * receives its instructions and credentials on standard input, replies on descriptor 4, and ends
 * when its standard input closes.
 */

import { Socket } from 'node:net'
import { requireGrants } from '../access.ts'
import { newDialer } from '../../platform/kit/dialer.ts'
import { CONNECTORS } from '../connectors.ts'
import {
  newCancellation,
  type Connector,
  type KnownVersions,
  type Scope,
  type Setup,
  type SourceSession,
} from '../connector.ts'
import { scope as scopeShape } from './asset-shapes.ts'
import { splitBatch, toBatchData } from './batch-data.ts'
import { toErrorData } from './failure-data.ts'
import { encodeFrame, FrameReader } from './frames.ts'
import {
  BEAT_MS,
  NOTE_CHARACTERS_MAX,
  NOTES_CHARACTERS_MAX,
  NOTES_MAX,
  toReader,
  type FromReader,
  type Notes,
  type SetupData,
  type ToReader,
} from './messages.ts'
import { Pump } from '../pump.ts'

const REPLIES_DESCRIPTOR = 4
// With all their details, they fit into one message.
const SCOPES_AHEAD_MAX = 200

const replies = new Socket({ fd: REPLIES_DESCRIPTOR, readable: false, writable: true })
replies.on('error', () => process.exit(0))

function send(message: FromReader, sent?: () => void): void {
  replies.write(encodeFrame(message), sent)
}

/** Collects the connectors' log lines until they are sent; drops those above the limits. */
class NoteBook {
  #notes: Notes = { lines: [], statements: [] }
  #characters = 0

  readonly log: Setup['log'] = (level, text) => {
    const kept = this.#keep(text)
    if (kept !== undefined) this.#notes.lines.push({ level, text: kept })
  }

  readonly sent: Setup['sent'] = (statement, durationMs) => {
    const kept = this.#keep(statement)
    if (kept !== undefined) this.#notes.statements.push({ statement: kept, durationMs })
  }

  take(): Notes {
    const notes = this.#notes
    this.#notes = { lines: [], statements: [] }
    this.#characters = 0
    return notes
  }

  #keep(text: string): string | undefined {
    const { lines, statements } = this.#notes
    const kept = text.slice(0, NOTE_CHARACTERS_MAX)
    this.#characters += kept.length
    const isFull =
      this.#characters > NOTES_CHARACTERS_MAX ||
      Math.max(lines.length, statements.length) >= NOTES_MAX
    return isFull ? undefined : kept
  }
}

/** Serves the calls of the parent process. */
class Reader {
  readonly #notes = new NoteBook()
  readonly #aborting = new AbortController()
  readonly #streams = new Map<number, Pump<unknown>>()
  #session: SourceSession | undefined
  #known = new Map<string, string>()

  beat(): void {
    send({ type: 'beat', notes: this.#notes.take() })
  }

  async serve(request: ToReader): Promise<void> {
    const { id } = request
    try {
      const value = await this.#answer(request)
      send({ type: 'value', id, value, notes: this.#notes.take() })
    } catch (error) {
      send({ type: 'error', id, error: toErrorData(error), notes: this.#notes.take() })
    }
  }

  async #answer(request: ToReader): Promise<unknown> {
    switch (request.call) {
      case 'check':
        return await getConnector(request.source).check(this.#setup(request.setup))
      case 'open':
        this.#session = await getConnector(request.source).open(this.#setup(request.setup))
        return null
      case 'scopes':
        this.#streams.set(request.stream, new Pump(this.#opened().scopes(), SCOPES_AHEAD_MAX))
        return null
      case 'hiddenPaths':
        return this.#opened().hiddenPaths?.() ?? []
      case 'know':
        for (const [path, version] of request.versions) this.#known.set(path, version)
        return null
      case 'read': {
        const known = this.#known
        this.#known = new Map()
        this.#streams.set(request.stream, new Pump(this.#read(request.scopes, known), 1))
        return null
      }
      case 'next':
        return await this.#streams.get(request.stream)?.take()
      case 'end':
        await this.#streams.get(request.stream)?.end()
        this.#streams.delete(request.stream)
        return null
      case 'abort':
        this.#aborting.abort(newCancellation())
        return null
      case 'prove':
        return (await this.#opened().prove?.(request.tables)) ?? []
      case 'grants':
        this.#streams.set(request.stream, new Pump(this.#grants(request), 1))
        return null
      case 'measure':
        return (await this.#opened().measure?.(request.table)) ?? { failure: 'not_offered' }
      case 'close':
        await this.#session?.close()
        return null
    }
  }

  #opened(): SourceSession {
    if (this.#session === undefined) throw new Error('no session is open')
    return this.#session
  }

  async *#read(scopes: readonly unknown[], known: KnownVersions): AsyncGenerator {
    const parsed: Scope[] = scopes.map((each) => scopeShape.parse(each))
    for await (const batch of this.#opened().read(parsed, known)) {
      for (const piece of splitBatch(batch, this.#notes.log)) yield toBatchData(piece)
    }
  }

  async *#grants({ scopes, tables }: Extract<ToReader, { call: 'grants' }>): AsyncGenerator {
    const parsed: Scope[] = scopes.map((each) => scopeShape.parse(each))
    yield* requireGrants(this.#opened())(parsed, tables)
  }

  #setup({
    configuration,
    filters,
    secrets,
    dialRules,
  }: SetupData & Pick<Setup, 'filters'>): Setup {
    return {
      configuration,
      filters,
      secrets,
      dialer: newDialer(dialRules),
      signal: this.#aborting.signal,
      log: this.#notes.log,
      sent: this.#notes.sent,
    }
  }
}

function getConnector(source: string): Connector {
  const connector = CONNECTORS.get(source)
  if (connector === undefined) throw new Error(`unknown connector ${source}`)
  return connector
}

function die(error: unknown): void {
  send({ type: 'died', error: toErrorData(error) }, () => process.exit(1))
}

// A terminal or a service manager signals every process of the server: the server decides how long
// a run may continue, and ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
process.on('uncaughtException', die)
process.on('unhandledRejection', die)

const reader = new Reader()
const frames = new FrameReader()
process.stdin.on('data', (chunk: Buffer) => {
  for (const message of frames.push(chunk)) void reader.serve(toReader.parse(message))
})
process.stdin.on('end', () => process.exit(0))
process.stdin.on('error', () => process.exit(0))
reader.beat()
setInterval(() => reader.beat(), BEAT_MS)
