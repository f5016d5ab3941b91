import { FairOrder, type Place, type Turn } from './fair-order.ts'

/** An error of a task that is rejected because too many tasks wait, or because it waited too long. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

/** The flow, lane and cost of a task. */
export interface QueueTurn extends Turn {
  /** Preferred tasks run before all others, and are rejected last. */
  isPreferred?: boolean
  /** The longest time that the task waits; by default it has no limit. */
  waitMsMax?: number
  /** Ends the waiting when it is aborted; a task that runs is not affected. */
  signal?: AbortSignal
}

/** A slot of a queue, in which a task runs. */
export interface Slot {
  /** Frees the slot for the next task. `cost` is what the task really cost; by default as estimated. */
  release(cost?: number): void
}

/** A bounded queue that is fair to each flow of tasks. */
export interface FairQueue {
  /**
   * Waits for a slot. If too many tasks wait, the latest one of the flow with the most waiting tasks is rejected, which
   * may be this one. Errors: QueueFull, and the reason of an aborted signal.
   */
  acquire(turn: QueueTurn): Promise<Slot>
  /** Runs a task in a slot. Errors: QueueFull, and those of the task. */
  run<T>(turn: QueueTurn, task: () => Promise<T>): Promise<T>
  /** Rejects all waiting tasks, for example because the tasks before them failed. */
  rejectWaiting(error: Error): void
  /** The number of waiting tasks. */
  readonly waitingCount: number
}

/** The limits of a queue. */
export interface FairQueueLimits {
  /** The maximum number of running tasks. */
  runningMax: number
  /** The maximum number of waiting tasks. */
  waitingMax: number
  /** The maximum number of running tasks of each lane; a lane without one has only that of all tasks. */
  lanesMax?: Readonly<Record<string, number>>
  /** The number of slots that only outer flows with fewer than `FEW` running tasks get. By default none. */
  reservedCount?: number
}

/** Receives what happens to the tasks of a queue. */
export interface QueueObserver {
  /** A task arrives. It starts or is rejected, at once or later. */
  arrived(lane: string): void
  /** A task starts after a time of waiting. */
  started(lane: string, waitedMs: number): void
  /** A task is rejected without having started. */
  rejected(lane: string): void
}

/** The number of running tasks up to which an outer flow may take the reserved slots. */
export const FEW = 2

const NO_OBSERVER: QueueObserver = {
  arrived: () => undefined,
  started: () => undefined,
  rejected: () => undefined,
}

interface Waiting {
  arrivedAtMs: number
  timer: NodeJS.Timeout | undefined
  stopListening: (() => void) | undefined
  isWaiting: boolean
  start(slot: Slot): void
  reject(reason: unknown): void
}

/** Creates an empty queue, which serves its flows as a `FairOrder` does. */
export function newFairQueue(
  limits: FairQueueLimits,
  observer: QueueObserver = NO_OBSERVER,
): FairQueue {
  return new Queue(limits, observer)
}

class Queue implements FairQueue {
  readonly #limits: FairQueueLimits
  readonly #lanesMax: ReadonlyMap<string, number>
  readonly #observer: QueueObserver
  readonly #preferred = new FairOrder<Waiting>()
  readonly #usual = new FairOrder<Waiting>()
  readonly #runningByLane = new Counts()
  readonly #runningByFlow = new Counts()
  #runningCount = 0

  constructor(limits: FairQueueLimits, observer: QueueObserver) {
    this.#limits = limits
    this.#lanesMax = new Map(Object.entries(limits.lanesMax ?? {}))
    this.#observer = observer
  }

  get waitingCount(): number {
    return this.#preferred.waitingCount + this.#usual.waitingCount
  }

  async run<T>(turn: QueueTurn, task: () => Promise<T>): Promise<T> {
    const slot = await this.acquire(turn)
    try {
      return await task()
    } finally {
      slot.release()
    }
  }

