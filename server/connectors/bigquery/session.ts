import type { Scope, Setup, SourceSession } from '../connector.ts'
import { nameFilter } from '../filter.ts'
import type { Wait } from '../http/transport.ts'
import { listContainer, requirePermissionMessage, toDetails } from '../scopes.ts'
import { datasetsAnswer } from './answers.ts'
import { bigQueryConfiguration, parseProjects, systemNames } from './configuration.ts'
import { readGrants } from './grants.ts'
import { readProject } from './region-reading.ts'
import { listPages, openWarehouse, type Warehouse } from './warehouse.ts'

/** Opens a session; `wait` delays its requests. Errors: SourceFailure. */
export async function openSession(setup: Setup, wait?: Wait): Promise<SourceSession> {
  const configuration = bigQueryConfiguration.parse(setup.configuration)
  const warehouse = await openWarehouse(configuration, setup, wait)
  return {
    scopes: () => listScopes(warehouse),
    read: (scopes) => readProject(warehouse, scopes),
    grants: (scopes, tables) => readGrants(warehouse, scopes, tables),
    close: async () => await warehouse.close(),
  }
}

/**
 * Lists projects and datasets with their decisions, and the locations of included datasets, such as `EU`.
 * Errors: SourceFailure.
 */
async function* listScopes(warehouse: Warehouse): AsyncGenerator<Scope> {
  const { setup, configuration } = warehouse
  const isIncluded = nameFilter(setup.filters, 'catalog')
  for (const project of parseProjects(configuration)) {
    const scope = { path: [project], kind: 'catalog', reading: project } as const
    if (isIncluded(project)) {
      yield* listContainer(scope, listDatasets(warehouse, project), requirePermissionMessage)
    } else yield { ...scope, decision: 'excluded' }
  }
}

async function* listDatasets(warehouse: Warehouse, project: string): AsyncGenerator<Scope> {
  const isIncluded = nameFilter(warehouse.setup.filters, 'schema', systemNames.schema)
  const what = `the datasets of ${project}`
  const path = ['projects', project, 'datasets']
  for await (const { datasets } of listPages(warehouse, path, datasetsAnswer, what)) {
    for (const { datasetReference, location } of datasets ?? []) {
      const name = datasetReference.datasetId
      const dataset = { path: [project, name], kind: 'schema', reading: project } as const
      yield isIncluded(name)
        ? { ...dataset, decision: 'included', ...toDetails({ location }) }
        : { ...dataset, decision: 'excluded' }
    }
  }
}
