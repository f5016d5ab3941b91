import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../platform/errors.ts'
import type { Quota } from '../../platform/kit/quota.ts'

/**
 * The minimum speed of request bodies. Time is counted in ticks: while the process is too busy to read, no
 * tick passes and no sender is blamed.
 */
export interface UploadLimits {
  tickMs: number
  /** Ticks in which any rate is accepted. */
  graceTicks: number
  /** After the grace, at least `windowBytesMin` must arrive within every `windowTicks`. */
  windowTicks: number
  windowBytesMin: number
  /** Ticks for the whole body. */
  totalTicks: number
}

/** 10 s of grace, then 8 KiB/s measured over 5 s, and 60 s altogether. */
const UPLOAD_LIMITS: UploadLimits = {
  tickMs: 500,
  graceTicks: 20,
  windowTicks: 10,
  windowBytesMin: 5 * 8 * 1024,
  totalTicks: 120,
}

/** Receives the bodies of requests within budgets of bytes and time. */
export interface Uploads {
  /** Creates an empty reservation. `names` are the key or person, and the client, that it counts for. */
  reserve(names: readonly string[]): Reservation
  /**
   * Receives a body. A `length` is reserved before the first byte is read; without one, the body is
   * reserved as it arrives. Errors: upload_budget_exceeded, request_too_slow, body_too_large as made by
   * `tooLarge`; an Error if the body is cut off.
   */
  receive(incoming: IncomingMessage, options: ReceiveOptions): Promise<Uint8Array>
  /** Bodies that are being received. */
  readonly count: number
  /**
   * Whether so many bodies are rejected that a rejection must close its connection. Otherwise the body is
   * read and dropped, so that a client that sends all of it before reading gets its response.
   */
  readonly isFlooded: boolean
}

/** Options for receiving one body. */
export interface ReceiveOptions {
  /** Undefined if the sender does not declare it. */
  length: number | undefined
  bytesMax: number
  tooLarge: () => ApiError
  reservation: Reservation
}

/** Bytes of the budgets that one request uses. */
export interface Reservation {
  /** Errors: upload_budget_exceeded. */
  grow(bytes: number): void
  /** Returns all bytes to the budgets. */
  release(): void
}

const RETRY_SECONDS = 2
const CAPACITY_START = 16 * 1024
// Reading and dropping bodies of 5 MiB takes a processor some milliseconds each.
const REJECTIONS_PER_SECOND_MAX = 20

/** Creates the uploads of a process. */
export function newUploads(budget: Quota, limits: UploadLimits = UPLOAD_LIMITS): Uploads {
  const receivers = new Set<Receiver>()
  const countRejection = newRejectionCounter()
  let timer: NodeJS.Timeout | undefined

  function sweep(): void {
    for (const receiver of receivers) receiver.tick(limits)
    if (receivers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    reserve: (names) => newReservation(budget, names, countRejection),
    async receive(incoming, options) {
      if (options.length !== undefined) options.reservation.grow(options.length)
      const receiver = new Receiver(incoming, options)
      receivers.add(receiver)
      timer ??= setInterval(sweep, limits.tickMs).unref()
      try {
        return await receiver.bytes
      } finally {
        receivers.delete(receiver)
      }
    },
    get count() {
      return receivers.size
    },
    get isFlooded() {
      return countRejection(0) > REJECTIONS_PER_SECOND_MAX
    },
  }
}

/** Creates a counter of rejections, which returns how many there were in this second. */
function newRejectionCounter(): (more: number) => number {
  let count = 0
  let endsAtMs = 0
  return (more) => {
    const now = performance.now()
    if (now >= endsAtMs) {
      count = 0
      endsAtMs = now + 1000
    }
    count += more
    return count
  }
}

function newReservation(
  budget: Quota,
  names: readonly string[],
  countRejection: (more: number) => number,
): Reservation {
  let reserved = 0
  return {
    grow(bytes) {
      const exceeded = budget.take(names, bytes)
      if (exceeded !== undefined) {
        countRejection(1)
        throw toApiError(exceeded)
      }
      reserved += bytes
    },
    release() {
      budget.release(names, reserved)
      reserved = 0
    },
  }
}

function toApiError(exceeded: 'total' | 'name'): ApiError {
  const detail =
    exceeded === 'name'
      ? 'This key, person or client is sending too many bytes at once. Send fewer bodies in parallel.'
      : 'Too many bytes are being sent at once. Try again shortly.'
  return new ApiError('upload_budget_exceeded', detail, { retryAfterSeconds: RETRY_SECONDS })
}

/** One body that is being received. */
class Receiver {
  readonly bytes: Promise<Uint8Array>
  readonly #options: ReceiveOptions
  #buffer: Buffer | undefined
  #count = 0
  #ticks = 0
  #countAtWindow = 0
  #fail: (error: Error) => void = () => undefined

  constructor(incoming: IncomingMessage, options: ReceiveOptions) {
    this.#options = options
    this.bytes = new Promise((done, failed) => {
      const settle = (): void => {
        // Without a listener the stream continues and drops the rest.
        incoming.off('data', onData).off('end', onEnd).off('close', onClose)
      }
      const onEnd = (): void => {
        settle()
        done(this.#buffer?.subarray(0, this.#count) ?? Buffer.alloc(0))
      }
      const onClose = (): void => this.#fail(incoming.errored ?? new Error('the body was cut off'))
      const onData = (chunk: Buffer): void => {
        try {
          this.#append(chunk)
        } catch (error) {
          settle()
          failed(error)
        }
      }
      this.#fail = (error) => {
        settle()
        failed(error)
      }
      if (incoming.destroyed) onClose()
      else {
        // An error is followed by `close`.
        incoming.on('error', () => undefined)
        incoming.on('data', onData).on('end', onEnd).on('close', onClose)
      }
    })
  }

  /** Fails the body if it is too slow. */
  tick({ graceTicks, windowTicks, windowBytesMin, totalTicks }: UploadLimits): void {
    this.#ticks += 1
    if (this.#ticks < graceTicks || (this.#ticks - graceTicks) % windowTicks !== 0) return
    const isSlow = this.#count - this.#countAtWindow < windowBytesMin
    this.#countAtWindow = this.#count
    if (!isSlow && this.#ticks < totalTicks) return
    this.#fail(new ApiError('request_too_slow', 'The body took too long to arrive.'))
  }

  // Copied, because a sender of single bytes would otherwise create an object for each.
  #append(chunk: Buffer): void {
    const { length, bytesMax, tooLarge } = this.#options
    const count = this.#count + chunk.length
    if (count > bytesMax) throw tooLarge()
    if (this.#count === 0 && chunk.length === length) this.#buffer = chunk
    else {
      this.#reach(count).set(chunk, this.#count)
    }
    this.#count = count
  }

  /** Returns a buffer with at least this capacity and what was received so far. */
  #reach(count: number): Buffer {
    const { length, bytesMax, reservation } = this.#options
    this.#buffer ??= length === undefined ? undefined : Buffer.allocUnsafeSlow(length)
    const capacity = this.#buffer?.length ?? 0
    if (this.#buffer !== undefined && count <= capacity) return this.#buffer
    const larger = Math.min(bytesMax, Math.max(count, capacity * 2, CAPACITY_START))
    reservation.grow(larger - capacity)
    const buffer = Buffer.allocUnsafeSlow(larger)
    if (this.#buffer !== undefined) buffer.set(this.#buffer.subarray(0, this.#count))
    this.#buffer = buffer
    return buffer
  }
}
