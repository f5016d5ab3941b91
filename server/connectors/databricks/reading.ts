import {
  isPartialFailure,
  SourceFailure,
  type Batch,
  type KnownVersions,
  type Scope,
  type SourceAsset,
  type UnreadableAsset,
} from '../connector.ts'
import { omitEmpty, toUnreadable } from '../asset-parts.ts'
import { Batcher } from '../batcher.ts'
import { findUnknownColumn } from '../column-names.ts'
import { mapConcurrently, readAhead } from '../http/parallel.ts'
import { namedTable, tableAnswer, tablesAnswer } from './answers.ts'
import { getKind, toContainerAsset, toTableAsset } from './assets.ts'
import { addFacts, getFault, readFacts, type SchemaFacts } from './facts.ts'
import { getVersion, listUnchanged, newTableFilter } from './unchanged.ts'
import { listPages, requestTable, type Workspace } from './workspace.ts'

/** A session while it reads. */
interface UnityReading {
  workspace: Workspace
  known: KnownVersions
}

/**
 * Reads a catalog, or a schema with its tables, without an outcome. Errors: SourceFailure, which the
 * caller reports as the outcome.
 */
export async function* readScope(
  { workspace, known }: UnityReading,
  scope: Scope,
): AsyncGenerator<Batch> {
  const { path } = scope
  const container = toContainerAsset(scope, workspace.host)
  const [catalog = '', schema] = path
  if (schema === undefined) {
    yield { assets: [container] }
    return
  }
  const facts = await readFacts(workspace, catalog, schema)
  yield { assets: [addFacts(container, facts)] }
  const unchanged = await listUnchanged(workspace, path, facts, known)
  if (unchanged !== undefined) yield { assets: [], unchanged }
  else yield* readTables(workspace, path, facts)
}

async function* readTables(
  workspace: Workspace,
  path: readonly string[],
  facts: SchemaFacts | undefined,
): AsyncGenerator<Batch> {
  const [catalog = '', schema = ''] = path
  const isIncluded = newTableFilter(workspace)
  const query = { catalog_name: catalog, schema_name: schema }
  const what = `the tables of ${path.join('.')}`
  const batcher = new Batcher()
  let requestCount = 0
  const pages = listPages(workspace, 'tables', query, tablesAnswer, what)
  for await (const { tables } of readAhead(pages)) {
    const listed = (tables ?? [])
      .map((table) => readTable(workspace, path, table, facts))
      .filter(({ path: own, kind }) => isIncluded(own.at(-1) ?? '', kind))
    const loaded = await mapConcurrently(listed, async (table) => {
      if ('message' in table || table.columns?.length !== 0) return table
      requestCount += 1
      return await loadTable(workspace, table, facts, requestCount)
    })
    for (const table of loaded) batcher.add(table)
    yield* batcher.takeFull()
  }
  yield batcher.takeLast()
}

/** Requests a table by itself that was listed without columns, because they may be missing only from the list. */
async function loadTable(
  workspace: Workspace,
  asset: SourceAsset,
  facts: SchemaFacts | undefined,
  requestCount: number,
): Promise<SourceAsset | UnreadableAsset> {
  if (requestCount > TABLE_REQUESTS_MAX) {
    const message = `Unity Catalog lists it without columns, and ${TABLE_REQUESTS_MAX} tables of its schema were already requested one by one.`
    return toUnreadable(asset, message)
  }
  try {
    return readTable(workspace, asset.scope, await requestTable(workspace, asset.path), facts)
  } catch (error) {
    if (!isPartialFailure(error)) throw error
    return toUnreadable(asset, error.message)
  }
}

/** The number of tables of one schema that are requested one by one. */
const TABLE_REQUESTS_MAX = 100

function readTable(
  { host }: Workspace,
  scope: readonly string[],
  given: unknown,
  facts: SchemaFacts | undefined,
): SourceAsset | UnreadableAsset {
  const read = tableAnswer.safeParse(given)
  if (!read.success) {
    const named = namedTable.safeParse(given)
    if (!named.success) {
      const message = `Unity Catalog lists a table without a name in ${scope.join('.')}`
      throw new SourceFailure('protocol', message, { cause: named.error })
    }
    const path = [...scope, named.data.name]
    return { path, scope, kind: 'table', message: 'Its description does not follow the protocol.' }
  }
  const place = { path: [...scope, read.data.name], scope, kind: getKind(read.data) }
  const fault = getFault(facts, read.data.name)
  if (fault !== undefined) return toUnreadable(place, fault)
  try {
    const version = getVersion(read.data, facts)
    const asset = addFacts(toTableAsset(scope, read.data, host), facts)
    const unknown = findUnknownColumn(asset)
    if (unknown !== undefined && asset.columns?.length !== 0) {
      const message = `A key has the column ${unknown}, the table has not`
      throw new SourceFailure('protocol', message)
    }
    return { ...asset, ...omitEmpty({ version }) }
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error
    return toUnreadable(place, error.message)
  }
}
