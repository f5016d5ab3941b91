import type { z } from 'zod'
import { newCancellation, SourceFailure, type Setup } from '../connector.ts'
import { fromErrorData, ReaderError, type ErrorData } from './failure-data.ts'
import { encodeFrame, FrameReader } from './frames.ts'
import { launchReader, type LaunchedReader } from './launch.ts'
import { BEAT_MS, fromReader, type FromReader, type Notes, type ToReader } from './messages.ts'
import { startWatchdog, type Excess, type ReaderLimits, type Watchdog } from './watchdog.ts'

// `Omit` of a union keeps only the fields that all its members have.
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never

/** A request to a reader, without its id. */
export type ReaderCall = WithoutId<ToReader>

/** Options for starting and limiting a reader. */
export interface ReaderOptions {
  /** The path of the program. */
  program: string
  environment: Readonly<Record<string, string>>
  limits: ReaderLimits
  /** The time in which a reader may cancel statements at its source, or end, before it is killed. */
  graceMs: number
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** The default of `graceMs`. */
export const GRACE_MS = 3000
const ERRORS_CHARACTERS_MAX = 4000

/** The tolerated number of heartbeats above the expected number. */
const BEATS_EXTRA_MAX = 20

/**
 * The parent's side of a process that reads one source. Everything that the reader sends is
 * validated; a reader that violates the protocol is killed. After it has ended, every call is
 * rejected with the same SourceFailure.
 */
export class SourceProcess {
  readonly #setup: Setup
  readonly #launched: LaunchedReader
  readonly #watchdog: Watchdog
  readonly #graceMs: number
  readonly #frames = new FrameReader()
  readonly #waiting = new Map<number, Waiting>()
  readonly #startedAtMs = performance.now()
  readonly #ended = Promise.withResolvers<void>()
  readonly #onAbort = (): void => this.#abort()
  #lastId = 0
  #beatCount = 0
  #errors = ''
  #failure: SourceFailure | undefined

