import { Query } from 'pg'
import type { Connection, PoolClient, QueryConfig, QueryResult } from 'pg'
import { toStoreUnavailable } from './store-errors.ts'

// Features that the driver lacks: prepared statements that another connection has parsed, and groups of prepared
// statements with one Sync message.

/** The way in which a statement is prepared. */
export type Preparation =
  /** Parsed at each use. */
  | { kind: 'unnamed' }
  /** Parsed once per connection. */
  | { kind: 'named'; name: string }
  /** Parsed under a name, either now or earlier by any client on any connection of the pooler. */
  | { kind: 'shared'; name: string; isParsed: boolean }

/** A value that the driver sends unchanged. */
type PlainValue = string | Buffer | null

/** Returns whether the driver sends a value unchanged. */
export function isPlain(value: unknown): value is PlainValue {
  return value === null || typeof value === 'string' || Buffer.isBuffer(value)
}

/** Sends a query. Errors: StoreUnavailable, and those of the database. */
export async function query(
  client: PoolClient,
  config: QueryConfig<unknown[]>,
  preparation: Preparation,
): Promise<QueryResult> {
  try {
    if (preparation.kind === 'unnamed') return await client.query(config)
    const { name } = preparation
    if (preparation.kind === 'named') return await client.query({ ...config, name })
    return await new Promise((done, failed) => {
      const { isParsed } = preparation
      client.query(
        new SharedQuery({ ...config, name }, isParsed, (error, result) => {
          if (result === undefined) failed(error)
          else done(result)
        }),
      )
    })
  } catch (error) {
    throw toStoreUnavailable(error) ?? error
  }
}

type Callback = (error: Error | null | undefined, result: QueryResult | undefined) => void

/** A named query whose caller decides whether to parse it, instead of the driver. */
class SharedQuery extends Query {
  readonly #isParsed: boolean

  constructor(config: QueryConfig<unknown[]>, isParsed: boolean, callback: Callback) {
    super(config, callback)
    this.#isParsed = isParsed
  }

  /** The driver sends no Parse message if this is true. */
  hasBeenParsed(): boolean {
    return this.#isParsed
  }
}

/** A statement that is prepared on a backend. */
interface PreparedRead {
  name: string
  values: PlainValue[]
}

/**
 * Sends prepared reads as a group. If one fails, all fail with its error.
 */
export async function queryGroup(
  client: PoolClient,
  reads: readonly PreparedRead[],
): Promise<QueryResult[]> {
  return await new Promise((done, failed) => {
    client.query(
      new QueryGroup(reads, (error, results) => {
        if (Array.isArray(results) && results.length === reads.length) done(results)
        else
          failed(
            error ??
              new Error(`expected the results of ${reads.length} reads, got a different number`),
          )
      }),
    )
  })
}

/** Several prepared statements with one Sync message, which the server answers in one packet. */
class QueryGroup extends Query {
  readonly #reads: readonly PreparedRead[]

  constructor(reads: readonly PreparedRead[], callback: Callback) {
    super({ text: 'a group of reads' }, callback)
    this.#reads = reads
  }

  /** Makes the driver call `prepare`. */
  requiresPreparation(): boolean {
    return true
  }

  /** Sends the messages. */
  prepare(connection: Connection): void {
    for (const { name, values } of this.#reads) {
      connection.bind({ statement: name, values }, true)
      connection.describe({ type: 'P', name: '' }, true)
      connection.execute({}, true)
    }
    connection.sync()
  }
}
