import { Query, type Client, type QueryArrayConfig } from 'pg'
import { RowQueue, type PausableSource, type QueueLimit } from '../sql/row-queue.ts'
import type { CopyRow } from './copy-text.ts'

/**
 * Streams the rows of ordinary queries, for servers without COPY. The driver parses everything that
 * arrives, so reading from the socket pauses while enough rows wait for the consumer.
 */

/** The driver parses numbers and truth values. */
type Value = string | number | boolean | null

const QUEUE_LIMIT: QueueLimit<CopyRow> = {
  sizeMax: 1_000_000,
  getSize: (row) => row.reduce((characters, value) => characters + (value?.length ?? 0), 1),
}

/**
 * Sends statements, separated by `;`, and yields the rows of the one that has any, as lists of texts.
 * Errors: the driver's. If the consumer stops early, the connection cannot be used any more.
 */
export async function* streamRows(
  client: Client,
  socket: PausableSource,
  statements: string,
): AsyncGenerator<CopyRow[]> {
  const rows = new RowQueue(socket, QUEUE_LIMIT)
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

function toText(value: Value): string | null {
  return value === null ? null : String(value)
}