  constructor(setup: Setup, { program, environment, limits, graceMs }: ReaderOptions) {
    this.#setup = setup
    this.#graceMs = graceMs
    this.#launched = launchReader(program, environment)
    const { child, replies, errors } = this.#launched
    this.#watchdog = startWatchdog(child.pid ?? 0, limits, (excess) =>
      this.#fail(tooMuch(excess, limits)),
    )
    child.once('error', (error) => {
      this.#fail(notStarted(error))
      this.#ended.resolve()
    })
    child.once('exit', (code, signal) => this.#onExit(code, signal))
    replies.on('data', (chunk: Buffer) => this.#receive(chunk))
    errors.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = `${this.#errors}${text}`.slice(-ERRORS_CHARACTERS_MAX)
    })
    setup.signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Resolves when the process has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  /** Sends a request to the reader. Errors: SourceFailure; ReaderError for unexpected errors. */
  async call<Shape extends z.ZodType>(call: ReaderCall, shape: Shape): Promise<z.infer<Shape>> {
    if (this.#failure !== undefined) throw this.#failure
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.set(id, { resolve, reject })
    this.#launched.requests.write(encodeFrame({ ...call, id }))
    const value = await promise
    const parsed = parse(shape, value)
    if (parsed !== undefined) return parsed
    this.#fail(invalid('a reply'))
    throw this.#failure ?? invalid('a reply')
  }

  /** Kills the process. */
  kill(): void {
    this.#fail(newCancellation())
  }

  /** Kills the process after the grace, if it is still running. */
  killLate(): void {
    setTimeout(() => this.kill(), this.#graceMs).unref()
  }

  #receive(chunk: Buffer): void {
    if (this.#failure !== undefined) return
    this.#watchdog.heard()
    try {
      for (const message of this.#frames.push(chunk)) {
        const parsed = parse(fromReader, message)
        if (parsed === undefined) throw new Error('a message has an unknown shape')
        this.#take(parsed)
      }
    } catch (error) {
      this.#fail(invalid(error))
    }
  }

  #take(message: FromReader): void {
    if (message.type === 'died') return this.#fail(crashed(message.error))
    this.#note(message.notes)
    if (message.type === 'beat') return this.#countBeat()
    const waiting = this.#waiting.get(message.id)
    if (waiting === undefined) throw new Error('a reply belongs to no call')
    this.#waiting.delete(message.id)
    if (message.type === 'value') waiting.resolve(message.value)
    else waiting.reject(fromErrorData(message.error))
  }

  // Replies arrive only on request; only heartbeats could arrive too often.
  #countBeat(): void {
    if (this.#beatCount === 0) this.#setup.onStarted?.()
    this.#beatCount += 1
    const expected = (performance.now() - this.#startedAtMs) / BEAT_MS
    if (this.#beatCount > expected * 2 + BEATS_EXTRA_MAX) throw new Error('beats come too often')
  }

  #note({ lines, statements }: Notes): void {
    for (const { level, text } of lines) this.#setup.log(level, text)
    for (const { statement, durationMs } of statements) this.#setup.sent(statement, durationMs)
  }

  // Gives the reader a moment to cancel what runs at its source.
  #abort(): void {
    if (this.#failure !== undefined) return
    this.#launched.requests.write(encodeFrame({ call: 'abort', id: 0 }))
    this.#waiting.set(0, { resolve: () => undefined, reject: () => undefined })
    this.killLate()
  }

  #onExit(code: number | null, signal: NodeJS.Signals | null): void {
    this.#launched.release()
    const errors = this.#errors === '' ? undefined : new ReaderError('stderr', this.#errors)
    const cause = new ReaderError('exit', `code ${code}, signal ${signal}`, { cause: errors })
    // V8 writes this when it aborts because the heap is full.
    if (/heap out of memory/.test(this.#errors)) this.#fail(tooLarge(cause))
    else this.#fail(signal === 'SIGKILL' ? killed(cause) : endedEarly(cause))
    this.#ended.resolve()
  }

  /** Kills the process; the first failure rejects every call. */
  #fail(failure: SourceFailure): void {
    this.#launched.child.kill('SIGKILL')
    if (this.#failure !== undefined) return
    const { signal } = this.#setup
    this.#failure = signal.aborted ? newCancellation(failure) : failure
    this.#watchdog.stop()
    signal.removeEventListener('abort', this.#onAbort)
    this.#launched.requests.destroy()
    this.#launched.replies.destroy()
    for (const { reject } of this.#waiting.values()) reject(this.#failure)
    this.#waiting.clear()
  }
}

function notStarted(cause: Error): SourceFailure {
  return new SourceFailure('unreachable', 'The process that reads the source did not start.', {
    cause,
  })
}

function crashed(error: ErrorData): SourceFailure {
  const message = 'The process that reads the source failed with an unexpected error.'
  return new SourceFailure('crashed', message, { cause: fromErrorData(error) })
}

function killed(cause: Error): SourceFailure {
  const message = 'The process that reads the source was killed; the machine may be out of memory.'
  return new SourceFailure('crashed', message, { cause })
}

function endedEarly(cause: Error): SourceFailure {
  return new SourceFailure('crashed', 'The process that reads the source ended.', { cause })
}

function invalid(cause: unknown): SourceFailure {
  const message = 'The process that reads the source sent an invalid message.'
  return new SourceFailure('crashed', message, { cause })
}

function tooLarge(cause?: Error): SourceFailure {
  const message = 'The source sent more than the memory of its reader can hold.'
  return new SourceFailure('crashed', message, { cause })
}

function tooMuch(excess: Excess, { silentMsMax, startMsMax }: ReaderLimits): SourceFailure {
  if (excess === 'memory') return tooLarge()
  if (excess === 'start') {
    const limit = `${startMsMax / 1000} s`
    const message = `The process that reads the source did not start within ${limit}.`
    return new SourceFailure('unreachable', message)
  }
  const message = `The process that reads the source did not respond for ${silentMsMax / 1000} s.`
  return new SourceFailure('crashed', message)
}

/** Parses a value; undefined = it has another shape, or is nested too deeply to check. */
function parse<Shape extends z.ZodType>(shape: Shape, value: unknown): z.infer<Shape> | undefined {
  try {
    const parsed = shape.safeParse(value)
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
