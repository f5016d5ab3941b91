import { createHash } from 'node:crypto'
import type { PoolClient, QueryResult } from 'pg'
import { inOnePacket } from './connection.ts'
import { isLostStatement, isOutdatedStatement, newConflict } from './store-errors.ts'
import { isPlain, query, queryGroup, type Preparation } from './queries.ts'

/** Sends statements, prepared if possible. */
export interface Statements {
  /**
   * Sends a statement. Errors: StoreUnavailable, also if a pooler lost a prepared statement in a transaction; and
   * those of the database if it rejects the statement.
   */
  send(client: PoolClient, statement: Statement): Promise<QueryResult>
  /** Sends short reads in one packet. Returns their results in the same order. */
  sendReads(
    client: PoolClient,
    reads: readonly ShortRead[],
  ): Promise<PromiseSettledResult<QueryResult>[]>
  /** Runs statements without values, separated by semicolons. Errors: those of `send`. */
  run(client: PoolClient, text: string): Promise<void>
}

/** A statement to send. */
export interface Statement {
  text: string
  values: readonly unknown[]
  /**
   * The transaction of the statement: `none`, `open` for the current one, or a new one that the text
   * `begin` begins.
   */
  transaction: 'none' | 'open' | { begin: string }
}

/** A read of one row by its key, outside a transaction. */
export type ShortRead = Pick<Statement, 'text' | 'values'>

const NAMES_MAX = 1000
const NAME_LENGTH = 16
// A statement used less often is cheaper to parse than to prepare on every backend.
const USES_MIN = 10
// With a pooler that discards prepared statements, every use is a miss.
const EXCESS_MISSES_MAX = 1000

const UNNAMED: Preparation = { kind: 'unnamed' }

/**
 * Creates a sender of statements. It names every distinct statement text, so that the server parses it once per
 * connection. A name is a digest of the text: even if a pooler changes backends, a name never runs another
 * statement. Texts over a limit get no name: they are parsed at each use, which is only slower.
 *
 * With `isShared` a statement may run on any of the backends that a pooler shares among its clients. This is also
 * assumed after the first prepared statement that is missing on its backend; `onLost` is then called.
 */
export function newStatements(isShared: boolean, onLost: (error: unknown) => void): Statements {
  const names = newNames()
  const shared = newSharedStatements(names)
  let areShared = isShared
  const send = async (client: PoolClient, statement: Statement): Promise<QueryResult> => {
    if (areShared) return await shared.send(client, statement)
    const name = names.getName(statement.text)
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
      throw newConflict('a prepared statement was lost', error)
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
 * Creates a sender of statements to backends that a pooler shares. A frequent text is assumed to be prepared; on a
 * backend where it is not, it is prepared on use, and eventually on all backends. A statement in an open
 * transaction cannot be retried, so it is parsed at each use.
 */
function newSharedStatements(names: Names) {
  const uses = new Map<string, number>()
  let excessMisses = 0
  const getName = ({ text, transaction }: Statement): string | undefined => {
    if (transaction === 'open' || excessMisses >= EXCESS_MISSES_MAX) return undefined
    const count = uses.get(text) ?? 0
    if (count >= USES_MIN) return names.getName(text)
    if (count > 0 || uses.size < NAMES_MAX) uses.set(text, count + 1)
    return undefined
  }
  const send = async (client: PoolClient, statement: Statement): Promise<QueryResult> => {
    const name = getName(statement)
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
     * Sends reads as a group, which costs a pooler less than separate reads. Returns undefined if one of them failed
     * or is not prepared everywhere; the caller must then send them separately.
     */
    async sendGroup(
      client: PoolClient,
      reads: readonly ShortRead[],
    ): Promise<PromiseFulfilledResult<QueryResult>[] | undefined> {
      const named = reads.flatMap(({ text, values }) => {
        const name = getName({ text, values, transaction: 'none' })
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
  /** Returns the name of a text; undefined over the limit, or after it was dropped. */
  getName(text: string): string | undefined
  /** Removes the name of a text permanently. */
  drop(text: string): void
}

function newNames(): Names {
  const names = new Map<string, string | undefined>()
  return {
    getName(text) {
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

// A statement and its transaction are sent together, which saves round trips.
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
