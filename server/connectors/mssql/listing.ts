import { nameFilter } from '../filter.ts'
import { isPartialFailure, SourceFailure, type Scope } from '../connector.ts'
import { listContainer } from '../scopes.ts'
import { systemNames, type TdsSetup } from './configuration.ts'
import type { TdsConnections } from './connections.ts'
import { readContainers, type MssqlDatabase } from './database.ts'
import { databasesStatement } from './statements.ts'

/** A database in the listing. */
export interface ListedDatabase {
  name: string
  /** The reason why it cannot be read; undefined if it may be readable. */
  denial: string | undefined
}

/** The databases of a server. */
interface DatabaseListing {
  databases: readonly ListedDatabase[]
  /** False if the server hides databases that the user may not open. */
  isComplete: boolean
}

/** Lists databases. Errors: SourceFailure. */
export async function listDatabases(
  { account }: TdsSetup,
  { flavour, pool }: TdsConnections,
): Promise<DatabaseListing> {
  const rows = await pool.use(undefined, (connection) =>
    connection.query(databasesStatement(flavour)),
  )
  return {
    databases: rows.map(([name, state, access]) => ({
      name: String(name),
      denial: getDenial(String(name), String(state ?? 'ONLINE'), access ?? null, account),
    })),
    isComplete: !rows.some(([, , , seesAll]) => seesAll === 0),
  }
}

/**
 * Lists every database and schema with its decision, and adds the databases that may hide schemas to
 * `hiddenPaths`. Errors: SourceFailure.
 */
export async function* listScopes(
  connecting: TdsSetup,
  connections: TdsConnections,
  { databases }: DatabaseListing,
  hiddenPaths: string[][],
): AsyncGenerator<Scope> {
  const isWanted = nameFilter(connecting.setup.filters, 'database', systemNames.database)
  for (const { name, denial } of databases) {
    const scope = { path: [name], kind: 'database', reading: name } as const
    if (!isWanted(name)) yield { ...scope, decision: 'excluded' }
    else if (denial !== undefined) yield { ...scope, decision: 'denied', message: denial }
    else {
      const schemas = listSchemas(connecting, connections, name, hiddenPaths)
      yield* listContainer(scope, schemas, explainDenial)
    }
  }
}

// The log-in to another database succeeded, so a rejection affects only this one.
function explainDenial(error: unknown): string {
  if (!(error instanceof SourceFailure)) throw error
  if (error.kind !== 'auth' && !isPartialFailure(error)) throw error
  return error.message
}

async function* listSchemas(
  { setup }: TdsSetup,
  connections: TdsConnections,
  database: string,
  hiddenPaths: string[][],
): AsyncGenerator<Scope> {
  const isWanted = nameFilter(setup.filters, 'schema', systemNames.schema)
  const { schemas, isVisible } = await describeDatabase(connections, database)
  if (!isVisible) hiddenPaths.push([database])
  for (const { name } of schemas) {
    const decision = isWanted(name) ? 'included' : 'excluded'
    yield { path: [database, name], kind: 'schema', reading: database, decision }
  }
}

/** Reads a database and its schemas on a connection of its own. Errors: SourceFailure. */
export async function describeDatabase(
  { pool }: TdsConnections,
  database: string,
): Promise<MssqlDatabase> {
  return await pool.use(database, (connection) => readContainers(connection, database))
}

function getDenial(
  name: string,
  state: string,
  access: unknown,
  account: string,
): string | undefined {
  if (state !== 'ONLINE') return `The database ${name} is not online but ${state}.`
  return access === 0 ? `${account} may not open the database ${name}.` : undefined
}
