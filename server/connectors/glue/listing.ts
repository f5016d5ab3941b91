import { nameFilter } from '../filter.ts'
import type { Scope } from '../connector.ts'
import { toDetails } from '../scope-details.ts'
import { describeCount } from '../checks.ts'
import { databasesAnswer } from './answers.ts'
import { listPages, type GlueCatalog } from './catalog.ts'

/** Lists databases with their decisions. Errors: SourceFailure. */
export async function* listScopes(catalog: GlueCatalog): AsyncGenerator<Scope> {
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
