import { nameFilter, pathFilter } from '../filter.ts'
import type { Batch, Scope, SourceSession } from '../connector.ts'
import { LEVELS, systemNames } from './configuration.ts'
import type { MysqlSetup } from './configuration.ts'
import { connect } from './connection.ts'
import type { MysqlConnection } from './connection.ts'
import { readDatabases } from './reading.ts'
import { databasesStatement } from './statements.ts'

/** Databases in one reading, for servers whose statements cost the same for several databases. */
const DATABASES_A_READING = 50

/** Opens a session for one run. Errors: SourceFailure. */
export async function openSession(connecting: MysqlSetup): Promise<SourceSession> {
  return new Session(connecting, await connect(connecting))
}

class Session implements SourceSession {
  readonly #connecting: MysqlSetup
  readonly #open = new Set<MysqlConnection>()
  readonly #idle: MysqlConnection[]

  constructor(connecting: MysqlSetup, connection: MysqlConnection) {
    this.#connecting = connecting
    this.#open.add(connection)
    this.#idle = [connection]
  }

  async *scopes(): AsyncGenerator<Scope> {
    const { filters } = this.#connecting.setup
    const isIncluded = nameFilter(filters, 'database', systemNames.database)
    const { names, hasDictionary } = await this.#listDatabases()
    let includedCount = 0
    for (const name of names) {
      const decision = isIncluded(name) ? 'included' : 'excluded'
      const group = `databases ${Math.floor(includedCount / DATABASES_A_READING) + 1}`
      if (decision === 'included') includedCount += 1
      yield { path: [name], kind: 'database', reading: hasDictionary ? group : name, decision }
    }
  }

  async *read(scopes: readonly Scope[]): AsyncGenerator<Batch> {
    const { setup } = this.#connecting
    const isIncluded = pathFilter({ filters: setup.filters, levels: LEVELS, systemNames })
    const connection = await this.#take()
    try {
      const databases = scopes.flatMap(({ path }) => path.slice(0, 1))
      yield* readDatabases(connection, this.#connecting, databases, isIncluded)
    } catch (error) {
      throw connection.failure(error)
    } finally {
      this.#giveBack(connection)
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((connection) => connection.close()))
  }

  async #listDatabases(): Promise<{ names: string[]; hasDictionary: boolean }> {
    const connection = await this.#take()
    try {
      const rows = await connection.query(databasesStatement())
      const names = rows.map(([name]) => String(name))
      return { names, hasDictionary: connection.flavour.hasDictionary }
    } catch (error) {
      throw connection.failure(error)
    } finally {
      this.#giveBack(connection)
    }
  }

  // Concurrent readings use separate connections, so that none waits until the other is consumed.
  async #take(): Promise<MysqlConnection> {
    const idle = this.#idle.pop()
    if (idle?.isUsable === true) return idle
    if (idle !== undefined) this.#drop(idle)
    const connection = await connect(this.#connecting)
    this.#open.add(connection)
    return connection
  }

  #giveBack(connection: MysqlConnection): void {
    if (connection.isUsable) this.#idle.push(connection)
    else this.#drop(connection)
  }

  #drop(connection: MysqlConnection): void {
    void connection.close().then(() => this.#open.delete(connection))
  }
}
