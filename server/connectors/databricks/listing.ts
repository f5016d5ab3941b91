import { nameFilter } from '../filter.ts'
import { SourceFailure, type Scope } from '../connector.ts'
import { catalogsAnswer, schemasAnswer } from './answers.ts'
import type { UnityContainer } from './assets.ts'
import { systemNames } from './configuration.ts'
import { listPages, type Workspace } from './workspace.ts'

/** The catalogs and schemas of a session, by their paths as JSON. */
export type Containers = Map<string, UnityContainer>

/** Lists catalogs and schemas with their decisions and remembers them. Errors: SourceFailure. */
export async function* listScopes(
  workspace: Workspace,
  containers: Containers,
): AsyncGenerator<Scope> {
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
      containers.set(JSON.stringify([name]), { path: [name], id, comment, owner })
      yield* listSchemas(workspace, name, containers)
    }
  }
}

async function* listSchemas(
  workspace: Workspace,
  catalog: string,
  containers: Containers,
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
        if (decision === 'included') {
          containers.set(JSON.stringify(path), { path, id, comment, owner })
        }
        scopes.push({ path, kind: 'schema', reading: catalog, decision })
      }
    }
  } catch (error) {
    if (!(error instanceof SourceFailure) || error.kind !== 'permission') throw error
    const message = `${error.message} Grant USE CATALOG, or BROWSE, on ${catalog}.`
    yield { path: [catalog], kind: 'catalog', reading: catalog, decision: 'denied', message }
    return
  }
  yield { path: [catalog], kind: 'catalog', reading: catalog, decision: 'included' }
  yield* scopes
}
