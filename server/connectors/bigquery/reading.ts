/** Reads projects and datasets with the REST API: a listing, and one request per table. */

import { nameFilter } from '../filter.ts'
import {
  isPartialFailure,
  SourceFailure,
  type Batch,
  type Scope,
  type SourceAsset,
  type UnreadableAsset,
} from '../connector.ts'
import { toUnreadable } from '../asset-parts.ts'
import type { AssetKind } from '../description.ts'
import { Batcher } from '../batcher.ts'
import { mapConcurrently, readAhead } from '../http/parallel.ts'
import { datasetAnswer, listedTable, tableAnswer, tablesAnswer } from './answers.ts'
import { getKind, toDatasetAsset, toProjectAsset, toTableAsset } from './assets.ts'
import { toRequestFailure } from './bigquery-error.ts'
import { parseShard, ShardGroups, type ShardGroup } from './shards.ts'
import { listPages, requestResource, type Warehouse } from './warehouse.ts'

/** The number of tables that are in memory at the same time. */
export const TABLES_AT_ONCE = 64

const VIEWS = new Set<AssetKind>(['view', 'materialized_view'])

/** A table to read: a listed one, or the newest shard of a group. */
export interface TableEntry {
  /** The name of the asset. */
  name: string
  tableId: string
  kind: UnreadableAsset['kind']
  shards?: ShardGroup
}

/**
 * Reads a project, or a dataset with its tables, without an outcome. Errors: SourceFailure, which the
 * caller reports as the outcome.
 */
export async function* readScope(warehouse: Warehouse, { path }: Scope): AsyncGenerator<Batch> {
  const [project = '', dataset] = path
  if (dataset === undefined) {
    yield { assets: [toProjectAsset(project)] }
    return
  }
  yield { assets: [await readDataset(warehouse, path)] }
  const batcher = new Batcher()
  for await (const entries of listEntries(warehouse, path)) {
    for (let at = 0; at < entries.length; at += TABLES_AT_ONCE) {
      const group = entries.slice(at, at + TABLES_AT_ONCE)
      const loaded = await mapConcurrently(group, (entry) => loadTable(warehouse, path, entry))
      const unreadable = loaded.filter((each) => 'message' in each)
      for (const asset of loaded) {
        if (!('message' in asset)) batcher.add(asset, JSON.stringify(asset).length)
      }
      for (const assets of batcher.takeFull()) yield { assets }
      if (unreadable.length > 0) yield { assets: [], unreadable }
    }
  }
  yield { assets: batcher.takeLast() }
}

/** Reads the facts of a dataset. Errors: those of JsonClient, and SourceFailure permission, protocol. */
export async function readDataset(
  warehouse: Warehouse,
  path: readonly string[],
): Promise<SourceAsset> {
  const [project = '', dataset = ''] = path
  // The full view requires the permission to read the policy of the dataset.
  const query = { datasetView: 'METADATA' }
  const address = ['projects', project, 'datasets', dataset]
  const result = await requestResource(warehouse, address, query, datasetAnswer)
  if ('error' in result) throw toRequestFailure(result.error, `the dataset ${path.join('.')}`)
  return toDatasetAsset(path, result.value)
}

/** Returns whether the filters and the configuration include a table. */
export function newTableFilter({
  configuration,
  setup,
}: Warehouse): (name: string, type: string | null | undefined) => boolean {
  const isIncluded = nameFilter(setup.filters, 'table')
  return (name, type) =>
    // Models are listed with the tables but have no columns.
    type?.toUpperCase() !== 'MODEL' &&
    (configuration.includeViews || !VIEWS.has(getKind(type))) &&
    isIncluded(name)
}

/** A table as it is listed. */
export interface ListedTable {
  tableId: string
  type: string | null | undefined
}

/** Lists the tables of a dataset page by page. Errors: those of listPages. */
export async function* listTables(
  warehouse: Warehouse,
  path: readonly string[],
): AsyncGenerator<ListedTable[]> {
  const [project = '', dataset = ''] = path
  const address = ['projects', project, 'datasets', dataset, 'tables']
  const what = `the tables of ${path.join('.')}`
  const pages = listPages(warehouse, address, tablesAnswer, what)
  for await (const { tables } of readAhead(pages)) {
    yield (tables ?? []).map((given) => parseListed(given, path))
  }
}

/** Lists what to read of a dataset page by page, and its groups of shards at the end. */
async function* listEntries(
  warehouse: Warehouse,
  path: readonly string[],
): AsyncGenerator<TableEntry[]> {
  const isIncluded = newTableFilter(warehouse)
  const groups = new ShardGroups()
  for await (const tables of listTables(warehouse, path)) {
    const entries: TableEntry[] = []
    for (const { tableId, type } of tables) {
      const kind = getKind(type)
      const isSharded = warehouse.configuration.collapseShards && kind === 'table'
      const shard = isSharded ? parseShard(tableId) : undefined
      const isNamed = isIncluded(tableId, type)
      if (!isNamed && (shard === undefined || !isIncluded(shard.group, type))) continue
      if (shard === undefined) entries.push({ name: tableId, tableId, kind })
      else groups.add(shard)
    }
    yield entries
  }
  yield groups.list().filter(({ name }) => isIncluded(name, 'TABLE'))
}

function parseListed(given: unknown, path: readonly string[]): ListedTable {
  const read = listedTable.safeParse(given)
  if (read.success) return { tableId: read.data.tableReference.tableId, type: read.data.type }
  const message = `BigQuery lists a table without a name in ${path.join('.')}`
  throw new SourceFailure('protocol', message, { cause: read.error })
}

/**
 * Loads a table. A table that is not shown or cannot be parsed is returned as unreadable. Errors: those of
 * JsonClient for all tables.
 */
export async function loadTable(
  warehouse: Warehouse,
  scope: readonly string[],
  { name, tableId, kind, shards }: TableEntry,
): Promise<SourceAsset | UnreadableAsset> {
  const [project = '', dataset = ''] = scope
  const address = ['projects', project, 'datasets', dataset, 'tables', tableId]
  try {
    const result = await requestResource(warehouse, address, {}, tableAnswer)
    if ('error' in result) throw toRequestFailure(result.error, 'it')
    return toTableAsset(scope, name, result.value, shards)
  } catch (error) {
    if (!isPartialFailure(error)) throw error
    return toUnreadable({ path: [...scope, name], scope, kind }, error.message)
  }
}
