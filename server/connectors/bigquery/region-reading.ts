/** Reads the datasets of a project with queries, and what queries cannot read with the REST API. */

import {
  isPartialFailure,
  SourceFailure,
  type Batch,
  type Scope,
  type SourceAsset,
  type UnreadableAsset,
} from '../connector.ts'
import { Batcher } from '../batcher.ts'
import { mapConcurrently } from '../http/parallel.ts'
import { readScopes } from '../http/read-scopes.ts'
import { getDetail } from '../scopes.ts'
import { getKind, toTableAsset } from './assets.ts'
import { isQueryable, openRegion, type OpenRegion, type RegionRows } from './information-schema.ts'
import {
  listTables,
  loadTable,
  newTableFilter,
  readDataset,
  readScope,
  TABLES_AT_ONCE,
  type ListedTable,
  type TableEntry,
} from './reading.ts'
import { compareNames } from './row-cursor.ts'
import { isComplete, toRestTable, toRestType, type TableRows } from './row-tables.ts'
import { parseShard, ShardGroups } from './shards.ts'
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
  for await (const tables of listTables(warehouse, path)) {
    for (const listed of tables) {
      reader.addListed(listed)
      if (reader.isFull()) yield* reader.flush()
    }
  }
  yield* reader.end()
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

/** Converts the tables of one dataset, and combines its shards. */
class DatasetReader {
  readonly #warehouse: Warehouse
  readonly #path: readonly string[]
  readonly #location: string
  readonly #isIncluded: ReturnType<typeof newTableFilter>
  readonly #batcher = new Batcher()
  readonly #groups = new ShardGroups()
  /** The rows of the newest shard of each group; undefined if the views lack it. */
  readonly #newest = new Map<string, TableRows | undefined>()
  /** The names of all tables in the views. */
  readonly #names = new Set<string>()
  #unreadable: UnreadableAsset[] = []
  /** Tables to load with the REST API. */
  #entries: TableEntry[] = []
  #pendingCount = 0

  constructor(warehouse: Warehouse, path: readonly string[], location: string) {
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
    for (const each of loaded) this.#addLoaded(each)
    for (const assets of this.#batcher.takeFull()) yield { assets }
    const unreadable = this.#unreadable
    this.#unreadable = []
    if (unreadable.length > 0) yield { assets: [], unreadable }
  }

  /** Yields the rest. */
  async *end(): AsyncGenerator<Batch> {
    for (const entry of this.#groups.list()) {
      if (!this.#isIncluded(entry.name, 'TABLE')) continue
      this.#addTable(this.#newest.get(entry.shards.name), entry)
      if (this.isFull()) yield* this.flush()
    }
    yield* this.flush()
    yield { assets: this.#batcher.takeLast() }
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
      this.#addLoaded(toTableAsset(this.#path, name, table, shards))
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error
      const { message } = error
      this.#addLoaded({ path: [...this.#path, name], scope: this.#path, kind, message })
    }
  }

  #addLoaded(each: SourceAsset | UnreadableAsset): void {
    if ('message' in each) this.#unreadable.push(each)
    else this.#batcher.add(each, JSON.stringify(each).length)
  }
}
