import { SourceFailure } from '../connector.ts'

const FACTOR = 8

/** The number of entries that a listing requests at once: fewer after an answer that was too large. */
export class PageSize {
  #size: number | undefined
  readonly #smaller: number

  /** `size` is requested first, undefined = as the source decides; `smaller` after the first answer that is too large. */
  constructor(size: number | undefined, smaller: number) {
    this.#size = size
    this.#smaller = smaller
  }

  /**
   * Requests a page, and again with fewer entries while the answer is too large. Errors: those of `send`; too_large for
   * a single entry.
   */
  async request<T>(send: (size: number | undefined) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await send(this.#size)
      } catch (error) {
        const isTooLarge = error instanceof SourceFailure && error.kind === 'too_large'
        if (!isTooLarge || this.#size === 1) throw error
        const size = this.#size
        this.#size =
          size === undefined || size > this.#smaller
            ? this.#smaller
            : Math.max(1, Math.floor(size / FACTOR))
      }
    }
  }
}
