import type { DeliveryTarget, OutgoingDelivery } from './delivery.ts'
import type { ClaimedLane } from './lane.ts'

/** A lane that this process has claimed, with its next deliveries. */
export interface HeldLane {
  lane: ClaimedLane
  deliveries: OutgoingDelivery[]
  /** When the lease ends, on the clock of `performance.now()`. */
  leaseEndsMs: number
}

// Lanes are claimed for about this time, so that a fast receiver need not wait for the next claim.
const AHEAD_MS = 1000
const LANES_MAX = 250
const FIRST_CONCURRENCY = 2
/** A receiver that answers more slowly gets few attempts at a time, so that others can use the rest. */
const SLOW_MS = 1000
const SLOW_CONCURRENCY = 2
// The share of the last attempt in the average.
const WEIGHT = 0.2

/** The lanes of one receiver in this process, and how well it answers. */
export class TargetQueue {
  readonly target: DeliveryTarget
  readonly #concurrencyMax: number
  readonly #waiting: HeldLane[] = []
  #activeCount = 0
  /** The number of concurrent attempts. */
  #concurrency: number
  #averageMs: number | undefined
  #isFailing = false
  /** When it was last used, on the clock of `performance.now()`. */
  usedAtMs = performance.now()

  constructor(target: DeliveryTarget, concurrencyMax: number) {
    this.target = target
    this.#concurrencyMax = concurrencyMax
    this.#concurrency = getFirstConcurrency(concurrencyMax)
  }

  /** The number of further lanes to claim. */
  get freeCount(): number {
    return Math.max(0, this.#window - this.heldCount)
  }

  get heldCount(): number {
    return this.#activeCount + this.#waiting.length
  }

  add(lane: HeldLane): void {
    this.#waiting.push(lane)
  }

  /** Returns a lane that has more deliveries; it is the next one again. */
  putBack(lane: HeldLane): void {
    this.#waiting.unshift(lane)
  }

  /** Whether there is a lane to work on, and the receiver is not busy. */
  get canStart(): boolean {
    return this.#waiting.length > 0 && this.#activeCount < this.#concurrency
  }

  /** Takes the next lane to work on; undefined if there is none, or if the receiver is busy. */
  take(): HeldLane | undefined {
    if (!this.canStart) return undefined
    this.#activeCount += 1
    return this.#waiting.shift()
  }

  /** Reports that the work on a lane has ended. */
  end(): void {
    this.#activeCount -= 1
    this.usedAtMs = performance.now()
  }

  /**
   * Reports an attempt. Each success allows one more attempt at a time, unless the receiver is slow; a failure allows
   * only one.
   */
  measure(durationMs: number, isFailure: boolean): void {
    const before = this.#averageMs ?? durationMs
    this.#averageMs = before + (durationMs - before) * WEIGHT
    this.#isFailing = isFailure
    if (isFailure) this.#concurrency = 1
    else if (this.#averageMs <= SLOW_MS) {
      this.#concurrency = Math.min(this.#concurrency + 1, this.#concurrencyMax)
    } else {
      const half = Math.max(Math.floor(this.#concurrency / 2), SLOW_CONCURRENCY)
      this.#concurrency = Math.min(half, this.#concurrencyMax)
    }
  }

  /** Removes the waiting lanes that are by far too many for a receiver that has become slow. */
  removeExcess(): HeldLane[] {
    return this.#waiting.splice(2 * this.#window)
  }

  /** Removes all waiting lanes. */
  removeWaiting(): HeldLane[] {
    return this.#waiting.splice(0)
  }

  /** The number of lanes to hold. */
  get #window(): number {
    const concurrency = this.#concurrency
    if (this.#isFailing || this.#averageMs === undefined) return concurrency
    const ahead = Math.round((concurrency * AHEAD_MS) / Math.max(this.#averageMs, 1))
    return Math.min(Math.max(concurrency, ahead), LANES_MAX)
  }
}

/** Returns the number of concurrent attempts at a receiver that has not responded yet. */
export function getFirstConcurrency(concurrencyMax: number): number {
  return Math.min(FIRST_CONCURRENCY, concurrencyMax)
}
