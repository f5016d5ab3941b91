import { Worker } from 'node:worker_threads'
import { KeyTurns, TurnsFull, type QueueLimits } from './key-turns.ts'

/** The limits of a pool of threads. */
export interface PoolLimits extends QueueLimits {
  threads: number
  /** Processor time of one job in milliseconds, independent of the load of the machine. */
  cpuMs: number
  /** Elapsed time of one job in milliseconds, for a thread that waits or is starved. */
  wallMs: number
  /** Memory of a job in megabytes. */
  heapMb: number
  /** Megabytes at which V8 itself ends a thread that grows too quickly to be measured. */
  heapHardMb: number
  /** Milliseconds after which a thread without work ends. */
  idleMs: number
}

/** A job needed more time or memory than it may have; its thread was ended. */
export class JobTooCostly extends Error {
  readonly limit: 'time' | 'memory'

  constructor(limit: 'time' | 'memory') {
    super(`a job reached its limit of ${limit}`)
    this.limit = limit
  }
}

/** Runs jobs in threads. */
export interface WorkerPool {
  /**
   * Sends a message to a thread and returns its reply; both are plain data. `bytes` is about the size of the message.
   * Errors: TurnsFull, JobTooCostly.
   */
  run<Reply>(key: string, message: unknown, bytes: number): Promise<Reply>
  /** Returns how many threads there are. */
  countThreads(): number
  /** Ends all threads. Jobs that run or wait fail. */
  close(): Promise<void>
}

interface Job {
  message: unknown
  /** Calls `done` with the reply of the thread. */
  listen(worker: Worker, done: () => void): void
  fail(error: Error): void
}

const CHECK_MS = 100

// Megabytes for new objects. V8 takes three times as many by itself, and is hardly faster for it.
const YOUNG_MB = 24

/**
 * Creates a pool of threads that run a script. The script sends `ready` once it is loaded, and then one reply for each
 * message. Threads start when there is work for them and end when there is none for a while; they never keep the
 * process alive.
 */
export function newWorkerPool(script: URL, limits: PoolLimits): WorkerPool {
  const queue = new KeyTurns<Job>(limits)
  const threads = new Set<Thread>()
  const forget = (thread: Thread): void => {
    threads.delete(thread)
    pump()
  }
  const pump = (): void => {
    for (;;) {
      const isRoom = threads.size < limits.threads
      const idle = threads.values().find((thread) => thread.isIdle)
      const job = idle === undefined && !isRoom ? undefined : queue.next()
      if (job === undefined) return
      const thread = idle ?? new Thread(script, limits, forget)
      threads.add(thread)
      void thread.work(job).then(pump)
    }
  }
  return {
    run: <Reply>(key: string, message: unknown, bytes: number) =>
      new Promise<Reply>((resolve, reject) => {
        const job: Job = {
          message,
          fail: reject,
          listen(worker, done) {
            worker.once('message', (reply: Reply) => {
              resolve(reply)
              done()
            })
          },
        }
        if (queue.push(key, job, bytes)) pump()
        else reject(new TurnsFull('too many jobs wait'))
      }),
    countThreads: () => threads.size,
    async close() {
      const closed = new Error('the pool was closed')
      for (let job = queue.next(); job !== undefined; job = queue.next()) job.fail(closed)
      await Promise.all(Array.from(threads, (thread) => thread.end(closed)))
    },
  }
}

class Thread {
  readonly #worker: Worker
  readonly #limits: PoolLimits
  readonly #ready: Promise<void>
  #idleTimer: NodeJS.Timeout | undefined
  #watchTimer: NodeJS.Timeout | undefined
  #job: Job | undefined
  #error: Error | undefined

  constructor(script: URL, limits: PoolLimits, onEnd: (thread: Thread) => void) {
    this.#limits = limits
    this.#worker = new Worker(script, {
      resourceLimits: {
        maxOldGenerationSizeMb: limits.heapHardMb,
        maxYoungGenerationSizeMb: YOUNG_MB,
      },
    })
    this.#worker.unref()
    this.#ready = new Promise((resolve) => this.#worker.once('message', () => resolve()))
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.#error ??= isMemory ? new JobTooCostly('memory') : error
    })
    this.#worker.once('exit', () => {
      clearTimeout(this.#idleTimer)
      clearInterval(this.#watchTimer)
      this.#job?.fail(this.#error ?? new Error('a thread ended without a reply'))
      onEnd(this)
    })
  }

  get isIdle(): boolean {
    return this.#job === undefined && this.#error === undefined
  }

  /** Runs a job; ends when the thread is free again, and never when the thread ended instead. */
  async work(job: Job): Promise<void> {
    clearTimeout(this.#idleTimer)
    this.#job = job
    await this.#ready
    const done = new Promise<void>((resolve) => job.listen(this.#worker, resolve))
    this.#worker.postMessage(job.message)
    this.#watch(job)
    await done
    clearInterval(this.#watchTimer)
    this.#job = undefined
    this.#idleTimer = setTimeout(() => void this.end(new Error('idle')), this.#limits.idleMs)
    this.#idleTimer.unref()
  }

  async end(reason: Error): Promise<void> {
    this.#error ??= reason
    await this.#worker.terminate()
  }

  #watch(job: Job): void {
    const startedAtMs = performance.now()
    const started = this.#cpuMs()
    const check = async (): Promise<void> => {
      const usedMs = (await this.#cpuMs()) - (await started)
      const { used_heap_size: heapBytes } = await this.#worker.getHeapStatistics()
      if (this.#job !== job) return
      const wallMs = performance.now() - startedAtMs
      const isLate = usedMs > this.#limits.cpuMs || wallMs > this.#limits.wallMs
      const isLarge = heapBytes > this.#limits.heapMb * 1024 * 1024
      if (isLate || isLarge) await this.end(new JobTooCostly(isLate ? 'time' : 'memory'))
    }
    // A thread that ended in the meantime cannot be measured any more.
    this.#watchTimer = setInterval(() => void check().catch(() => undefined), CHECK_MS)
  }

  async #cpuMs(): Promise<number> {
    const { user, system } = await this.#worker.cpuUsage()
    return (user + system) / 1000
  }
}
