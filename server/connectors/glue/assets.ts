/** Converts databases and tables of AWS Glue to assets. */

import type { Scope, SourceAsset, Statistic } from '../connector.ts'
import type { AssetKind } from '../description.ts'
import { getDetail } from '../scope-details.ts'
import type { GlueTable } from './answers.ts'
import { readColumns } from './columns.ts'
import type { GlueConfiguration } from './configuration.ts'
import { Parameters } from './parameters.ts'
import { getView } from './view-text.ts'

/** The location of a catalog. */
export type GlueOrigin = Pick<GlueConfiguration, 'catalogId' | 'region'>

/** Creates the asset of a listed database. */
export function toDatabaseAsset(scope: Scope, origin: GlueOrigin): SourceAsset {
  const { path } = scope
  const [description, location] = [getDetail(scope, 'description'), getDetail(scope, 'location')]
  return {
    kind: 'database',
    path,
    scope: path,
    ...(description ? { description } : {}),
    custom: { ...toAddress(origin, path[0] ?? ''), ...(location ? { location } : {}) },
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
  const description = table.Description || parameters.get('comment')
  const view = kind === 'view' ? getView(table) : undefined
  const { columns, partitionColumns } = readColumns(table, view)
  const location = table.StorageDescriptor?.Location
  const format = getFormat(parameters)
  const statistic = toStatistic(table, parameters)
  return {
    kind,
    path: [database, name],
    scope: [database],
    ...(description ? { description } : {}),
    ...(isOwner(table.Owner) ? { ownerName: table.Owner } : {}),
    columns,
    ...(view?.text ? { viewDefinition: view.text } : {}),
    ...(partitionColumns.length === 0 ? {} : { partitionColumns }),
    custom: {
      ...toAddress(origin, database),
      ...(location ? { location } : {}),
      ...(format === undefined ? {} : { format }),
      ...(view?.dialect ? { dialect: view.dialect } : {}),
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

// Crawlers write this word as the owner of every table.
function isOwner(owner: string | null | undefined): owner is string {
  return Boolean(owner) && owner !== 'owner'
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

function toStatistic({ UpdateTime: time }: GlueTable, parameters: Parameters): Statistic {
  const rowCount = parameters.getCount('recordCount', 'numRows', 'spark.sql.statistics.numRows')
  const sizeBytes = parameters.getCount('totalSize', 'sizeKey', 'spark.sql.statistics.totalSize')
  const changedAt = toInstant(time)
  return {
    ...(rowCount === undefined ? {} : { rowCount }),
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
    ...(changedAt === undefined ? {} : { changedAt }),
  }
}

/** The last instant of a JavaScript Date, in seconds: the year 275760. */
const INSTANT_MAX = 8.64e12

function toInstant(seconds: unknown): string | undefined {
  if (typeof seconds !== 'number' || seconds <= 0 || seconds > INSTANT_MAX) return undefined
  return new Date(seconds * 1000).toISOString()
}
