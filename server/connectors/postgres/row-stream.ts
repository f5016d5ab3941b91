import { Query, type Client, type QueryArrayConfig } from 'pg'
import type { CopyRow } from './copy-text.ts'

/**
 * Streams the rows of ordinary queries, for servers without COPY. The driver parses everything that
 * arrives, so reading from the socket pauses while enough rows wait for the consumer.
 */

/** The driver parses numbers and truth values. */
type Value = string | number | boolean | null

/** A socket whose data can be held back. */
export interface PausableSocket {
  pause(): unknown
  resume(): unknown
}

const WAITING_CHARACTERS_MAX = 1_000_000

/**
 * Sends statements, separated by `;`, and yields the rows of the one that has any, as lists of texts.
 * Errors: the driver's. If the consumer stops early, the connection cannot be used any more.
 */
export async function* streamRows(
  client: Client,
  socket: PausableSocket,
  statements: string,
): AsyncGenerator<CopyRow[]> {
  const rows = new WaitingRows(socket)
  const config: QueryArrayConfig = { text: statements, rowMode: 'array' }
  const query = new Query<Value[]>(config)
  query.on('row', (row) => rows.add(row.map(toText)))
  query.on('error', (error: Error) => rows.end(error))
  query.on('end', () => rows.end())
  client.query(query)
  try {
    for (;;) {
      const taken = await rows.take()
      if (taken === undefined) return
      yield taken
    }
  } finally {
    query.removeAllListeners('row')
  }
}

/** Rows that have arrived and were not consumed. */
class WaitingRows {
  readonly #socket: PausableSocket
  #rows: CopyRow[] = []
  #characters = 0
  #hasEnded = false
  #error: Error | undefined
  #wake = (): void => undefined

  constructor(socket: PausableSocket) {
    this.#socket = socket
  }

  add(row: CopyRow): void {
    this.#rows.push(row)
    for (const value of row) this.#characters += value?.length ?? 0
    if (this.#characters > WAITING_CHARACTERS_MAX) this.#socket.pause()
    this.#wake()
  }

  end(error?: Error): void {
    this.#hasEnded = true
    this.#error ??= error
    this.#wake()
  }

  /** Takes the waiting rows, at least one; undefined = the end. Errors: the driver's. */
  async take(): Promise<CopyRow[] | undefined> {
    while (this.#rows.length === 0) {
      if (this.#error !== undefined) throw this.#error
      if (this.#hasEnded) return undefined
      // The consumer has finished with the previous rows.
      this.#socket.resume()
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      await promise
    }
    const rows = this.#rows
    this.#rows = []
    this.#characters = 0
    return rows
  }
}

function toText(value: Value): string | null {
  return value === null ? null : String(value)
}
