import { nameFilter } from '../filter.ts'
import type { Scope } from '../connector.ts'
import { describeCount } from '../http/check.ts'
import { databasesAnswer, type GlueDatabase } from './answers.ts'
import { listPages, type GlueCatalog } from './catalog.ts'

/** The included databases of a session, by name. */
export type GlueDatabases = Map<string, GlueDatabase>

/** Lists databases with their decisions and remembers the included ones. Errors: SourceFailure. */
export async function* listScopes(
  catalog: GlueCatalog,
  databases: GlueDatabases,
): AsyncGenerator<Scope> {
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
      const { Name: name, TargetDatabase: target } = database
      const scope = { path: [name], kind: 'database', reading: name } as const
      const isSkipped = target != null && configuration.resourceLinks === 'skip'
      if (isSkipped) skippedCount += 1
      if (isSkipped || !isIncluded(name)) {
        yield { ...scope, decision: 'excluded' }
        continue
      }
      databases.set(name, database)
      yield { ...scope, decision: 'included' }
    }
  }
  if (skippedCount > 0) {
    setup.log('info', `${describeCount(skippedCount, 'link')} to other databases left out`)
  }
}
