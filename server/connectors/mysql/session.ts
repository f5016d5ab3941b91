import { nameFilter, pathFilter } from '../filter.ts'
import type { Scope, SourceSession } from '../connector.ts'
import { ConnectionPool } from '../sql/connection-pool.ts'
import { LEVELS, systemNames, type MysqlSetup } from './configuration.ts'
import { connect, type MysqlConnection } from './connection.ts'
import { readGrants } from './grants.ts'
import { measureTable } from './measure.ts'
import { readDatabases } from './reading.ts'
import { databasesStatement } from './statements.ts'

/** Databases in one reading, for servers whose statements cost the same for several databases. */
const DATABASES_A_READING = 50

/** Opens a session for one run. Errors: SourceFailure. */
export async function openSession(connecting: MysqlSetup): Promise<SourceSession> {
  const rules = { connect: async () => await connect(connecting), idleMax: Infinity }
  const pool = new ConnectionPool(rules, await connect(connecting))
  const isIncluded = pathFilter({ filters: connecting.setup.filters, levels: LEVELS, systemNames })
  return {
    scopes: () => listScopes(connecting, pool),
    read(scopes) {
      const databases = scopes.flatMap(({ path }) => path.slice(0, 1))
      return pool.read(undefined, (connection) =>
        readDatabases(connection, connecting, databases, isIncluded),
      )
    },
    grants: (scopes) => pool.read(undefined, (connection) => readGrants(connection, scopes)),
    measure: (table) =>
      pool.use(undefined, (connection) => measureTable(connecting, connection, table)),
    close: async () => await pool.close(),
  }
}

async function* listScopes(
  { setup }: MysqlSetup,
  pool: ConnectionPool<MysqlConnection>,
): AsyncGenerator<Scope> {
  const isIncluded = nameFilter(setup.filters, 'database', systemNames.database)
  const { rows, hasDictionary } = await pool.use(undefined, async (connection) => ({
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
