import { omitEmpty, toInstant } from '../asset-parts.ts'
import type { Scope, SourceAsset } from '../connector.ts'
import type { AssetKind } from '../description.ts'
import { getDetail } from '../scopes.ts'
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
  return {
    kind: kind === 'schema' ? kind : 'catalog',
    path,
    scope: path,
    ...omitEmpty({
      sourceId: getDetail(scope, 'id'),
      description: getDetail(scope, 'comment'),
      ownerName: getDetail(scope, 'owner'),
    }),
    custom: { host, catalog, ...omitEmpty({ schema }) },
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
  const changedAt = toInstant(table.updated_at)
  return {
    kind: getKind(table),
    path: [...scope, table.name],
    scope,
    ...omitEmpty({
      sourceId: table.table_id,
      description: table.comment,
      ownerName: table.owner,
    }),
    columns: columns.map(toColumn),
    ...omitEmpty({
      viewDefinition: table.view_definition,
      partitionColumns: listPartitionColumns(columns),
    }),
    custom: {
      host,
      catalog,
      schema,
      ...omitEmpty({
        location: table.storage_location,
        format: table.data_source_format?.toLowerCase(),
      }),
    },
    ...omitEmpty({ statistic: changedAt && { changedAt, changedMeans: 'definition' } }),
  }
}

/** Returns the kind of a table or view. */
export function getKind({ table_type: type }: Pick<TableAnswer, 'table_type'>): AssetKind {
  const upper = type?.toUpperCase() ?? ''
  return VIEW_KINDS[upper] ?? (EXTERNAL_TYPES.has(upper) ? 'external_table' : 'table')
}

function byPosition({ position: one }: ColumnAnswer, { position: other }: ColumnAnswer): number {
  return (one ?? 0) - (other ?? 0)
}
