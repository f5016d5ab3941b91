import { nameFilter } from '../filter.ts'
import type { Scope } from '../connector.ts'
import { toDetails } from '../scope-details.ts'
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

// Databases of a share name it as their origin.
function isShared(database: ResultRow): boolean {
  return Boolean(database.get('origin')) || /IMPORTED/i.test(database.get('kind') ?? '')
}

/** Lists databases and schemas with their decisions. Errors: SourceFailure. */
export async function* listScopes(client: SnowflakeClient): AsyncGenerator<Scope> {
  const isIncluded = newDatabaseFilter(client)
  const statement = { objects: 'DATABASES', within: [], what: 'its databases' } as const
  for await (const database of showObjects(client, statement)) {
    const name = database.require('name')
    if (!isIncluded(database)) {
      yield { path: [name], kind: 'database', reading: name, decision: 'excluded' }
      continue
    }
    yield* listSchemas(client, database)
  }
}

async function* listSchemas(client: SnowflakeClient, row: ResultRow): AsyncGenerator<Scope> {
  const database = row.require('name')
  const isIncluded = nameFilter(client.setup.filters, 'schema', systemNames.schema)
  const own: Omit<Scope, 'decision'> = { path: [database], kind: 'database', reading: database }
  const scopes: Scope[] = []
  const what = `the schemas of ${database}`
  try {
    for await (const schema of showObjects(client, {
      objects: 'SCHEMAS',
      within: [database],
      what,
    })) {
      const path = [database, schema.require('name')] as const
      const decision = isIncluded(path[1]) ? 'included' : 'excluded'
      const scope = { path, kind: 'schema', reading: database, decision } as const
      scopes.push(decision === 'included' ? { ...scope, ...toFacts(schema) } : scope)
    }
  } catch (error) {
    if (!isStatementFailure(error)) throw error
    const grant = `GRANT USAGE ON DATABASE ${quoteName(database)} TO ROLE …`
    yield { ...own, decision: 'denied', message: `${error.message} Grant the privilege: ${grant}.` }
    return
  }
  yield { ...own, decision: 'included', ...toFacts(row) }
  yield* scopes
}

function toFacts(row: ResultRow): Pick<Scope, 'details'> {
  return toDetails({ owner: row.get('owner'), comment: row.get('comment') })
}
