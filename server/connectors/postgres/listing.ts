import { nameFilter } from '../filter.ts'
import { SourceFailure, type Scope } from '../connector.ts'
import { listContainer } from '../scopes.ts'
import type { DatabaseRow, SchemaRow } from './catalog.ts'
import { databaseFilter, systemNames, type PostgresSetup } from './configuration.ts'
import type { PostgresConnection } from './connection.ts'
import { isDatabaseFailure } from './failure.ts'
import type { ListingStatements } from './flat-dialect.ts'
import type { PostgresConnections } from './home.ts'

/** Replaces bytes of a name that are not UTF-8. */
export const REPLACEMENT = '\uFFFD'

/** Lists databases. Errors: SourceFailure. */
export async function listDatabases(
  connecting: PostgresSetup,
  home: PostgresConnection,
  statements: ListingStatements,
): Promise<DatabaseRow[]> {
  const question = { name: 'list databases', statement: statements.databases }
  return await ask<DatabaseRow>(home, { ...question, begin: statements.begin(connecting) })
}

/** Lists the schemas of a connection's database. Errors: SourceFailure. */
export async function listSchemas(
  connecting: PostgresSetup,
  connection: PostgresConnection,
  statements: ListingStatements,
): Promise<SchemaRow[]> {
  const included = connecting.setup.filters.include['schema'] ?? []
  const wanted = included.filter((name) => systemNames.schema(name))
  const question = { name: 'list schemas', statement: statements.schemas(wanted) }
  return await ask<SchemaRow>(connection, { ...question, begin: statements.begin(connecting) })
}

/** Lists every database and schema with its decision. Errors: SourceFailure. */
export async function* listScopes(
  connecting: PostgresSetup,
  connections: PostgresConnections,
  statements: ListingStatements,
): AsyncGenerator<Scope> {
  const isWanted = databaseFilter(connecting)
  const home = await connections.lend()
  const databases = await listDatabases(connecting, home, statements)
  await connections.giveBack(home)
  for (const [name, , , , mayConnect] of databases) {
    const scope = { path: [name], kind: 'database', reading: name } as const
    if (!isWanted(name)) {
      yield { ...scope, decision: 'excluded' }
    } else if (!mayConnect) {
      const message = `${connecting.configuration.user} has no CONNECT privilege on ${name}.`
      yield { ...scope, decision: 'denied', message }
    } else {
      const schemas = listSchemaScopes(connecting, name, connections, statements)
      yield* listContainer(scope, schemas, explainDenial)
    }
  }
}

// The log-in to another database succeeded, so a rejection affects only this one.
function explainDenial(error: unknown): string {
  if (!(error instanceof SourceFailure)) throw error
  if (error.kind !== 'auth' && !isDatabaseFailure(error)) throw error
  return error.message
}

async function* listSchemaScopes(
  connecting: PostgresSetup,
  database: string,
  connections: PostgresConnections,
  statements: ListingStatements,
): AsyncGenerator<Scope> {
  const connection = await connections.lend(database)
  const schemas = await listSchemas(connecting, connection, statements)
  await connections.giveBack(connection)
  const isIncluded = nameFilter(connecting.setup.filters, 'schema', systemNames.schema)
  for (const [name, , , , mayUse] of schemas) {
    const scope = { path: [database, name], kind: 'schema', reading: database } as const
    const message = schemaDenial(connecting, name, mayUse, statements)
    if (!isIncluded(name)) yield { ...scope, decision: 'excluded' }
    else if (message === undefined) yield { ...scope, decision: 'included' }
    else yield { ...scope, decision: 'denied', message }
  }
}

/** Returns the reason why a schema is not read; undefined if it is. */
export function schemaDenial(
  { configuration: { hideInaccessible, user } }: PostgresSetup,
  name: string,
  mayUse: boolean,
  { isUsageRequired }: ListingStatements,
): string | undefined {
  if (name.includes(REPLACEMENT)) return `The name ${name} is not UTF-8.`
  const isHidden = (hideInaccessible || isUsageRequired) && !mayUse
  return isHidden ? `${user} has no USAGE privilege on ${name}.` : undefined
}

interface Question {
  name: string
  /** The statements before it. */
  begin: string
  statement: string
}

async function ask<Row extends unknown[]>(
  connection: PostgresConnection,
  { name, begin, statement }: Question,
): Promise<Row[]> {
  try {
    return await connection.query<Row>(name, [begin, statement, 'commit'].join(';'))
  } catch (error) {
    await connection.close()
    throw connection.failure(error)
  }
}
