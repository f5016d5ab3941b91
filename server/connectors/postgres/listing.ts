import { nameFilter } from '../filter.ts'
import { SourceFailure } from '../connector.ts'
import type { Scope } from '../connector.ts'
import { DATABASES, schemasStatement } from './catalog.ts'
import type { DatabaseRow, SchemaRow } from './catalog.ts'
import { databaseFilter, systemNames } from './configuration.ts'
import type { PostgresSetup } from './configuration.ts'
import { beginStatement } from './connection.ts'
import type { PostgresConnection } from './connection.ts'
import { isDatabaseFailure } from './failure.ts'
import type { PostgresConnections } from './lending.ts'

/** Replaces bytes of a name that are not UTF-8. */
export const REPLACEMENT = '\uFFFD'

/** Lists databases. Errors: SourceFailure. */
export async function listDatabases(
  connecting: PostgresSetup,
  home: PostgresConnection,
): Promise<DatabaseRow[]> {
  return await ask<DatabaseRow>(connecting, home, 'list databases', DATABASES)
}

/** Lists the schemas of a connection's database. Errors: SourceFailure. */
export async function listSchemas(
  connecting: PostgresSetup,
  connection: PostgresConnection,
): Promise<SchemaRow[]> {
  const included = connecting.setup.filters.include['schema'] ?? []
  const wanted = included.filter((name) => systemNames.schema(name))
  const statement = schemasStatement(wanted)
  return await ask<SchemaRow>(connecting, connection, 'list schemas', statement)
}

/** Lists every database and schema with its decision. Errors: SourceFailure. */
export async function* listScopes(
  connecting: PostgresSetup,
  connections: PostgresConnections,
): AsyncGenerator<Scope> {
  const isWanted = databaseFilter(connecting)
  const home = await connections.lend()
  const databases = await listDatabases(connecting, home)
  await connections.giveBack(home)
  for (const [name, , , , mayConnect] of databases) {
    const scope = { path: [name], kind: 'database', reading: name } as const
    if (!isWanted(name)) {
      yield { ...scope, decision: 'excluded' }
    } else if (!mayConnect) {
      const message = `${connecting.configuration.user} has no CONNECT privilege on ${name}.`
      yield { ...scope, decision: 'denied', message }
    } else {
      yield* listDatabaseScopes(connecting, name, connections)
    }
  }
}

async function* listDatabaseScopes(
  connecting: PostgresSetup,
  database: string,
  connections: PostgresConnections,
): AsyncGenerator<Scope> {
  const scope = { path: [database], kind: 'database', reading: database } as const
  let schemas: SchemaRow[]
  try {
    const connection = await connections.lend(database)
    schemas = await listSchemas(connecting, connection)
    await connections.giveBack(connection)
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error
    // The log-in to another database succeeded, so a rejection affects only this one.
    if (error.kind !== 'auth' && !isDatabaseFailure(error)) throw error
    yield { ...scope, decision: 'denied', message: error.message }
    return
  }
  yield { ...scope, decision: 'included' }
  const isWanted = nameFilter(connecting.setup.filters, 'schema', systemNames.schema)
  for (const [name, , , , mayUse] of schemas) {
    const message = schemaDenial(connecting, name, mayUse)
    const denial = message === undefined ? {} : { message }
    yield {
      path: [database, name],
      kind: 'schema',
      reading: database,
      decision: decide(isWanted(name), message === undefined),
      ...(isWanted(name) ? denial : {}),
    }
  }
}

/** Returns the reason why a schema is not read; undefined if it is. */
export function schemaDenial(
  { configuration: { hideInaccessible, user } }: PostgresSetup,
  name: string,
  mayUse: boolean,
): string | undefined {
  if (name.includes(REPLACEMENT)) return `The name ${name} is not UTF-8.`
  return hideInaccessible && !mayUse ? `${user} has no USAGE privilege on ${name}.` : undefined
}

function decide(isWanted: boolean, isReadable: boolean): Scope['decision'] {
  if (!isWanted) return 'excluded'
  return isReadable ? 'included' : 'denied'
}

async function ask<Row extends unknown[]>(
  connecting: PostgresSetup,
  connection: PostgresConnection,
  name: string,
  statement: string,
): Promise<Row[]> {
  try {
    const statements = [beginStatement(connecting), statement, 'commit'].join(';')
    return await connection.query<Row>(name, statements)
  } catch (error) {
    await connection.close()
    throw connection.failure(error)
  }
}
