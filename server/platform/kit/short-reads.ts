import type { CompiledQuery, Kysely, RawBuilder } from 'kysely'
import type { PoolClient, QueryResult } from 'pg'
import { isConnectionLost } from './store-errors.ts'
import type { ShortRead, Statements } from './statements.ts'

/**
 * Batches short reads, which read one row by its key and cost more in round trips than in work. Short
 * reads of one turn of the event loop share a connection and a packet; each remains a statement with
 * its own result.
 */
export interface ShortReads {
  /** Executes a short read. Errors: those of any statement. */
  read(text: string, values: readonly unknown[]): Promise<QueryResult>
}

/** A compiled query that may be batched with others. */
interface ShortQuery<Row> extends CompiledQuery<Row> {
  readonly isShortRead: true
}

// More reads on one connection would wait for each other longer than for another connection.
const BATCH_MAX = 16

/** Executes a query that reads one row by its key, batched with others outside of transactions. */
export async function readShort<Tables, Row>(
  db: Kysely<Tables>,
  query: RawBuilder<Row>,
): Promise<Row[]> {
  const short: ShortQuery<Row> = { ...query.compile(db), isShortRead: true }
  const { rows } = await db.executeQuery<Row>(short)
  return rows
}

/** Returns whether a compiled query may be batched. */
export function isShortRead(query: CompiledQuery): boolean {
  return 'isShortRead' in query
}

interface WaitingRead extends ShortRead {
  done(answer: QueryResult): void
  failed(error: unknown): void
}

/** Creates the batches of a pool whose connections accept a statement before the last one is answered. */
export function newShortReads(
  borrow: () => Promise<PoolClient>,
  statements: Statements,
): ShortReads {
  let waiting: WaitingRead[] = []

  function sendAll(): void {
    const all = waiting
    waiting = []
    for (let at = 0; at < all.length; at += BATCH_MAX) {
      void sendGroup(all.slice(at, at + BATCH_MAX))
    }
  }

  async function sendGroup(reads: readonly WaitingRead[]): Promise<void> {
    let client: PoolClient
    try {
      client = await borrow()
    } catch (error) {
      for (const { failed } of reads) failed(error)
      return
    }
    let broken: Error | undefined
    const results = await statements.sendReads(client, reads)
    for (const [at, result] of results.entries()) {
      const read = reads[at]
      if (result.status === 'fulfilled') read?.done(result.value)
      else {
        if (isConnectionLost(result.reason)) broken = result.reason
        read?.failed(result.reason)
      }
    }
    client.release(broken)
  }

  return {
    read: (text, values) =>
      new Promise((done, failed) => {
        if (waiting.push({ text, values, done, failed }) === 1) setImmediate(sendAll)
      }),
  }
}
