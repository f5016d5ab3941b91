import { nameFilter } from '../filter.ts'
import type { Scope } from '../connector.ts'
import { listContainer, toDetails } from '../scopes.ts'
import { systemNames } from './configuration.ts'
import type { ResultRow } from './result-row.ts'
import { showObjects } from './show.ts'
import { quoteName } from './sql-text.ts'
import type { SnowflakeClient } from './statement-client.ts'
import { isStatementFailure } from './statement-error.ts'

/** Creates the filter for databases: an exact include also includes those of the platform or of a share. */
export function newDatabaseFilter({
  configuration,
  setup,
}: SnowflakeClient): (database: ResultRow) => boolean {
  const isIncluded = nameFilter(setup.filters, 'database', systemNames.database)
  const isNamed = nameFilter(setup.filters, 'database', () => true)
  return (database) => {
    const name = database.require('name')
    return isShared(database) && !configuration.includeShared ? isNamed(name) : isIncluded(name)
  }
}

/** Checks whether a database is that of a share, which it names as its origin. */
export function isShared(database: ResultRow): boolean {
  return Boolean(database.get('origin')) || /IMPORTED/i.test(database.get('kind') ?? '')
}

/** Lists databases and schemas with their decisions. Errors: SourceFailure. */
export async function* listScopes(client: SnowflakeClient): AsyncGenerator<Scope> {
  const isIncluded = newDatabaseFilter(client)
  const statement = { objects: 'DATABASES', within: [], what: 'its databases' } as const
  for await (const database of showObjects(client, statement)) {
    const name = database.require('name')
    const scope = { path: [name], kind: 'database', reading: name } as const
    if (!isIncluded(database)) {
      yield { ...scope, decision: 'excluded' }
      continue
    }
    const explain = (error: unknown): string => {
      if (!isStatementFailure(error)) throw error
      const grant = `GRANT USAGE ON DATABASE ${quoteName(name)} TO ROLE …`
      return `${error.message} Grant the privilege: ${grant}.`
    }
    yield* listContainer({ ...scope, ...toFacts(database) }, listSchemas(client, name), explain)
  }
}

async function* listSchemas(client: SnowflakeClient, database: string): AsyncGenerator<Scope> {
  const isIncluded = nameFilter(client.setup.filters, 'schema', systemNames.schema)
  const what = `the schemas of ${database}`
  const statement = { objects: 'SCHEMAS', within: [database], what } as const
  for await (const schema of showObjects(client, statement)) {
    const name = schema.require('name')
    const scope = { path: [database, name], kind: 'schema', reading: database } as const
    yield isIncluded(name)
      ? { ...scope, decision: 'included', ...toFacts(schema) }
      : { ...scope, decision: 'excluded' }
  }
}

function toFacts(row: ResultRow): Pick<Scope, 'details'> {
  return toDetails({ owner: row.get('owner'), comment: row.get('comment') })
}
