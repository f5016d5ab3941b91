/**
 * Reads ahead of its consumer: at most `aheadMax` items are buffered. All buffered items are taken
 * at once, so that many small items do not cost a message each.
 */
export class Pump<T> {
  readonly #aheadMax: number
  readonly #iterator: AsyncIterator<T>
  #waiting: T[] = []
  #isDone = false
  #error: { value: unknown } | undefined
  #wakeTaker: () => void = () => undefined
  #wakePump: () => void = () => undefined

  constructor(source: AsyncIterable<T>, aheadMax: number) {
    this.#aheadMax = aheadMax
    this.#iterator = source[Symbol.asyncIterator]()
    void this.#run()
  }

  /** Returns the buffered items, at least one; none = the end. Errors: those of the source. */
  async take(): Promise<T[]> {
    while (this.#waiting.length === 0 && !this.#isDone) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wakeTaker = resolve
      await promise
    }
    const taken = this.#waiting
    this.#waiting = []
    this.#wakePump()
    if (taken.length === 0 && this.#error !== undefined) throw this.#error.value
    return taken
  }

  /** Closes the source early. */
  async end(): Promise<void> {
    this.#isDone = true
    this.#wakePump()
    this.#wakeTaker()
    await this.#iterator.return?.()
  }

  async #run(): Promise<void> {
    try {
      while (!this.#isDone) {
        const next = await this.#iterator.next()
        if (next.done === true) break
        this.#waiting.push(next.value)
        this.#wakeTaker()
        while (this.#waiting.length >= this.#aheadMax && !this.#isDone) {
          const { promise, resolve } = Promise.withResolvers<void>()
          this.#wakePump = resolve
          await promise
        }
      }
    } catch (error) {
      this.#error = { value: error }
    }
    this.#isDone = true
    this.#wakeTaker()
  }
}
