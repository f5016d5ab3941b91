import { Worker } from 'node:worker_threads'
import { KeyTurns, TurnsFull, type QueueLimits } from './key-turns.ts'

/** The limits of a pool of threads. */
export interface WorkerPoolLimits extends QueueLimits {
  threads: number
  /** CPU time of one job in milliseconds, which does not depend on the load of the machine. */
  cpuMs: number
  /** Wall time of one job in milliseconds, for a thread that waits or is starved. */
  wallMs: number
  /** Heap of a job in megabytes. */
  heapMb: number
  /** Heap in megabytes at which V8 itself ends a thread that grows too quickly to be measured. */
  heapHardMb: number
  /** Milliseconds after which a thread without work ends. */
  idleMs: number
}

/** An error of a job that exceeded its limit of time or memory. Its thread was ended. */
export class JobTooCostly extends Error {
  readonly limit: 'time' | 'memory'

  constructor(limit: 'time' | 'memory') {
    super(`a job exceeded its ${limit} limit`)
    this.limit = limit
  }
}

/** Runs jobs in threads. */
export interface WorkerPool {
  /**
   * Sends a message to a thread and returns its reply; both are plain data. `bytes` is the approximate size of the
   * message. Errors: TurnsFull, JobTooCostly.
   */
  run<Reply>(key: string, message: unknown, bytes: number): Promise<Reply>
  /** Returns the number of threads. */
  countThreads(): number
  /** Returns the number of jobs that wait for a thread. */
  countWaiting(): number
  /** Ends all threads. Running and waiting jobs fail. */
  close(): Promise<void>
}

interface Job {
  message: unknown
  /** Calls `done` with the reply of the thread. */
  listen(worker: Worker, done: () => void): void
  fail(error: Error): void
  /** Reports that the job has ended. */
  end(): void
}

const CHECK_MS = 100

// Megabytes for new objects. V8's default is three times as large and hardly faster.
const YOUNG_MB = 24

/**
 * Creates a pool of threads that run a script. The script sends `ready` once it is loaded, and then one reply per
 * message. Threads start on demand, end when idle, and never keep the process alive.
 */
export function newWorkerPool(script: URL, limits: WorkerPoolLimits): WorkerPool {
  const queue = new KeyTurns<Job>(limits)
  const threads = new Set<Thread>()
  const forget = (thread: Thread): void => {
    threads.delete(thread)
    pump()
  }
  const pump = (): void => {
    for (;;) {
      const canGrow = threads.size < limits.threads
      const idle = threads.values().find((thread) => thread.isIdle)
      const taken = idle === undefined && !canGrow ? undefined : queue.next()
      if (taken === undefined) return
      const { job } = taken
      const startedAtMs = performance.now()
      job.end = () => taken.end(performance.now() - startedAtMs)
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
          end: () => undefined,
          fail(error) {
            job.end()
            reject(error)
          },
          listen(worker, done) {
            worker.once('message', (reply: Reply) => {
              job.end()
              resolve(reply)
              done()
            })
          },
        }
        if (queue.push(key, job, bytes)) pump()
        else reject(new TurnsFull('too many jobs are waiting'))
      }),
    countThreads: () => threads.size,
    countWaiting: () => queue.waitingCount,
    async close() {
      const closed = new Error('the pool was closed')
      for (let next = queue.next(); next !== undefined; next = queue.next()) next.job.fail(closed)
      await Promise.all(Array.from(threads, (thread) => thread.end(closed)))
    },
  }
}

class Thread {
  readonly #worker: Worker
  readonly #limits: WorkerPoolLimits
  readonly #ready: Promise<void>
  #idleTimer: NodeJS.Timeout | undefined
  #watchTimer: NodeJS.Timeout | undefined
  #job: Job | undefined
  #error: Error | undefined

  constructor(script: URL, limits: WorkerPoolLimits, onEnd: (thread: Thread) => void) {
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

  /** Runs a job. Resolves when the thread is idle again; never if the thread ended. */
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
    // The thread may end before the first check.
    started.catch(() => undefined)
    const check = async (): Promise<void> => {
      const usedMs = (await this.#cpuMs()) - (await started)
      const { used_heap_size: heapBytes } = await this.#worker.getHeapStatistics()
      if (this.#job !== job) return
      const wallMs = performance.now() - startedAtMs
      const isLate = usedMs > this.#limits.cpuMs || wallMs > this.#limits.wallMs
      const isLarge = heapBytes > this.#limits.heapMb * 1024 * 1024
      if (isLate || isLarge) await this.end(new JobTooCostly(isLate ? 'time' : 'memory'))
    }
    // A thread that has ended cannot be measured.
    this.#watchTimer = setInterval(() => void check().catch(() => undefined), CHECK_MS)
  }

  async #cpuMs(): Promise<number> {
    const { user, system } = await this.#worker.cpuUsage()
    return (user + system) / 1000
  }
}
