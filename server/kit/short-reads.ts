import type { Pool, PoolClient, QueryResult } from 'pg'
import { borrow, StoreUnavailable, type PoolLimits } from './connection.ts'
import type { ShortRead, Statements } from './statements.ts'

/**
 * Short reads, those of one row by its key, cost more in travel than in work. The ones that one turn
 * of the event loop asks for go together: over one connection, in one packet, each still a statement
 * of its own with an answer of its own.
 */
export interface ShortReads {
  /** The answer to a short read. Errors: as of any statement. */
  read(text: string, values: readonly unknown[]): Promise<QueryResult>
}

/** What a statement's text begins with when it is a short read. */
export const SHORT_READ = '/* short read */'

// So many share a connection at most: more would wait for each other longer than for a connection.
const TOGETHER_MAX = 16

interface WaitingRead extends ShortRead {
  done(answer: QueryResult): void
  failed(error: unknown): void
}

/** Gathers the short reads of a pool whose connections take statements before the last is answered. */
export function newShortReads(pool: Pool, limits: PoolLimits, statements: Statements): ShortReads {
  let waiting: WaitingRead[] = []

  function sendAll(): void {
    const all = waiting
    waiting = []
    for (let at = 0; at < all.length; at += TOGETHER_MAX) {
      void sendTogether(all.slice(at, at + TOGETHER_MAX))
    }
  }

  async function sendTogether(reads: readonly WaitingRead[]): Promise<void> {
    let client: PoolClient
    try {
      client = await borrow(pool, limits)
    } catch (error) {
      for (const { failed } of reads) failed(error)
      return
    }
    let broken: StoreUnavailable | undefined
    const results = await statements.sendReads(client, reads)
    for (const [at, result] of results.entries()) {
      const read = reads[at]
      if (result.status === 'fulfilled') read?.done(result.value)
      else {
        if (result.reason instanceof StoreUnavailable) broken = result.reason
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
