import type { Scope, SourceAsset } from '../connector.ts'
import type { AssetKind } from '../description.ts'
import { getDetail } from '../scope-details.ts'
import type { ColumnAnswer, TableAnswer } from './answers.ts'
import { listPartitionColumns, toColumn } from './columns.ts'
import { newTable } from '../../../formats/name/table.ts'

const VIEW_KINDS = newTable<AssetKind>({
  VIEW: 'view',
  METRIC_VIEW: 'view',
  MATERIALIZED_VIEW: 'materialized_view',
})
const EXTERNAL_TYPES = new Set(['EXTERNAL', 'EXTERNAL_SHALLOW_CLONE', 'FOREIGN'])

/** Creates the asset of a listed catalog or schema. */
export function toContainerAsset(scope: Scope, host: string): SourceAsset {
  const { path, kind } = scope
  const [catalog = '', schema] = path
  const [id, comment, owner] = ['id', 'comment', 'owner'].map((name) => getDetail(scope, name))
  return {
    kind: kind === 'schema' ? kind : 'catalog',
    path,
    scope: path,
    ...toCommonFields(id, comment, owner),
    custom: { host, catalog, ...(schema === undefined ? {} : { schema }) },
  }
}

/** Creates the asset of a table or view. Errors: SourceFailure protocol. */
export function toTableAsset(
  scope: readonly string[],
  table: TableAnswer,
  host: string,
): SourceAsset {
  const [catalog = '', schema = ''] = scope
  const columns = (table.columns ?? []).toSorted(byPosition)
  const partitionColumns = listPartitionColumns(columns)
  const changedAt = toInstant(table.updated_at)
  return {
    kind: getKind(table),
    path: [...scope, table.name],
    scope,
    ...toCommonFields(table.table_id, table.comment, table.owner),
    columns: columns.map(toColumn),
    ...(table.view_definition ? { viewDefinition: table.view_definition } : {}),
    ...(partitionColumns.length === 0 ? {} : { partitionColumns }),
    custom: {
      host,
      catalog,
      schema,
      ...(table.storage_location ? { location: table.storage_location } : {}),
      ...(table.data_source_format ? { format: table.data_source_format.toLowerCase() } : {}),
    },
    ...(changedAt === undefined ? {} : { statistic: { changedAt } }),
  }
}

/** Returns the kind of a table or view. */
export function getKind({ table_type: type }: Pick<TableAnswer, 'table_type'>): AssetKind {
  const upper = type?.toUpperCase() ?? ''
  return VIEW_KINDS[upper] ?? (EXTERNAL_TYPES.has(upper) ? 'external_table' : 'table')
}

function toCommonFields(
  id: string | null | undefined,
  comment: string | null | undefined,
  owner: string | null | undefined,
): Pick<SourceAsset, 'sourceId' | 'description' | 'ownerName'> {
  return {
    ...(id ? { sourceId: id } : {}),
    ...(comment ? { description: comment } : {}),
    ...(owner ? { ownerName: owner } : {}),
  }
}

function byPosition({ position: one }: ColumnAnswer, { position: other }: ColumnAnswer): number {
  return (one ?? 0) - (other ?? 0)
}

/** The last instant of a JavaScript Date, in milliseconds: the year 275760. */
const INSTANT_MAX = 8.64e15

/** Converts milliseconds since 1970 to ISO-8601; undefined outside the range of dates. */
export function toInstant(milliseconds: number | null | undefined): string | undefined {
  if (milliseconds == null || milliseconds <= 0 || milliseconds > INSTANT_MAX) return undefined
  return new Date(milliseconds).toISOString()
}
