/** The part of a driver whose reading from the server can be held back. */
export interface PausableSource {
  pause(): unknown
  resume(): unknown
}

/** The size at which the driver stops reading. */
export interface QueueLimit<Row> {
  sizeMax: number
  getSize(row: Row): number
}

/**
 * The rows of a statement between the driver, which parses everything that arrives, and their reader. Reading from the
 * server pauses while enough rows wait.
 */
export class RowQueue<Row> {
  readonly #source: PausableSource
  readonly #limit: QueueLimit<Row>
  #rows: Row[] = []
  #size = 0
  #end: { error: unknown } | undefined
  #wake = (): void => undefined

  constructor(source: PausableSource, limit: QueueLimit<Row>) {
    this.#source = source
    this.#limit = limit
  }

  /** Adds a row of the driver. */
  add(row: Row): void {
    if (this.#end !== undefined) return
    this.#rows.push(row)
    this.#size += this.#limit.getSize(row)
    if (this.#size >= this.#limit.sizeMax) this.#source.pause()
    this.#wake()
  }

  /** Ends the rows; the first error counts, and comes after the rows that were not yet taken. */
  end(error?: unknown): void {
    this.#end ??= { error }
    this.#wake()
  }

  /** Waits for rows and takes them; undefined after the last. Errors: the one given to `end`. */
  async take(): Promise<Row[] | undefined> {
    while (this.#rows.length === 0) {
      if (this.#end?.error !== undefined) throw this.#end.error
      if (this.#end !== undefined) return undefined
      // The reader has finished with the previous rows.
      this.#source.resume()
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      await promise
    }
    const rows = this.#rows
    this.#rows = []
    this.#size = 0
    return rows
  }
}
