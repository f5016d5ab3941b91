/** Converts databases and tables of AWS Glue to assets. */

import { omitEmpty, toInstant } from '../asset-parts.ts'
import type { Scope, SourceAsset, Statistic } from '../connector.ts'
import type { AssetKind } from '../description.ts'
import { getDetail } from '../scopes.ts'
import { Parameters, type GlueTable } from './answers.ts'
import { readColumns } from './columns.ts'
import type { GlueConfiguration } from './configuration.ts'
import { getView } from './view-text.ts'

/** The location of a catalog. */
type GlueOrigin = Pick<GlueConfiguration, 'catalogId' | 'region'>

/** Creates the asset of a listed database. */
export function toDatabaseAsset(scope: Scope, origin: GlueOrigin): SourceAsset {
  const { path } = scope
  return {
    kind: 'database',
    path,
    scope: path,
    ...omitEmpty({ description: getDetail(scope, 'description') }),
    custom: {
      ...toAddress(origin, path[0] ?? ''),
      ...omitEmpty({ location: getDetail(scope, 'location') }),
    },
  }
}

/**
 * Creates the asset of a table or view. If a link refers to the table, `name` and `database` are
 * those of the link.
 */
export function toTableAsset(
  table: GlueTable,
  { name, database, origin }: { name: string; database: string; origin: GlueOrigin },
): SourceAsset {
  const parameters = new Parameters(table.Parameters)
  const kind = getKind(table)
  const view = kind === 'view' ? getView(table) : undefined
  const { columns, partitionColumns } = readColumns(table, view)
  const statistic = toStatistic(table, parameters)
  return {
    kind,
    path: [database, name],
    scope: [database],
    ...omitEmpty({
      description: table.Description || parameters.get('comment'),
      // Crawlers write this word as the owner of every table.
      ownerName: table.Owner !== 'owner' && table.Owner,
    }),
    columns,
    ...omitEmpty({ viewDefinition: view?.text, partitionColumns }),
    custom: {
      ...toAddress(origin, database),
      ...omitEmpty({
        location: table.StorageDescriptor?.Location,
        format: getFormat(parameters),
        dialect: view?.dialect,
      }),
    },
    ...(Object.keys(statistic).length === 0 ? {} : { statistic }),
  }
}

/** Returns the kind of a table or view. */
export function getKind({ TableType: type }: Pick<GlueTable, 'TableType'>): AssetKind {
  if (type === 'VIRTUAL_VIEW') return 'view'
  return type === 'EXTERNAL_TABLE' ? 'external_table' : 'table'
}

// The names of a server in ODCS.
function toAddress({ catalogId, region }: GlueOrigin, database: string): Record<string, string> {
  return { account: catalogId, region, database }
}

const TABLE_FORMATS = new Set(['iceberg', 'delta', 'hudi'])

function getFormat(parameters: Parameters): string | undefined {
  const [tableType, provider, classification] = [
    'table_type',
    'spark.sql.sources.provider',
    'classification',
  ].map((name) => parameters.get(name)?.toLowerCase())
  // The classification of such a table is the format of its files.
  const format = [tableType, provider].find((each) => each && TABLE_FORMATS.has(each))
  if (format !== undefined) return format
  return classification === 'unknown' ? undefined : classification
}

// A commit to an Iceberg table updates its entry with a new metadata location; writing other tables leaves the entry.
function toStatistic({ UpdateTime: time }: GlueTable, parameters: Parameters): Statistic {
  const changedAt = toInstant(typeof time === 'number' ? time * 1000 : undefined)
  const isIceberg = parameters.get('metadata_location') !== undefined
  return omitEmpty({
    rowCount: parameters.getCount('recordCount', 'numRows', 'spark.sql.statistics.numRows'),
    sizeBytes: parameters.getCount('totalSize', 'sizeKey', 'spark.sql.statistics.totalSize'),
    changedAt,
    changedMeans: changedAt && (isIceberg ? 'any' : 'definition'),
  })
}
