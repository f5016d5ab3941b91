import type { DeliveryTarget } from './delivery.ts'
import { TargetQueue, type HeldLane } from './target-queue.ts'

/** A lane whose next delivery is sent now. */
export interface StartedLane {
  queue: TargetQueue
  held: HeldLane
}

/** The receivers of an organization in a channel, by target; those that began an attempt last are at the end. */
interface Flow {
  activeCount: number
  readonly queues: Map<string, TargetQueue>
}

/** The time for which it is remembered how a receiver answered. */
const REMEMBERED_MS = 60_000

/**
 * The receivers of a process, and the order in which their lanes are worked on. In each channel, organizations take
 * turns: the one with the fewest attempts under way is next, and of those with equally many, the one that has waited
 * longest since its last turn. Within an organization, its receivers do. So an organization with one delivery waits for
 * one attempt to end, however long the backlogs of others are.
 */
export class Receivers {
  readonly #getConcurrency: (channel: string) => number
  // Those that began an attempt last are at the end.
  readonly #flows = new Map<string, Flow>()

  constructor(getConcurrency: (channel: string) => number) {
    this.#getConcurrency = getConcurrency
  }

  /** Lists the queues of all receivers. */
  list(): TargetQueue[] {
    return [...this.#flows.values()].flatMap(({ queues }) => [...queues.values()])
  }

  /** Returns the queue of a receiver. */
  get({ organizationId, channel, target }: DeliveryTarget): TargetQueue {
    const key = toFlowKey({ organizationId, channel })
    const flow: Flow = this.#flows.get(key) ?? { activeCount: 0, queues: new Map() }
    const queue =
      flow.queues.get(target) ??
      new TargetQueue({ organizationId, channel, target }, this.#getConcurrency(channel))
    flow.queues.set(target, queue)
    this.#flows.set(key, flow)
    return queue
  }

  /** Takes the lane whose turn it is; undefined if none may start. `isFree` decides for each organization and channel. */
  take(isFree: (target: DeliveryTarget) => boolean): StartedLane | undefined {
    let next: { flow: Flow; queue: TargetQueue } | undefined
    for (const flow of this.#flows.values()) {
      if (next !== undefined && flow.activeCount >= next.flow.activeCount) continue
      const queue = flow.queues.values().find(({ canStart }) => canStart)
      if (queue === undefined || !isFree(queue.target)) continue
      next = { flow, queue }
      if (flow.activeCount === 0) break
    }
    const held = next?.queue.take()
    if (next === undefined || held === undefined) return undefined
    const { flow, queue } = next
    flow.activeCount += 1
    moveToEnd(this.#flows, toFlowKey(queue.target), flow)
    moveToEnd(flow.queues, queue.target.target, queue)
    return { queue, held }
  }

  /** Reports that the work on a lane has ended. */
  end(queue: TargetQueue): void {
    queue.end()
    const flow = this.#flows.get(toFlowKey(queue.target))
    if (flow !== undefined) flow.activeCount -= 1
  }

  /** Counts the lanes that each organization holds. */
  countHeld(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { target, heldCount } of this.list()) {
      if (heldCount === 0) continue
      counts.set(target.organizationId, (counts.get(target.organizationId) ?? 0) + heldCount)
    }
    return counts
  }

  /** Forgets receivers that were not used for a minute. */
  forgetUnused(): void {
    const oldestMs = performance.now() - REMEMBERED_MS
    for (const [key, { queues }] of this.#flows) {
      for (const [target, { heldCount, usedAtMs }] of queues) {
        if (heldCount === 0 && usedAtMs < oldestMs) queues.delete(target)
      }
      if (queues.size === 0) this.#flows.delete(key)
    }
  }
}

function toFlowKey({ organizationId, channel }: Omit<DeliveryTarget, 'target'>): string {
  // The id of an organization has no space.
  return `${organizationId} ${channel}`
}

function moveToEnd<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key)
  map.set(key, value)
}
