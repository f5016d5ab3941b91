/** Converts databases and tables of AWS Glue to assets. */

import type { AssetKind, Scope, SourceAsset, SourceColumn, Statistic } from '../connector.ts'
import { getDetail } from '../scope-details.ts'
import type { GlueColumn, GlueTable } from './answers.ts'
import type { GlueConfiguration } from './configuration.ts'
import { parseHiveNesting } from './hive-type.ts'
import { getViewText } from './view-text.ts'

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
  const partitionColumns = mergeNames(table.PartitionKeys ?? [])
  const description = table.Description || parameters.get('comment')
  const viewDefinition = kind === 'view' ? getViewText(table) : undefined
  const location = table.StorageDescriptor?.Location
  const format = getFormat(parameters)
  const statistic = toStatistic(table, parameters)
  return {
    kind,
    path: [database, name],
    scope: [database],
    ...(description ? { description } : {}),
    ...(isOwner(table.Owner) ? { ownerName: table.Owner } : {}),
    columns: toColumns(table),
    ...(viewDefinition ? { viewDefinition } : {}),
    ...(partitionColumns.length === 0
      ? {}
      : { partitionColumns: partitionColumns.map(({ Name }) => Name) }),
    custom: {
      ...toAddress(origin, database),
      ...(location ? { location } : {}),
      ...(format === undefined ? {} : { format }),
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

// Crawlers and Iceberg list partition keys among the columns too, sometimes in another case.
function toColumns({ StorageDescriptor: storage, PartitionKeys: keys }: GlueTable): SourceColumn[] {
  const partitions = mergeNames(keys ?? [])
  const names = new Set(partitions.map(({ Name }) => Name.toLowerCase()))
  const others = mergeNames(storage?.Columns ?? []).filter(
    ({ Name }) => !names.has(Name.toLowerCase()),
  )
  return [...others, ...partitions].map(toColumn)
}

/** Keeps the first of the columns whose names differ only in case. */
function mergeNames(columns: readonly GlueColumn[]): GlueColumn[] {
  const byName = new Map<string, GlueColumn>()
  for (const column of columns) {
    const name = column.Name.toLowerCase()
    if (!byName.has(name)) byName.set(name, column)
  }
  return [...byName.values()]
}

function toColumn({ Name: name, Type: type, Comment: comment }: GlueColumn): SourceColumn {
  return {
    name,
    type: type ?? '',
    ...(comment ? { description: comment } : {}),
    ...parseHiveNesting(type ?? ''),
  }
}

/** The parameters of a table: texts that engines and crawlers add. */
class Parameters {
  readonly #values: Readonly<Record<string, unknown>>

  constructor(values: GlueTable['Parameters']) {
    this.#values = values ?? {}
  }

  get(name: string): string | undefined {
    const value = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined
    return typeof value === 'string' && value !== '' ? value : undefined
  }

  /** Returns the first of these parameters that is a count; engines write -1 for unknown. */
  getCount(...names: readonly string[]): number | undefined {
    for (const name of names) {
      const value = this.get(name)
      if (value === undefined || !/^\d{1,16}$/.test(value)) continue
      if (Number.isSafeInteger(Number(value))) return Number(value)
    }
    return undefined
  }
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
