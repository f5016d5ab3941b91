import { SourceFailure, type Batch, type Scope, type SourceSession } from '../connector.ts'
import type { TdsSetup } from './configuration.ts'
import { connect } from './connection.ts'
import { TdsConnections } from './connections.ts'
import { openEntraTokens } from './entra.ts'
import { toFirstFailure } from './failure.ts'
import { listDatabases, listScopes } from './listing.ts'
import { readDatabase } from './reading.ts'

/** Opens a session for one run. Errors: SourceFailure. */
export async function openSession(connecting: TdsSetup): Promise<SourceSession> {
  return new MssqlSession(connecting, await openConnections(connecting))
}

/** Opens the first connection, and the tokens that it needs. Errors: SourceFailure. */
export async function openConnections(connecting: TdsSetup): Promise<TdsConnections> {
  const { entra, host } = connecting.configuration
  const tokens =
    entra === undefined ? undefined : await openEntraTokens(entra, host, connecting.setup)
  try {
    const access = { connecting, tokens }
    return new TdsConnections(access, await connect(access))
  } catch (error) {
    tokens?.close()
    throw error instanceof SourceFailure ? toFirstFailure(error) : error
  }
}

class MssqlSession implements SourceSession {
  readonly #connecting: TdsSetup
  readonly #connections: TdsConnections
  #hiddenPaths: string[][] = []

  constructor(connecting: TdsSetup, connections: TdsConnections) {
    this.#connecting = connecting
    this.#connections = connections
  }

  async *scopes(): AsyncGenerator<Scope> {
    const listing = await listDatabases(this.#connecting, this.#connections)
    // Any database that is missing from the listing may be hidden.
    this.#hiddenPaths = listing.isComplete ? [] : [[]]
    yield* listScopes(this.#connecting, this.#connections, listing, this.#hiddenPaths)
  }

  hiddenPaths(): readonly (readonly string[])[] {
    return this.#hiddenPaths
  }

  async *read(scopes: readonly Scope[]): AsyncGenerator<Batch> {
    const connection = await this.#connections.lend(scopes[0]?.reading)
    try {
      yield* readDatabase(connection, this.#connecting, scopes)
    } catch (error) {
      throw connection.failure(error)
    } finally {
      await this.#connections.giveBack(connection)
    }
  }

  async close(): Promise<void> {
    await this.#connections.close()
  }
}
