import { nameFilter } from '../filter.ts'
import { SourceFailure, type Scope } from '../connector.ts'
import { toDetails } from '../scope-details.ts'
import { catalogsAnswer, schemasAnswer } from './answers.ts'
import { systemNames } from './configuration.ts'
import { listPages, type Workspace } from './workspace.ts'

/** Lists catalogs and schemas with their decisions. Errors: SourceFailure. */
export async function* listScopes(workspace: Workspace): AsyncGenerator<Scope> {
  const { filters } = workspace.setup
  const isIncluded = nameFilter(filters, 'catalog', systemNames.catalog)
  for await (const { catalogs } of listPages(
    workspace,
    'catalogs',
    {},
    catalogsAnswer,
    'its catalogs',
  )) {
    for (const { name, id, comment, owner, catalog_type: type } of catalogs ?? []) {
      const scope = { path: [name], kind: 'catalog', reading: name } as const
      const isForeign = type?.startsWith('FOREIGN') === true
      if (!isIncluded(name) || (isForeign && !workspace.configuration.includeForeign)) {
        yield { ...scope, decision: 'excluded' }
        continue
      }
      yield* listSchemas(workspace, name, toDetails({ id, comment, owner }))
    }
  }
}

async function* listSchemas(
  workspace: Workspace,
  catalog: string,
  details: Pick<Scope, 'details'>,
): AsyncGenerator<Scope> {
  const isIncluded = nameFilter(workspace.setup.filters, 'schema', systemNames.schema)
  const scopes: Scope[] = []
  try {
    const query = { catalog_name: catalog }
    const what = `the schemas of ${catalog}`
    for await (const { schemas } of listPages(workspace, 'schemas', query, schemasAnswer, what)) {
      for (const { name, schema_id: id, comment, owner } of schemas ?? []) {
        const path = [catalog, name] as const
        const decision = isIncluded(name) ? 'included' : 'excluded'
        const scope = { path, kind: 'schema', reading: catalog, decision } as const
        const isRead = decision === 'included'
        scopes.push(isRead ? { ...scope, ...toDetails({ id, comment, owner }) } : scope)
      }
    }
  } catch (error) {
    if (!(error instanceof SourceFailure) || error.kind !== 'permission') throw error
    const message = `${error.message} Grant USE CATALOG, or BROWSE, on ${catalog}.`
    yield { path: [catalog], kind: 'catalog', reading: catalog, decision: 'denied', message }
    return
  }
  yield { path: [catalog], kind: 'catalog', reading: catalog, decision: 'included', ...details }
  yield* scopes
}
