import type { QueryRow } from './jobs.ts'

/**
 * Reads rows that are ordered by dataset and table, their first two values. Several cursors are read side by
 * side, so that the rows of only one table are in memory.
 */
export class RowCursor {
  readonly #pages: AsyncGenerator<readonly QueryRow[]>
  #page: readonly QueryRow[] = []
  #at = 0
  #failure: { error: unknown } | undefined

  constructor(pages: AsyncGenerator<readonly QueryRow[]>) {
    this.#pages = pages
  }

  /** Returns the next row without taking it; undefined after the last one. Errors: those of the query. */
  async peek(): Promise<QueryRow | undefined> {
    // After an error, the generator would look as if it had ended.
    if (this.#failure !== undefined) throw this.#failure.error
    try {
      while (this.#at >= this.#page.length) {
        const { value, done } = await this.#pages.next()
        if (done === true) return undefined
        this.#page = value
        this.#at = 0
      }
    } catch (error) {
      this.#failure = { error }
      throw error
    }
    return this.#page[this.#at]
  }

  /** Takes the next row of a dataset, and skips datasets before it. Errors: those of the query. */
  async takeNext(dataset: string): Promise<QueryRow | undefined> {
    for (let row = await this.peek(); row !== undefined; row = await this.peek()) {
      const order = compareNames(row[0] ?? '', dataset)
      if (order > 0) return undefined
      this.#at += 1
      if (order === 0) return row
    }
    return undefined
  }

  /** Takes the rows of a table, and skips tables before it. Errors: those of the query. */
  async takeTable(dataset: string, table: string): Promise<QueryRow[]> {
    const rows: QueryRow[] = []
    for (let row = await this.peek(); row !== undefined; row = await this.peek()) {
      const order = compareNames(row[0] ?? '', dataset) || compareNames(row[1] ?? '', table)
      if (order > 0) break
      this.#at += 1
      if (order === 0) rows.push(row)
    }
    return rows
  }

  /** Ends the query. */
  async close(): Promise<void> {
    await this.#pages.return(undefined)
  }
}

/** Compares names in the order of BigQuery: by the bytes of UTF-8. */
export function compareNames(one: string, other: string): number {
  return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other))
}
