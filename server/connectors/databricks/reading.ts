import { nameFilter } from '../filter.ts'
import {
  SourceFailure,
  type AssetKind,
  type Batch,
  type Scope,
  type SourceAsset,
  type UnreadableAsset,
} from '../connector.ts'
import { Batcher } from '../batcher.ts'
import { readAhead } from '../http/read-ahead.ts'
import { namedTable, tableAnswer, tablesAnswer } from './answers.ts'
import { getKind, toContainerAsset, toTableAsset } from './assets.ts'
import { addFacts, readFacts, type SchemaFacts } from './facts.ts'
import type { Containers } from './listing.ts'
import { listPages, type Workspace } from './workspace.ts'

const VIEWS = new Set<AssetKind>(['view', 'materialized_view'])

/**
 * Reads a catalog, or a schema with its tables, without an outcome. Errors: SourceFailure, which the
 * caller reports as the outcome.
 */
export async function* readScope(
  workspace: Workspace,
  containers: Containers,
  { path }: Scope,
): AsyncGenerator<Batch> {
  const container = containers.get(JSON.stringify(path))
  if (container === undefined) {
    throw new SourceFailure('protocol', `${path.join('.')} was not listed`)
  }
  const { host } = workspace
  const [catalog = '', schema] = path
  if (schema === undefined) {
    yield { assets: [toContainerAsset(container, host)] }
    return
  }
  const facts = await readFacts(workspace, catalog, schema)
  yield { assets: [addFacts(toContainerAsset(container, host), facts)] }
  yield* readTables(workspace, path, facts)
}

async function* readTables(
  workspace: Workspace,
  path: readonly string[],
  facts: SchemaFacts | undefined,
): AsyncGenerator<Batch> {
  const [catalog = '', schema = ''] = path
  const { host, configuration, setup } = workspace
  const isIncluded = nameFilter(setup.filters, 'table')
  const query = { catalog_name: catalog, schema_name: schema }
  const what = `the tables of ${path.join('.')}`
  const batcher = new Batcher()
  const pages = listPages(workspace, 'tables', query, tablesAnswer, what)
  for await (const { tables } of readAhead(pages)) {
    const unreadable: UnreadableAsset[] = []
    for (const table of tables ?? []) {
      const read = readTable(path, table, host)
      if (!isIncluded(read.path.at(-1) ?? '')) continue
      if (VIEWS.has(read.kind) && !configuration.includeViews) continue
      if ('message' in read) unreadable.push(read)
      else batcher.add(addFacts(read, facts), JSON.stringify(read).length)
    }
    for (const assets of batcher.takeFull()) yield { assets }
    if (unreadable.length > 0) yield { assets: [], unreadable }
  }
  yield { assets: batcher.takeLast() }
}

function readTable(
  scope: readonly string[],
  given: unknown,
  host: string,
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
  try {
    return toTableAsset(scope, read.data, host)
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error
    const path = [...scope, read.data.name]
    return { path, scope, kind: getKind(read.data), message: error.message }
  }
}
