import { nameFilter, pathFilter } from '../filter.ts'
import type { Batch, Scope, SourceSession } from '../connector.ts'
import { ConnectionPool } from '../sql/connection-pool.ts'
import { LEVELS, systemNames, type MysqlSetup } from './configuration.ts'
import { connect, type MysqlConnection } from './connection.ts'
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
  readonly #pool: ConnectionPool<MysqlConnection>

  constructor(connecting: MysqlSetup, connection: MysqlConnection) {
    const rules = { connect: async () => await connect(connecting), idleMax: Infinity }
    this.#connecting = connecting
    this.#pool = new ConnectionPool(rules, connection)
  }

  async *scopes(): AsyncGenerator<Scope> {
    const { filters } = this.#connecting.setup
    const isIncluded = nameFilter(filters, 'database', systemNames.database)
    const { rows, hasDictionary } = await this.#pool.use(undefined, async (connection) => ({
      rows: await connection.query(databasesStatement()),
      hasDictionary: connection.flavour.hasDictionary,
    }))
    let includedCount = 0
    for (const name of rows.map(([cell]) => String(cell))) {
      const decision = isIncluded(name) ? 'included' : 'excluded'
      const group = `databases ${Math.floor(includedCount / DATABASES_A_READING) + 1}`
      if (decision === 'included') includedCount += 1
      yield { path: [name], kind: 'database', reading: hasDictionary ? group : name, decision }
    }
  }

  read(scopes: readonly Scope[]): AsyncGenerator<Batch> {
    const { filters } = this.#connecting.setup
    const isIncluded = pathFilter({ filters, levels: LEVELS, systemNames })
    const databases = scopes.flatMap(({ path }) => path.slice(0, 1))
    return this.#pool.read(undefined, (connection) =>
      readDatabases(connection, this.#connecting, databases, isIncluded),
    )
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }
}
