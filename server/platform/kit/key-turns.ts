import { FairOrder } from './fair-order.ts'

/** The limits of waiting jobs, per key and in total. */
export interface QueueLimits {
  /** The maximum number of waiting jobs of one key. */
  jobsPerKeyMax: number
  /** The maximum size of the waiting jobs of one key; a single job may be larger. */
  bytesPerKeyMax: number
  /** The maximum size of all waiting jobs. */
  bytesMax: number
}

/** A job whose turn it is. */
interface TakenJob<Job> {
  job: Job
  /** Reports that the job has ended, and the milliseconds that it took. */
  end(milliseconds: number): void
}

interface Entry<Job> {
  job: Job
  bytes: number
}

// A few milliseconds for each hundred kilobytes are a fair guess until a job has ended.
const BYTES_PER_MS = 32 * 1024

/**
 * A queue that serves its keys in turn, by the time that their jobs take, so that many or slow jobs of one key do not
 * delay the other keys.
 */
export class KeyTurns<Job> {
  readonly #limits: QueueLimits
  readonly #order = new FairOrder<Entry<Job>>()
  readonly #waiting = new Map<string, { jobsCount: number; bytes: number }>()
  #bytes = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** Adds a job. Returns false if the queue is full. */
  push(key: string, job: Job, bytes: number): boolean {
    const { jobsCount, bytes: keyBytes } = this.#waiting.get(key) ?? { jobsCount: 0, bytes: 0 }
    const { jobsPerKeyMax, bytesPerKeyMax, bytesMax } = this.#limits
    const isTooMuch = keyBytes + bytes > bytesPerKeyMax || this.#bytes + bytes > bytesMax
    if (jobsCount >= jobsPerKeyMax || (jobsCount > 0 && isTooMuch)) return false
    this.#order.add({ job, bytes }, { flow: [key], cost: 1 + bytes / BYTES_PER_MS })
    this.#waiting.set(key, { jobsCount: jobsCount + 1, bytes: keyBytes + bytes })
    this.#bytes += bytes
    return true
  }

  /** The number of waiting jobs. */
  get waitingCount(): number {
    return this.#waiting.values().reduce((sum, { jobsCount }) => sum + jobsCount, 0)
  }

  /** Removes and returns the next job; undefined if none is waiting. */
  next(): TakenJob<Job> | undefined {
    const place = this.#order.take(() => true)
    if (place === undefined) return undefined
    const { job, bytes } = place.job
    const { jobsCount = 1, bytes: keyBytes = bytes } = this.#waiting.get(place.outer) ?? {}
    if (jobsCount === 1) this.#waiting.delete(place.outer)
    else this.#waiting.set(place.outer, { jobsCount: jobsCount - 1, bytes: keyBytes - bytes })
    this.#bytes -= bytes
    return { job, end: (milliseconds) => this.#order.end(place, milliseconds) }
  }
}

/** An error of work that is rejected because the queue is full. */
export class TurnsFull extends Error {}
