import { AsyncLocalStorage } from 'node:async_hooks'
import type { FairQueue, QueueTurn, Slot } from './fair-queue.ts'

/** The slot of the request, or of the other work, that this code is part of. */
const holders = new AsyncLocalStorage<Holder>()

/**
 * Runs work in a slot of a queue, and charges the milliseconds for which it held the slot. Work inside of other work
 * that holds a slot runs in that slot: with slots of their own, they could wait for each other. Errors: QueueFull, and
 * those of the work.
 */
export async function holdSlot<T>(
  queue: FairQueue,
  turn: QueueTurn,
  work: () => Promise<T>,
): Promise<{ result: T; heldMs: number }> {
  const outer = holders.getStore()
  if (outer?.isOpen === true) return { result: await work(), heldMs: 0 }
  const holder = new Holder(queue, turn)
  await holder.enter()
  try {
    return { result: await holders.run(holder, work), heldMs: holder.heldMs }
  } finally {
    holder.end()
  }
}

/**
 * Runs work that waits for another system, such as a source, a mail server or a name server, without the slot of the
 * request: it is given back, and taken again afterwards. Without a slot, the work simply runs. Errors: those of the
 * work.
 */
export async function withoutSlot<T>(work: () => Promise<T>): Promise<T> {
  const holder = holders.getStore()
  if (holder?.isOpen !== true) return await work()
  holder.leave()
  try {
    return await work()
  } finally {
    await holder.return()
  }
}

class Holder {
  readonly #queue: FairQueue
  readonly #turn: QueueTurn
  #slot: Slot | undefined
  #heldSinceMs = 0
  #heldMs = 0
  /** The number of waits for other systems that are under way. */
  #waitsCount = 0
  isOpen = true

  constructor(queue: FairQueue, turn: QueueTurn) {
    this.#queue = queue
    this.#turn = turn
  }

  /** The time for which the work has held a slot so far. */
  get heldMs(): number {
    return this.#heldMs + (this.#slot === undefined ? 0 : performance.now() - this.#heldSinceMs)
  }

  async enter(): Promise<void> {
    this.#take(await this.#queue.acquire(this.#turn))
  }

  /** Gives the slot back while the work waits; concurrent waits give it back once. */
  leave(): void {
    this.#waitsCount += 1
    this.#release()
  }

  /** Takes a slot again, before the requests that have not begun. */
  async return(): Promise<void> {
    this.#waitsCount -= 1
    if (this.#waitsCount > 0 || !this.isOpen) return
    const { waitMsMax: _, ...turn } = this.#turn
    const slot = await this.#queue.acquire({ ...turn, isPreferred: true })
    // The work may have ended or begun to wait again.
    if (this.isOpen && this.#waitsCount === 0 && this.#slot === undefined) this.#take(slot)
    else slot.release(0)
  }

  end(): void {
    this.isOpen = false
    this.#release()
  }

  #take(slot: Slot): void {
    this.#slot = slot
    this.#heldSinceMs = performance.now()
  }

  #release(): void {
    if (this.#slot === undefined) return
    const heldMs = performance.now() - this.#heldSinceMs
    this.#heldMs += heldMs
    this.#slot.release(heldMs)
    this.#slot = undefined
  }
}
