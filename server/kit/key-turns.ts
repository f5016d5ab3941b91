/** The limits of waiting jobs, per key and in total. */
export interface QueueLimits {
  /** The maximum number of waiting jobs of one key. */
  jobsPerKeyMax: number
  /** The maximum size of the waiting jobs of one key; a single job may be larger. */
  bytesPerKeyMax: number
  /** The maximum size of all waiting jobs. */
  bytesMax: number
}

interface Entry<Job> {
  job: Job
  bytes: number
}

/** A queue that serves its keys in turn, so that many jobs of one key do not delay the other keys. */
export class KeyTurns<Job> {
  readonly #limits: QueueLimits
  // In the order in which the keys are served: a key moves to the end when it is served.
  readonly #waiting = new Map<string, Entry<Job>[]>()
  #bytes = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** Adds a job. Returns false if the queue is full. */
  push(key: string, job: Job, bytes: number): boolean {
    const entries = this.#waiting.get(key) ?? []
    const keyBytes = entries.reduce((sum, entry) => sum + entry.bytes, bytes)
    const { jobsPerKeyMax, bytesPerKeyMax, bytesMax } = this.#limits
    const isTooMuch = keyBytes > bytesPerKeyMax || this.#bytes + bytes > bytesMax
    if (entries.length >= jobsPerKeyMax || (entries.length > 0 && isTooMuch)) return false
    entries.push({ job, bytes })
    this.#bytes += bytes
    this.#waiting.set(key, entries)
    return true
  }

  /** Removes and returns the next job; undefined if none is waiting. */
  next(): Job | undefined {
    for (const [key, entries] of this.#waiting) {
      const entry = entries.shift()
      this.#waiting.delete(key)
      if (entry === undefined) continue
      if (entries.length > 0) this.#waiting.set(key, entries)
      this.#bytes -= entry.bytes
      return entry.job
    }
    return undefined
  }
}

/** An error of work that is rejected because the queue is full. */
export class TurnsFull extends Error {}

/**
 * Creates a function that runs work of several keys in turn, at most `slots` at a time. `bytes` is the approximate
 * memory of the work. Errors: TurnsFull.
 */
export function fairSlots(
  slots: number,
  limits: QueueLimits,
): <T>(key: string, bytes: number, work: () => Promise<T>) => Promise<T> {
  const queue = new KeyTurns<() => Promise<void>>(limits)
  let busy = 0
  const pump = (): void => {
    const next = busy < slots ? queue.next() : undefined
    if (next === undefined) return
    busy += 1
    void next().finally(() => {
      busy -= 1
      pump()
    })
  }
  return (key, bytes, work) =>
    new Promise((resolve, reject) => {
      const start = (): Promise<void> => work().then(resolve, reject)
      if (queue.push(key, start, bytes)) pump()
      else reject(new TurnsFull('too much work is waiting'))
    })
}
