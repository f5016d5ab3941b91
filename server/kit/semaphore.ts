/** A counting semaphore that serves waiting callers in order of arrival. */
export class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Waits for a permit. Errors: the signal's reason. */
  async acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    let isCancelled = false
    const cancel = (): void => {
      const index = this.#waiting.indexOf(resolve)
      if (index === -1) return
      this.#waiting.splice(index, 1)
      isCancelled = true
      resolve()
    }
    signal.addEventListener('abort', cancel, { once: true })
    await promise
    signal.removeEventListener('abort', cancel)
    if (isCancelled) throw signal.reason
  }

  /** Releases a permit to the first waiting caller. */
  release(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free += 1
    else next()
  }
}
