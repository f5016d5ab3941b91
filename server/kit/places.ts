/** A semaphore that serves waiters in order of arrival. */
export class Places {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Waits for a place. Errors: the signal's reason. */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    let hasLeft = false
    const leave = (): void => {
      const index = this.#waiting.indexOf(resolve)
      if (index === -1) return
      this.#waiting.splice(index, 1)
      hasLeft = true
      resolve()
    }
    signal.addEventListener('abort', leave, { once: true })
    await promise
    signal.removeEventListener('abort', leave)
    if (hasLeft) throw signal.reason
  }

  /** Releases a permit to the first waiter. */
  giveBack(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free += 1
    else next()
  }
}
