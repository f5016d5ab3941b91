/** An error of a task that is rejected because too many tasks wait. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

/** The client and priority of a task. */
export interface Turn {
  /** Tasks of one client wait for each other before they delay another client. */
  client: string
  /** Preferred tasks run before all others, and are rejected last. */
  isPreferred: boolean
}

/** A bounded queue that is fair to each client. */
export interface FairQueue {
  /**
   * Runs a task in its turn. If too many tasks wait, the latest one of the client with the most waiting tasks is
   * rejected, which may be this one. Errors: QueueFull, and those of the task.
   */
  run<T>(turn: Turn, task: () => Promise<T>): Promise<T>
  /** The number of waiting tasks. */
  readonly waitingCount: number
}

/** The maximum numbers of running and of waiting tasks. */
export interface FairQueueLimits {
  runningMax: number
  waitingMax: number
}

interface Entry extends Turn {
  /** The virtual start time: one more than the client's previous task, and at least that of the queue. */
  order: number
  start(): void
  reject(error: QueueFull): void
}

/**
 * Creates an empty queue with start-time fair queueing: a client that sends one task waits for at most one task
 * of each other client, regardless of how many those have sent.
 */
export function newFairQueue({ runningMax, waitingMax }: FairQueueLimits): FairQueue {
  const waiting: Entry[] = []
  const lastOrders = new Map<string, number>()
  let runningCount = 0
  let currentOrder = 0

  function takeOrder(client: string): number {
    const order = Math.max(currentOrder, (lastOrders.get(client) ?? -1) + 1)
    lastOrders.set(client, order)
    return order
  }

  function startNext(): void {
    if (runningCount >= runningMax) return
    const next = waiting.toSorted(byTurn)[0]
    if (next === undefined) {
      lastOrders.clear()
      return
    }
    waiting.splice(waiting.indexOf(next), 1)
    currentOrder = Math.max(currentOrder, next.order)
    runningCount += 1
    next.start()
  }

  function rejectExcess(): void {
    if (waiting.length <= waitingMax) return
    const last = waiting.toSorted(byTurn).at(-1)
    if (last === undefined) return
    waiting.splice(waiting.indexOf(last), 1)
    lastOrders.set(last.client, last.order - 1)
    last.reject(new QueueFull(`more than ${waitingMax} tasks are waiting`))
  }

  return {
    async run(turn, task) {
      await new Promise<void>((start, reject) => {
        waiting.push({ ...turn, order: takeOrder(turn.client), start, reject })
        startNext()
        rejectExcess()
      })
      try {
        return await task()
      } finally {
        runningCount -= 1
        startNext()
      }
    },
    get waitingCount() {
      return waiting.length
    },
  }
}

// Sorting is stable, so tasks of the same order keep their order of arrival.
function byTurn(a: Entry, b: Entry): number {
  if (a.isPreferred !== b.isPreferred) return a.isPreferred ? -1 : 1
  return a.order - b.order
}
