import { describeCount } from '../checks.ts'
import type { AssetPlace, Scope, Setup, SourceSession, TableProof } from '../connector.ts'
import { nameFilter } from '../filter.ts'
import { proveEach, readScopes } from '../http/read-scopes.ts'
import type { Wait } from '../http/transport.ts'
import { toDetails } from '../scopes.ts'
import { databasesAnswer, tableAnswer } from './answers.ts'
import { callGlue, listPages, openCatalog, type GlueCatalog } from './catalog.ts'
import { glueConfiguration } from './configuration.ts'
import { readGrants } from './grants.ts'
import { readDatabase } from './reading.ts'

/** Opens a session; `wait` delays its requests. Errors: SourceFailure. */
export async function openSession(setup: Setup, wait?: Wait): Promise<SourceSession> {
  const configuration = glueConfiguration.parse(setup.configuration)
  const catalog = await openCatalog(configuration, setup, wait)
  return {
    scopes: () => listScopes(catalog),
    read: (scopes) => readScopes(scopes, (scope) => readDatabase(catalog, scope)),
    prove: async (tables) => await proveTables(catalog, tables),
    grants: (scopes, tables) => readGrants(catalog, scopes, tables),
    close: async () => catalog.close(),
  }
}

/** Lists databases with their decisions. Errors: SourceFailure. */
async function* listScopes(catalog: GlueCatalog): AsyncGenerator<Scope> {
  const { setup, configuration } = catalog
  const isIncluded = nameFilter(setup.filters, 'database')
  let skippedCount = 0
  for await (const { DatabaseList: page } of listPages(
    catalog,
    'GetDatabases',
    {},
    databasesAnswer,
    'its databases',
  )) {
    for (const database of page) {
      const { Name: name, TargetDatabase: target, Description: description } = database
      const scope = { path: [name], kind: 'database', reading: name } as const
      const isSkipped = target != null && configuration.resourceLinks === 'skip'
      if (isSkipped) skippedCount += 1
      if (isSkipped || !isIncluded(name)) {
        yield { ...scope, decision: 'excluded' }
        continue
      }
      const details = toDetails({ description, location: database.LocationUri })
      yield { ...scope, decision: 'included', ...details }
    }
  }
  if (skippedCount > 0) {
    setup.log('info', `${describeCount(skippedCount, 'link')} to other databases left out`)
  }
}

/** Asks for tables. AWS refuses tables that Lake Formation hides, and does not find others. */
async function proveTables(
  catalog: GlueCatalog,
  tables: readonly AssetPlace[],
): Promise<TableProof[]> {
  return await proveEach(tables, async ({ path: [database = '', name = ''] }) => {
    const input = { DatabaseName: database, Name: name }
    const result = await callGlue(catalog, 'GetTable', input, tableAnswer)
    if ('value' in result) return { presence: 'present' }
    switch (result.error.code) {
      case 'EntityNotFoundException':
        return { presence: 'gone' }
      case 'AccessDeniedException':
        return { presence: 'refused' }
      default:
        return { presence: 'unknown', message: 'AWS Glue does not answer whether it exists.' }
    }
  })
}
