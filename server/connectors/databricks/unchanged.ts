/** Recognizes tables that have not changed since they were read, in a listing without columns. */

import { hash } from 'node:crypto'
import { omitEmpty, toInstant } from '../asset-parts.ts'
import { nameFilter } from '../filter.ts'
import type { KnownVersions, UnchangedAsset } from '../connector.ts'
import type { AssetKind } from '../description.ts'
import { readAhead } from '../http/parallel.ts'
import { tableAnswer, tablesAnswer, type TableAnswer } from './answers.ts'
import { getKind } from './assets.ts'
import { getFault, writeTableFacts, type SchemaFacts } from './facts.ts'
import { listPages, type Workspace } from './workspace.ts'

const VIEWS = new Set<AssetKind>(['view', 'materialized_view'])

/** Creates the filter for the tables and views of a session. */
export function newTableFilter({
  configuration,
  setup,
}: Workspace): (name: string, kind: AssetKind) => boolean {
  const isIncluded = nameFilter(setup.filters, 'table')
  return (name, kind) => isIncluded(name) && (configuration.includeViews || !VIEWS.has(kind))
}

/**
 * Returns the version of a table: the time of its last change, and a digest of what changes without it.
 * Undefined if the server does not return the time, or the keys and tags are unknown.
 */
export function getVersion(table: TableAnswer, facts: SchemaFacts | undefined): string | undefined {
  const { name, updated_at: time } = table
  if (time == null || getFault(facts, name) !== undefined) return undefined
  const { table_id: id, table_type: type, comment, owner, data_source_format: format } = table
  const own = [id, type, comment, owner, format, table.storage_location]
  const contents = [...own, writeTableFacts(facts, name)]
  return `${time} ${hash('sha256', JSON.stringify(contents))}`
}

/**
 * Lists the tables of a schema without their columns. Undefined if one of them is new or has changed, or no
 * version is known: the schema must be read. Errors: those of listPages.
 */
export async function listUnchanged(
  workspace: Workspace,
  scope: readonly string[],
  facts: SchemaFacts | undefined,
  known: KnownVersions,
): Promise<UnchangedAsset[] | undefined> {
  const start = `${JSON.stringify(scope).slice(0, -1)},`
  if (!known.keys().some((path) => path.startsWith(start))) return undefined
  const [catalog = '', schema = ''] = scope
  const query = { catalog_name: catalog, schema_name: schema, omit_columns: 'true' }
  const isIncluded = newTableFilter(workspace)
  const what = `the tables of ${scope.join('.')}`
  const unchanged: UnchangedAsset[] = []
  for await (const { tables } of readAhead(
    listPages(workspace, 'tables', query, tablesAnswer, what),
  )) {
    for (const given of tables ?? []) {
      const read = tableAnswer.safeParse(given)
      if (!read.success) return undefined
      const table = read.data
      const [path, kind] = [[...scope, table.name], getKind(table)]
      if (!isIncluded(table.name, kind)) continue
      const version = getVersion(table, facts)
      if (version === undefined || known.get(JSON.stringify(path)) !== version) return undefined
      const changedAt = toInstant(table.updated_at)
      const statistic = changedAt && { changedAt, changedMeans: 'definition' as const }
      unchanged.push({ kind, path, scope, ...omitEmpty({ statistic }) })
    }
  }
  return unchanged
}
