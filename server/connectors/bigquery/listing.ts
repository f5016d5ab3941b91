import { nameFilter } from '../filter.ts'
import { SourceFailure, type Scope } from '../connector.ts'
import { toDetails } from '../scope-details.ts'
import { datasetsAnswer } from './answers.ts'
import { parseProjects, systemNames } from './configuration.ts'
import { listPages, type Warehouse } from './warehouse.ts'

/**
 * Lists projects and datasets with their decisions, and the locations of included datasets, such as `EU`.
 * Errors: SourceFailure.
 */
export async function* listScopes(warehouse: Warehouse): AsyncGenerator<Scope> {
  const { setup, configuration } = warehouse
  const isIncluded = nameFilter(setup.filters, 'catalog')
  for (const project of parseProjects(configuration)) {
    if (isIncluded(project)) yield* listDatasets(warehouse, project)
    else yield { path: [project], kind: 'catalog', reading: project, decision: 'excluded' }
  }
}

async function* listDatasets(warehouse: Warehouse, project: string): AsyncGenerator<Scope> {
  const isIncluded = nameFilter(warehouse.setup.filters, 'schema', systemNames.schema)
  const scope = { path: [project], kind: 'catalog', reading: project } as const
  const scopes: Scope[] = []
  try {
    const what = `the datasets of ${project}`
    const path = ['projects', project, 'datasets']
    for await (const { datasets } of listPages(warehouse, path, datasetsAnswer, what)) {
      for (const { datasetReference, location } of datasets ?? []) {
        const name = datasetReference.datasetId
        const decision = isIncluded(name) ? 'included' : 'excluded'
        const dataset = { path: [project, name], kind: 'schema', reading: project } as const
        const details = decision === 'included' ? toDetails({ location }) : {}
        scopes.push({ ...dataset, decision, ...details })
      }
    }
  } catch (error) {
    if (!(error instanceof SourceFailure) || error.kind !== 'permission') throw error
    yield { ...scope, decision: 'denied', message: error.message }
    return
  }
  yield { ...scope, decision: 'included' }
  yield* scopes
}
