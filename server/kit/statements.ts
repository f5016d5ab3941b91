import { createHash } from 'node:crypto'
import type { PoolClient, QueryResult } from 'pg'
import { inOnePacket, StoreUnavailable } from './connection.ts'
import { isLostStatement, isOutdatedStatement } from './pooler.ts'
import { isPlain, query, queryGroup, type Preparation } from './queries.ts'

/** Sends statements, prepared where that is possible. */
export interface Statements {
  /**
   * Sends a statement. Errors: StoreUnavailable, also for a statement of a transaction that a pooler lost;
   * and those of the database.
   */
  send(client: PoolClient, statement: Statement): Promise<QueryResult>
  /** Sends short reads in one packet. Returns the results in their order. */
  sendReads(
    client: PoolClient,
    reads: readonly ShortRead[],
  ): Promise<PromiseSettledResult<QueryResult>[]>
  /** Runs statements without values, separated by semicolons. Errors: as those of `send`. */
  run(client: PoolClient, text: string): Promise<void>
}

/** A statement to send. */
export interface Statement {
  text: string
  values: readonly unknown[]
  /**
   * The transaction of the statement: none of its own (`none`), one that is `open`, or one that this text
   * begins.
   */
  transaction: 'none' | 'open' | { begin: string }
}

/** A read of one row by its key, outside of a transaction. */
export type ShortRead = Pick<Statement, 'text' | 'values'>

const NAMES_MAX = 1000
const NAME_LENGTH = 16
// Statements that are used less often cost more to prepare on every backend than to parse.
const USES_MIN = 10
// With a pooler that discards prepared statements, every use is a miss.
const EXCESS_MISSES_MAX = 1000

const UNNAMED: Preparation = { kind: 'unnamed' }

/**
 * Names every distinct statement text, so that the server parses it once per connection. A name is a digest
 * of its text, so it never runs another statement, even if a pooler confuses backends. Texts past a limit get
 * no name and are parsed at each use.
 *
 * With `isShared`, a statement may meet any backend that a pooler shares among its clients. That also applies
 * after the first statement that is not found on its backend; `onLost` is called then.
 */
export function newStatements(isShared: boolean, onLost: (error: unknown) => void): Statements {
  const names = newNames()
  const shared = newSharedStatements(names)
  let areShared = isShared
  const send = async (client: PoolClient, statement: Statement): Promise<QueryResult> => {
    if (areShared) return await shared.send(client, statement)
    const name = names.nameOf(statement.text)
    if (name === undefined) return await sendOnce(client, statement, UNNAMED)
    try {
      return await sendOnce(client, statement, { kind: 'named', name })
    } catch (error) {
      if (isOutdatedStatement(error)) names.drop(statement.text)
      else if (isLostStatement(error)) {
        if (!areShared) onLost(error)
        areShared = true
      } else throw error
      if (statement.transaction !== 'open') return await send(client, statement)
      throw new StoreUnavailable('a prepared statement was lost', { cause: error })
    }
  }
  return {
    send,
    async sendReads(client, reads) {
      const results = areShared ? await shared.sendGroup(client, reads) : undefined
      if (results !== undefined) return results
      return await inOnePacket(client, () =>
        Promise.allSettled(reads.map((read) => send(client, { ...read, transaction: 'none' }))),
      )
    },
    async run(client, text) {
      await query(client, { text }, UNNAMED)
    },
  }
}

/**
 * Sends statements to backends that a pooler shares. A text that is used often is assumed to be
 * prepared; where it is not, it is prepared then and there, so that after a while it is everywhere. A
 * statement in an open transaction has no second try: it is parsed at each use.
 */
function newSharedStatements(names: Names) {
  const uses = new Map<string, number>()
  let excessMisses = 0
  const nameOf = ({ text, transaction }: Statement): string | undefined => {
    if (transaction === 'open' || excessMisses >= EXCESS_MISSES_MAX) return undefined
    const count = uses.get(text) ?? 0
    if (count >= USES_MIN) return names.nameOf(text)
    if (count > 0 || uses.size < NAMES_MAX) uses.set(text, count + 1)
    return undefined
  }
  const send = async (client: PoolClient, statement: Statement): Promise<QueryResult> => {
    const name = nameOf(statement)
    if (name === undefined) return await sendOnce(client, statement, UNNAMED)
    for (const isParsed of [true, false]) {
      try {
        const result = await sendOnce(client, statement, { kind: 'shared', name, isParsed })
        if (isParsed) excessMisses = Math.max(0, excessMisses - 1)
        return result
      } catch (error) {
        if (isOutdatedStatement(error)) names.drop(statement.text)
        else if (!isLostStatement(error)) throw error
        excessMisses += 1
      }
    }
    return await sendOnce(client, statement, UNNAMED)
  }
  return {
    send,
    /**
     * Sends reads as a group, which costs a pooler less than single statements. Undefined if one of them
     * failed or is not prepared everywhere; then each must be sent separately.
     */
    async sendGroup(
      client: PoolClient,
      reads: readonly ShortRead[],
    ): Promise<PromiseFulfilledResult<QueryResult>[] | undefined> {
      const named = reads.flatMap(({ text, values }) => {
        const name = nameOf({ text, values, transaction: 'none' })
        return name !== undefined && values.every((value) => isPlain(value))
          ? { name, values: values.filter((value) => isPlain(value)) }
          : []
      })
      if (named.length < 2 || named.length < reads.length) return undefined
      try {
        const results = await queryGroup(client, named)
        excessMisses = Math.max(0, excessMisses - results.length)
        return results.map((value) => ({ status: 'fulfilled', value }))
      } catch {
        return undefined
      }
    },
  }
}

/** The names of statements. */
interface Names {
  /** Returns the name of a text; undefined past the limit, or after it was dropped. */
  nameOf(text: string): string | undefined
  /** Removes the name of a text for good. */
  drop(text: string): void
}

function newNames(): Names {
  const names = new Map<string, string | undefined>()
  return {
    nameOf(text) {
      if (names.has(text)) return names.get(text)
      if (names.size >= NAMES_MAX) return undefined
      const digest = createHash('sha256').update(text).digest('base64url')
      const name = `portbook_${digest.slice(0, NAME_LENGTH)}`
      names.set(text, name)
      return name
    },
    drop: (text) => void names.set(text, undefined),
  }
}

// A statement and the transaction around it travel together, so that it costs no further round trip.
async function sendOnce(
  client: PoolClient,
  { text, values, transaction }: Statement,
  preparation: Preparation,
): Promise<QueryResult> {
  const config = { text, values: [...values] }
  if (typeof transaction === 'string') return await query(client, config, preparation)
  const [begun, sent, committed] = await inOnePacket(client, () =>
    Promise.allSettled([
      query(client, { text: transaction.begin }, UNNAMED),
      query(client, config, preparation),
      query(client, { text: 'commit' }, UNNAMED),
    ]),
  )
  if (sent.status === 'rejected') throw sent.reason
  if (begun.status === 'rejected') throw begun.reason
  if (committed.status === 'rejected') throw committed.reason
  return sent.value
}
