import type { Pool, PoolClient, QueryResult } from 'pg'
import { Writable } from 'node:stream'
import { borrow, StoreUnavailable, type PoolLimits, type Statements } from './connection.ts'

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

interface WaitingRead {
  text: string
  values: readonly unknown[]
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
    const socket = socketOf(client)
    socket?.cork()
    const answers = reads.map(async ({ text, values, done, failed }) => {
      try {
        done(await statements.send(client, text, values))
      } catch (error) {
        if (error instanceof StoreUnavailable) broken = error
        failed(error)
      }
    })
    socket?.uncork()
    await Promise.all(answers)
    client.release(broken)
  }

  return {
    read: (text, values) =>
      new Promise((done, failed) => {
        if (waiting.push({ text, values, done, failed }) === 1) setImmediate(sendAll)
      }),
  }
}

// What the driver writes for several statements leaves as one packet. Its socket is not a part of
// what it promises: without it each statement is a packet of its own, and all is still right.
function socketOf(client: PoolClient): Writable | undefined {
  const connection: unknown = Reflect.get(client, 'connection')
  if (typeof connection !== 'object' || connection === null) return undefined
  const stream: unknown = Reflect.get(connection, 'stream')
  return stream instanceof Writable ? stream : undefined
}
