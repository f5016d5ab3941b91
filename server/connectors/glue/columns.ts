/**
 * The columns of a table of AWS Glue. Engines that keep the schema elsewhere leave former columns or a placeholder in the
 * entry. The asset then has the real schema if the entry contains it, and otherwise no columns.
 */

import { omitEmpty } from '../asset-parts.ts'
import type { SourceColumn } from '../connector.ts'
import { parseSparkSchema } from '../spark-type.ts'
import { Parameters, type GlueColumn, type GlueTable } from './answers.ts'
import { parseHiveNesting } from './hive-type.ts'
import type { GlueView } from './view-text.ts'

/** The columns of a table, and the names of those by which it is partitioned. */
export interface GlueColumns {
  columns: readonly SourceColumn[]
  partitionColumns: readonly string[]
}

// Spark splits a schema into parts of 4,000 characters.
const PARTS_MAX = 10_000

/** Reads the columns of a table or view. */
export function readColumns(table: GlueTable, view: GlueView | undefined): GlueColumns {
  const stored = (table.StorageDescriptor?.Columns ?? []).filter(isCurrent)
  const partitions = mergeNames((table.PartitionKeys ?? []).filter(isCurrent))
  const parameters = new Parameters(table.Parameters)
  const partitionColumns =
    partitions.length > 0 ? partitions.map(({ Name }) => Name) : listSparkPartitions(parameters)
  const columns = isPlaceholder(stored, table, view)
    ? (view?.columns ?? readSparkSchema(parameters) ?? [])
    : mergeNames(stored).map(toColumn)
  // Crawlers and Iceberg list partition keys among the columns too, sometimes in another case.
  const names = new Set(partitions.map(({ Name }) => Name.toLowerCase()))
  const others = columns.filter(({ name }) => !names.has(name.toLowerCase()))
  return { columns: [...others, ...partitions.map(toColumn)], partitionColumns }
}

// Athena and Iceberg keep dropped columns: https://github.com/apache/iceberg, IcebergToGlueConverter.
function isCurrent({ Parameters: parameters }: GlueColumn): boolean {
  return new Parameters(parameters).get('iceberg.field.current') !== 'false'
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

function toColumn({ Name: name, Type: type, Comment: comment, ...rest }: GlueColumn): SourceColumn {
  const isRequired = new Parameters(rest.Parameters).get('iceberg.field.optional') === 'false'
  return {
    name,
    type: type ?? '',
    ...omitEmpty({ description: comment }),
    ...parseHiveNesting(type ?? ''),
    ...omitEmpty({ required: isRequired }),
  }
}

/**
 * Returns whether the stored columns only replace a schema that is stored elsewhere. Spark, Trino and Athena write
 * `col array<string>` for tables that Hive cannot read, such as those of Delta Lake; Hive writes names such as
 * `error_error_error_error_error_error_error` if it cannot determine the schema of an Avro table; Trino writes
 * `dummy string` for its views.
 */
function isPlaceholder(
  columns: readonly GlueColumn[],
  { Parameters: given }: GlueTable,
  view: GlueView | undefined,
): boolean {
  const [first] = columns
  if (first === undefined) return true
  const name = first.Name.toLowerCase()
  if (/^error(_error)+$/.test(name)) return true
  if (columns.length > 1) return false
  const type = (first.Type ?? '').toLowerCase()
  if (view !== undefined) return name === 'dummy' && type === 'string' && view.isEncoded
  const parameters = new Parameters(given)
  const isOfEngine = ['spark.sql.sources.provider', 'table_type', 'spark.sql.sources.schema'].some(
    (parameter) => parameters.get(parameter) !== undefined,
  )
  const hasParts = parameters.getCount('spark.sql.sources.schema.numParts') !== undefined
  return name === 'col' && type === 'array<string>' && (isOfEngine || hasParts)
}

function readSparkSchema(parameters: Parameters): readonly SourceColumn[] | undefined {
  const whole = parameters.get('spark.sql.sources.schema')
  if (whole !== undefined) return parseSparkSchema(whole)
  const count = parameters.getCount('spark.sql.sources.schema.numParts') ?? 0
  if (count === 0 || count > PARTS_MAX) return undefined
  const parts = listNumbered(parameters, 'spark.sql.sources.schema.part', count)
  return parts.length === count ? parseSparkSchema(parts.join('')) : undefined
}

function listSparkPartitions(parameters: Parameters): string[] {
  const count = parameters.getCount('spark.sql.sources.schema.numPartCols') ?? 0
  return count > PARTS_MAX
    ? []
    : listNumbered(parameters, 'spark.sql.sources.schema.partCol', count)
}

function listNumbered(parameters: Parameters, name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => parameters.get(`${name}.${index}`)).filter(
    (text) => text !== undefined,
  )
}