  acquire(turn: QueueTurn): Promise<Slot> {
    if (turn.signal?.aborted === true) return Promise.reject(turn.signal.reason)
    return new Promise((start, reject) => {
      const order = turn.isPreferred === true ? this.#preferred : this.#usual
      const waiting: Waiting = {
        arrivedAtMs: performance.now(),
        timer: undefined,
        stopListening: undefined,
        isWaiting: true,
        start,
        reject,
      }
      const place = order.add(waiting, turn)
      this.#observer.arrived(place.lane)
      this.#startNext()
      this.#rejectExcess()
      if (waiting.isWaiting) this.#limitWait(order, place, turn)
    })
  }

  rejectWaiting(error: Error): void {
    for (const order of [this.#usual, this.#preferred]) {
      for (let place = order.findExcess(); place !== undefined; place = order.findExcess()) {
        this.#reject(order, place, error)
      }
    }
  }

  #startNext(): void {
    while (this.#runningCount < this.#limits.runningMax) {
      if (!this.#start(this.#preferred) && !this.#start(this.#usual)) return
    }
  }

  /** Starts the next task of an order. Returns false if none may start. */
  #start(order: FairOrder<Waiting>): boolean {
    if (order.waitingCount === 0) return false
    const place = order.take((outer, lane) => this.#mayStart(outer, lane))
    if (place === undefined) return false
    const { lane, job } = place
    this.#countRunning(place, 1)
    this.#stopWaiting(place)
    this.#observer.started(lane, performance.now() - job.arrivedAtMs)
    job.start({
      release: (cost = place.cost) => {
        this.#countRunning(place, -1)
        order.end(place, cost)
        this.#startNext()
      },
    })
    return true
  }

  #mayStart(outer: string, lane: string): boolean {
    const { runningMax, reservedCount = 0 } = this.#limits
    if (this.#runningByLane.get(lane) >= (this.#lanesMax.get(lane) ?? runningMax)) return false
    const freeCount = runningMax - this.#runningCount
    return freeCount > reservedCount || this.#runningByFlow.get(outer) < FEW
  }

  #countRunning({ lane, outer }: Place<Waiting>, change: 1 | -1): void {
    this.#runningCount += change
    this.#runningByFlow.add(outer, change)
    this.#runningByLane.add(lane, change)
  }

  #stopWaiting({ job }: Place<Waiting>): void {
    job.isWaiting = false
    clearTimeout(job.timer)
    job.stopListening?.()
  }

  #limitWait(
    order: FairOrder<Waiting>,
    place: Place<Waiting>,
    { waitMsMax, signal }: QueueTurn,
  ): void {
    const { job } = place
    if (waitMsMax !== undefined) {
      const error = new QueueFull(`a task waited for more than ${waitMsMax} ms`)
      job.timer = setTimeout(() => this.#reject(order, place, error), waitMsMax)
      job.timer.unref()
    }
    if (signal === undefined) return
    const onAbort = (): void => this.#reject(order, place, signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    job.stopListening = () => signal.removeEventListener('abort', onAbort)
  }

  #rejectExcess(): void {
    const { waitingMax } = this.#limits
    if (this.waitingCount <= waitingMax) return
    const order = this.#usual.waitingCount > 0 ? this.#usual : this.#preferred
    const place = order.findExcess()
    if (place === undefined) return
    this.#reject(order, place, new QueueFull(`more than ${waitingMax} tasks are waiting`))
  }

  #reject(order: FairOrder<Waiting>, place: Place<Waiting>, reason: unknown): void {
    order.remove(place)
    this.#stopWaiting(place)
    this.#observer.rejected(place.lane)
    place.job.reject(reason)
  }
}

/** Counts by name; names without a count take no memory. */
class Counts {
  readonly #counts = new Map<string, number>()

  get(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  add(name: string, change: 1 | -1): void {
    const count = this.get(name) + change
    if (count === 0) this.#counts.delete(name)
    else this.#counts.set(name, count)
  }
}
