/** Converts columns of Unity Catalog, whose nested types are those of Spark, to columns of assets. */

import { omitEmpty } from '../asset-parts.ts'
import { SourceFailure, type SourceColumn } from '../connector.ts'
import { parseSparkType, sparkField, type SparkField } from '../spark-type.ts'
import type { ColumnAnswer } from './answers.ts'

/** Converts a column. Errors: SourceFailure protocol if its type cannot be parsed. */
export function toColumn(column: ColumnAnswer): SourceColumn {
  const { name, type_text: text, type_name: typeName, comment, nullable } = column
  const described = parseJson(column.type_json)
  const parsed = described === undefined ? undefined : parseSparkType(described.type)
  const type = text || parsed?.type || typeName?.toLowerCase()
  if (!type) throw new SourceFailure('protocol', `The column ${name} has no type`)
  return {
    name,
    ...parsed,
    type,
    ...omitEmpty({ description: comment, required: nullable === false }),
    ...describeValues(described?.metadata),
  }
}

/** Returns the names of partition columns in their order. */
export function listPartitionColumns(columns: readonly ColumnAnswer[]): string[] {
  return columns
    .flatMap(({ name, partition_index: index }) => (index == null ? [] : [{ name, index }]))
    .toSorted((a, b) => a.index - b.index)
    .map(({ name }) => name)
}

// The type is a whole field, or only its type.
function parseJson(
  json: string | null | undefined,
): Pick<SparkField, 'type' | 'metadata'> | undefined {
  if (!json) return undefined
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    // Older servers wrote the name of a type without quotes.
    return undefined
  }
  const read = sparkField.safeParse(value)
  return read.success ? read.data : { type: value }
}

function describeValues(
  given: SparkField['metadata'],
): Pick<SourceColumn, 'default' | 'generated'> {
  const { CURRENT_DEFAULT: preset, 'delta.generationExpression': expression } = given ?? {}
  const start = given?.['delta.identity.start']
  return {
    ...(typeof preset === 'string' ? { default: preset } : {}),
    ...(typeof expression === 'string' ? { generated: expression } : {}),
    ...(start === undefined ? {} : { generated: 'generated as identity' }),
  }
}
