import { Query } from 'pg'
import type { Connection, PoolClient, QueryConfig, QueryResult } from 'pg'
import { unavailability } from './connection.ts'

// Extensions of the driver: prepared statements that another connection has parsed, and groups of them with
// one synchronization.

/** The preparation of a statement. */
export type Preparation =
  /** Parsed at each use. */
  | { kind: 'unnamed' }
  /** Parsed once a connection. */
  | { kind: 'named'; name: string }
  /** Parsed under a name now, or earlier by any client on any connection of the pooler. */
  | { kind: 'shared'; name: string; isParsed: boolean }

/** A value that the driver sends as it is. */
export type PlainValue = string | Buffer | null

/** Whether the driver sends a value as it is. */
export function isPlain(value: unknown): value is PlainValue {
  return value === null || typeof value === 'string' || Buffer.isBuffer(value)
}

/** Sends one query. Errors: StoreUnavailable, and the store's own. */
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
    throw unavailability(error) ?? error
  }
}

type Callback = (error: Error | null | undefined, result: QueryResult | undefined) => void

/** A named query for which the driver does not decide, by its connection, whether to parse it. */
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
export interface PreparedRead {
  name: string
  values: PlainValue[]
}

/** Sends prepared reads as a group. Errors: that of the first failing read, for all of them. */
export async function queryGroup(
  client: PoolClient,
  reads: readonly PreparedRead[],
): Promise<QueryResult[]> {
  return await new Promise((done, failed) => {
    client.query(
      new QueryGroup(reads, (error, results) => {
        if (Array.isArray(results) && results.length === reads.length) done(results)
        else failed(error ?? new Error(`${reads.length} reads had another number of results`))
      }),
    )
  })
}

/** Several prepared statements with one synchronization, which the server answers in one packet. */
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
