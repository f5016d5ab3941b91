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
import { isComplete, toRestTable, toRestType, type TableRows } from './row-tables.ts'
import { parseShard, ShardGroups, type ShardGroup } from './shards.ts'
import { listPages, requestResource, type Warehouse } from './warehouse.ts'

/** The number of tables that are in memory at the same time. */
const TABLES_AT_ONCE = 64

const VIEWS = new Set<AssetKind>(['view', 'materialized_view'])

/** A table to read: a listed one, or the newest shard of a group. */
interface TableEntry {
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
  yield* readListed(warehouse, path, new DatasetReader(warehouse, path))
}

/** Reads the listed tables of a dataset that the reader does not have, and yields the rest of its batches. */
export async function* readListed(
  warehouse: Warehouse,
  path: readonly string[],
  reader: DatasetReader,
): AsyncGenerator<Batch> {
  for await (const tables of listTables(warehouse, path)) {
    for (const listed of tables) {
      reader.addListed(listed)
      if (reader.isFull()) yield* reader.flush()
    }
  }
  yield* reader.end()
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
function newTableFilter({
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
interface ListedTable {
  tableId: string
  type: string | null | undefined
}

/** Lists the tables of a dataset page by page. Errors: those of listPages. */
async function* listTables(
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
async function loadTable(
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

/** Converts the tables of one dataset, and combines its shards. */
export class DatasetReader {
  readonly #warehouse: Warehouse
  readonly #path: readonly string[]
  /** That of the rows. */
  readonly #location: string
  readonly #isIncluded: ReturnType<typeof newTableFilter>
  readonly #batcher = new Batcher()
  readonly #groups = new ShardGroups()
  /** The rows of the newest shard of each group; undefined if the views lack it. */
  readonly #newest = new Map<string, TableRows | undefined>()
  /** The names of all tables in the views. */
  readonly #names = new Set<string>()
  /** Tables to load with the REST API. */
  #entries: TableEntry[] = []
  #pendingCount = 0

  constructor(warehouse: Warehouse, path: readonly string[], location = '') {
    this.#warehouse = warehouse
    this.#path = path
    this.#location = location
    this.#isIncluded = newTableFilter(warehouse)
  }

  /** Adds a table that the views contain. */
  add(rows: TableRows): void {
    const [, tableId, type] = rows.table
    this.#names.add(tableId ?? '')
    this.#addNamed({ tableId: tableId ?? '', type: toRestType(type) }, rows)
  }

  /** Adds a listed table, unless the views contain it. */
  addListed(listed: ListedTable): void {
    if (!this.#names.has(listed.tableId)) this.#addNamed(listed, undefined)
  }

  /** Returns whether enough tables are pending for a batch. */
  isFull(): boolean {
    return this.#pendingCount >= TABLES_AT_ONCE || this.#entries.length >= TABLES_AT_ONCE
  }

  /** Yields the full batches, with the tables that the REST API returns. */
  async *flush(): AsyncGenerator<Batch> {
    const loaded = await mapConcurrently(this.#entries, (entry) =>
      loadTable(this.#warehouse, this.#path, entry),
    )
    this.#entries = []
    this.#pendingCount = 0
    for (const each of loaded) this.#batcher.add(each)
    yield* this.#batcher.takeFull()
  }

  /** Yields the rest. */
  async *end(): AsyncGenerator<Batch> {
    for (const entry of this.#groups.list()) {
      if (!this.#isIncluded(entry.name, 'TABLE')) continue
      this.#addTable(this.#newest.get(entry.shards.name), entry)
      if (this.isFull()) yield* this.flush()
    }
    yield* this.flush()
    yield this.#batcher.takeLast()
  }

  #addNamed({ tableId, type }: ListedTable, rows: TableRows | undefined): void {
    this.#pendingCount += 1
    const kind = getKind(type)
    const isSharded = this.#warehouse.configuration.collapseShards && kind === 'table'
    const shard = isSharded ? parseShard(tableId) : undefined
    const isNamed = this.#isIncluded(tableId, type)
    if (!isNamed && (shard === undefined || !this.#isIncluded(shard.group, type))) return
    if (shard === undefined) this.#addTable(rows, { name: tableId, tableId, kind })
    else if (this.#groups.add(shard)) this.#newest.set(shard.group, rows)
  }

  #addTable(rows: TableRows | undefined, entry: TableEntry): void {
    if (rows === undefined || !isComplete(rows)) {
      this.#entries.push(entry)
      return
    }
    const { name, kind, shards } = entry
    try {
      const table = toRestTable(rows, this.#location)
      this.#batcher.add(toTableAsset(this.#path, name, table, shards))
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error
      const place = { path: [...this.#path, name], scope: this.#path, kind }
      this.#batcher.add(toUnreadable(place, error.message))
    }
  }
}
