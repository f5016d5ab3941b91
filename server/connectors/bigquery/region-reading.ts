/** Reads the datasets of a project with queries, and what queries cannot read with the REST API. */

import { isPartialFailure, type Batch, type Scope } from '../connector.ts'
import { readScopes } from '../http/read-scopes.ts'
import { getDetail } from '../scopes.ts'
import { isQueryable, openRegion, type OpenRegion, type RegionRows } from './information-schema.ts'
import { DatasetReader, readDataset, readListed, readScope } from './reading.ts'
import { compareNames } from './row-cursor.ts'
import type { TableRows } from './row-tables.ts'
import type { Warehouse } from './warehouse.ts'

/** Reads scopes of one project and adds their outcomes. Errors: SourceFailure for all of them. */
export async function* readProject(
  warehouse: Warehouse,
  scopes: readonly Scope[],
): AsyncGenerator<Batch> {
  const regions = Map.groupBy(scopes, (scope) => {
    const location = getDetail(scope, 'location') ?? ''
    return warehouse.configuration.method === 'queries' && isQueryable(location) ? location : ''
  })
  for (const [location, members] of regions) {
    if (location === '') yield* readWithRest(warehouse, members)
    else yield* readRegion(warehouse, location, members)
  }
}

function readWithRest(warehouse: Warehouse, scopes: readonly Scope[]): AsyncGenerator<Batch> {
  return readScopes(scopes, (scope) => readScope(warehouse, scope))
}

async function* readRegion(
  warehouse: Warehouse,
  location: string,
  scopes: readonly Scope[],
): AsyncGenerator<Batch> {
  // In the order of the rows.
  const ordered = scopes.toSorted((a, b) => compareNames(a.path[1] ?? '', b.path[1] ?? ''))
  const [project = ''] = ordered[0]?.path ?? []
  const datasets = ordered.map(({ path }) => path[1] ?? '')
  let opened: OpenRegion
  try {
    opened = await openRegion(warehouse, { project, location, datasets })
  } catch (error) {
    if (!isPartialFailure(error)) throw error
    const reason = `${project} in ${location} is read without queries: ${error.message}`
    warehouse.setup.log('warn', reason)
    yield* readWithRest(warehouse, ordered)
    return
  }
  try {
    yield* readScopes(ordered, (scope) => readDatasetRows(warehouse, opened.rows, location, scope))
  } finally {
    await opened.close()
  }
}

async function* readDatasetRows(
  warehouse: Warehouse,
  rows: RegionRows,
  location: string,
  scope: Scope,
): AsyncGenerator<Batch> {
  const { path } = scope
  const [, dataset = ''] = path
  let table = await rows.tables.takeNext(dataset)
  if (table === undefined) {
    // Some datasets are missing from the views, such as linked ones.
    yield* readScope(warehouse, scope)
    return
  }
  yield { assets: [await readDataset(warehouse, path)] }
  const reader = new DatasetReader(warehouse, path, location)
  for (; table !== undefined; table = await rows.tables.takeNext(dataset)) {
    const tableRows = await takeTableRows(rows, table)
    reader.add(tableRows)
    if (reader.isFull()) yield* reader.flush()
  }
  // The views may hide tables or be late. Only the listing proves which tables exist.
  yield* readListed(warehouse, path, reader)
}

async function takeTableRows(rows: RegionRows, table: TableRows['table']): Promise<TableRows> {
  const [dataset, name] = [table[0] ?? '', table[1] ?? '']
  const [options, columns, fields, views, storage] = [
    await rows.options.takeTable(dataset, name),
    await rows.columns.takeTable(dataset, name),
    await rows.fields.takeTable(dataset, name),
    await rows.views.takeTable(dataset, name),
    await rows.storage.takeTable(dataset, name),
  ]
  return { table, options, columns, fields, views, storage }
}
