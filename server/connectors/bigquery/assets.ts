/** Converts projects, datasets and tables to assets. */

import { omitEmpty, parseCount, toInstant } from '../asset-parts.ts'
import { ColumnNames, spellReferences } from '../column-names.ts'
import type { ForeignKey, SourceAsset, SourceColumn, Statistic } from '../connector.ts'
import type { AssetKind } from '../description.ts'
import type { BigQueryDataset, BigQueryTable } from './answers.ts'
import { toColumns } from './columns.ts'
import type { ShardGroup } from './shards.ts'
import { newTable } from '../../../formats/name/table.ts'

const KINDS = newTable<AssetKind>({
  VIEW: 'view',
  MATERIALIZED_VIEW: 'materialized_view',
  EXTERNAL: 'external_table',
})

/** Creates the asset of a project. */
export function toProjectAsset(project: string): SourceAsset {
  return { kind: 'catalog', path: [project], scope: [project], custom: { project } }
}

/** Creates the asset of a dataset. */
export function toDatasetAsset(
  path: readonly string[],
  { description, friendlyName, labels, location }: BigQueryDataset,
): SourceAsset {
  return {
    kind: 'schema',
    path,
    scope: path,
    ...omitEmpty({ description, tags: listLabels(labels) }),
    custom: { ...toAddress(path, location), ...omitEmpty({ friendlyName }) },
  }
}

/** Creates the asset of a table or view, or of the shards of a table. Errors: SourceFailure protocol. */
export function toTableAsset(
  scope: readonly string[],
  name: string,
  table: BigQueryTable,
  shards?: ShardGroup,
): SourceAsset {
  const { description, view, materializedView, timePartitioning, rangePartitioning } = table
  const kind = getKind(table.type)
  const partitioning = timePartitioning ?? rangePartitioning
  const statistic = toStatistic(table, kind, shards)
  const columns = toColumns(table.schema?.fields)
  // BigQuery ignores the case of column names.
  return spellReferences({
    kind,
    path: [...scope, name],
    scope,
    // The asset keeps its id when a second shard makes the table a group.
    ...omitEmpty({ sourceId: shards && [...scope, shards.name].join('.'), description }),
    columns,
    ...toKeys(table),
    ...omitEmpty({
      viewDefinition: view?.query || materializedView?.query,
      // Tables that are partitioned by the time of loading have this column, which is not in the schema.
      partitionColumns: partitioning ? [partitioning.field || '_PARTITIONTIME'] : [],
      tags: [...listLabels(table.labels), ...listLabels(table.resourceTags)],
    }),
    custom: {
      ...toAddress(scope, table.location),
      ...toCustom(table, columns),
      ...toShardCustom(shards),
    },
    ...(Object.keys(statistic).length === 0 ? {} : { statistic }),
  })
}

/** Returns the kind of a table or view. */
export function getKind(type: string | null | undefined): AssetKind {
  return KINDS[type?.toUpperCase() ?? ''] ?? 'table'
}

type Custom = NonNullable<SourceAsset['custom']>

// The names of a server in ODCS, and the region.
function toAddress(path: readonly string[], location: string | null | undefined): Custom {
  const [project = '', dataset = ''] = path
  return { project, dataset, ...omitEmpty({ region: location }) }
}

function toCustom(table: BigQueryTable, columns: readonly SourceColumn[]): Custom {
  const { friendlyName, timePartitioning, rangePartitioning, requirePartitionFilter } = table
  const { clustering, externalDataConfiguration: external, biglakeConfiguration: lake } = table
  const partitioning = timePartitioning?.type || (rangePartitioning ? 'RANGE' : undefined)
  const names = new ColumnNames(columns, true)
  return omitEmpty({
    friendlyName,
    partitioning,
    requirePartitionFilter,
    clusteringColumns: names.spell(clustering?.fields ?? []).join(', '),
    location: external?.sourceUris?.[0] ?? lake?.storageUri,
    format: (external?.sourceFormat ?? lake?.tableFormat)?.toLowerCase(),
  })
}

// Without their number and dates: the asset would change every day.
function toShardCustom(shards: ShardGroup | undefined): Custom {
  return shards === undefined || shards.isSingle ? {} : { shardedBy: 'day' }
}

function toKeys({
  tableConstraints: constraints,
}: BigQueryTable): Pick<SourceAsset, 'primaryKey' | 'foreignKeys'> {
  const foreignKeys = (constraints?.foreignKeys ?? []).map(
    ({ referencedTable: { projectId, datasetId, tableId }, columnReferences }): ForeignKey => ({
      columns: columnReferences.map(({ referencingColumn: column }) => column),
      references: [projectId, datasetId, tableId],
      referencedColumns: columnReferences.map(({ referencedColumn: column }) => column),
    }),
  )
  return omitEmpty({ primaryKey: constraints?.primaryKey?.columns, foreignKeys })
}

/** Lists labels as tags: `key:value`, or only the key if the value is empty. */
function listLabels(labels: BigQueryDataset['labels']): string[] {
  return Object.entries(labels ?? {})
    .map(([key, value]) => (value === '' ? key : `${key}:${value}`))
    .toSorted()
}

// BigQuery does not count the rows of views and external tables, and those of other shards are unknown.
function toStatistic(
  { numRows, numBytes, lastModifiedTime, storageModifiedTime }: BigQueryTable,
  kind: AssetKind,
  shards: ShardGroup | undefined,
): Statistic {
  const isCounted = shards?.isSingle !== false && (kind === 'table' || kind === 'materialized_view')
  // The view of the storage has the time of the rows, the resource that of the rows or the definition.
  const storageChangedAt = toInstant(parseCount(storageModifiedTime))
  const changedAt = storageChangedAt ?? toInstant(parseCount(lastModifiedTime))
  const means = storageChangedAt === undefined ? 'any' : 'data'
  return omitEmpty({
    rowCount: isCounted ? parseCount(numRows) : undefined,
    sizeBytes: isCounted ? parseCount(numBytes) : undefined,
    changedAt,
    changedMeans: changedAt && means,
  })
}
