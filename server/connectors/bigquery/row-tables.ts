/** Converts rows of INFORMATION_SCHEMA to the tables and fields that the REST API returns. */

import { parseTypeText, type TypeSyntax } from '../../../formats/schema/types/type-syntax.ts'
import { omitEmpty } from '../asset-parts.ts'
import { foldName } from '../column-names.ts'
import type { BigQueryTable } from './answers.ts'
import type { QueryRow } from './jobs.ts'
import { readPairs, readStrings } from './sql-literal.ts'
import { newTable } from '../../../formats/name/table.ts'

/** The rows of one table. */
export interface TableRows {
  /** Type, whether it needs the REST API, the expression of its partitions, and whether it has options. */
  table: QueryRow
  options: readonly QueryRow[]
  columns: readonly QueryRow[]
  fields: readonly QueryRow[]
  views: readonly QueryRow[]
  storage: readonly QueryRow[]
}

/** A field as the REST API returns it. */
interface RestField {
  name: string
  type: string
  mode?: string
  description?: string
  fields?: RestField[]
  policyTags?: { names: string[] }
  maxLength?: string
  precision?: string
  scale?: string
  rangeElementType?: { type: string }
  defaultValueExpression?: string
}

/** The description and the policy tags of fields, by their paths without case, which BigQuery ignores. */
type FieldDetails = ReadonlyMap<string, Pick<RestField, 'description' | 'policyTags'>>

const TYPES = newTable<string>({
  'BASE TABLE': 'TABLE',
  CLONE: 'TABLE',
  'MATERIALIZED VIEW': 'MATERIALIZED_VIEW',
})

/** Returns the type of a table in the spelling of the REST API. */
export function toRestType(type: string | null | undefined): string {
  return TYPES[type ?? ''] ?? type ?? ''
}

/**
 * Returns whether every view has the table: a view that is late lacks it. A table whose facts are elsewhere
 * is not complete either.
 */
export function isComplete({ table, options, columns, fields, views }: TableRows): boolean {
  const [, , type, needsRest, , hasOptions] = table
  return (
    needsRest === 'false' &&
    columns.length > 0 &&
    fields.length > 0 &&
    (type !== 'VIEW' || views.length > 0) &&
    (hasOptions === 'false' || options.length > 0)
  )
}

/** Converts the rows of one table. */
export function toRestTable(rows: TableRows, location: string): BigQueryTable {
  const [, , type, , partitionExpression] = rows.table
  const options = new Map(rows.options.map(([, , name, value]) => [name, value ?? '']))
  const getText = (name: string) => readStrings(options.get(name) ?? '')[0]
  const [, , numRows, numBytes, storageModifiedTime] = rows.storage[0] ?? []
  const query = rows.views[0]?.[2]
  return {
    type: toRestType(type),
    description: getText('description'),
    friendlyName: getText('friendly_name'),
    labels: readPairs(options.get('labels') ?? ''),
    resourceTags: readPairs(options.get('tags') ?? ''),
    requirePartitionFilter: options.get('require_partition_filter')?.toLowerCase() === 'true',
    location,
    schema: { fields: toRestFields(rows) },
    ...toPartitioning(rows.columns, partitionExpression ?? ''),
    clustering: { fields: listClusteringColumns(rows.columns) },
    view: { query },
    numRows,
    numBytes,
    storageModifiedTime,
  }
}

function toRestFields({ columns, fields }: TableRows): RestField[] {
  const details: FieldDetails = new Map(
    fields.map(([, , path, description, tags]) => [
      foldName(path ?? ''),
      toDetails(description, tags),
    ]),
  )
  return columns.flatMap(([, , name, isNullable, type, preset, isHidden]) => {
    if (name == null || isHidden === 'YES') return []
    const field = toRestField(name, type ?? '', details)
    return [
      {
        ...field,
        ...omitEmpty({
          mode: field.mode ?? (isNullable === 'NO' && 'REQUIRED'),
          // A column without a default value has this word.
          defaultValueExpression: preset !== 'NULL' && preset,
        }),
      },
    ]
  })
}

function toDetails(
  description: string | null | undefined,
  tags: string | null | undefined,
): Pick<RestField, 'description' | 'policyTags'> {
  const names = readStrings(tags ?? '')
  return omitEmpty({ description, policyTags: names.length > 0 && { names } })
}

function toRestField(name: string, text: string, details: FieldDetails): RestField {
  const syntax = parseTypeText(text)
  // A type that cannot be parsed is kept as it is.
  if (syntax === undefined) return { name, type: text || 'UNKNOWN', ...details.get(foldName(name)) }
  return toTypedField({ name, path: name }, syntax, details)
}

function toTypedField(
  { name, path }: { name: string; path: string },
  { words, parameters = [], inner = [] }: TypeSyntax,
  details: FieldDetails,
): RestField {
  const [first] = inner
  if (words === 'array' && first !== undefined) {
    return { ...toTypedField({ name, path }, first.type, details), mode: 'REPEATED' }
  }
  const field = { name, type: words.toUpperCase(), ...details.get(foldName(path)) }
  if (words === 'struct') {
    const fields = inner.map(({ name: innerName = '', type }) =>
      toTypedField({ name: innerName, path: `${path}.${innerName}` }, type, details),
    )
    return { ...field, fields }
  }
  if (words === 'range' && first !== undefined) {
    return { ...field, rangeElementType: { type: first.type.words } }
  }
  const [precision, scale] = parameters
  if (precision === undefined) return field
  return scale === undefined ? { ...field, maxLength: precision } : { ...field, precision, scale }
}

type Partitioning = Pick<BigQueryTable, 'timePartitioning' | 'rangePartitioning'>

function toPartitioning(columns: readonly QueryRow[], expression: string): Partitioning {
  const column = columns.find(([, , , , , , , isPartitioning]) => isPartitioning === 'YES')
  if (column === undefined) return {}
  const [, , name, , , , isHidden] = column
  const field = isHidden === 'YES' ? undefined : name
  if (/^RANGE_BUCKET\b/i.test(expression)) return { rangePartitioning: { field } }
  const unit = /,\s*(HOUR|MONTH|YEAR)\s*\)/i.exec(expression)?.[1]?.toUpperCase()
  return { timePartitioning: { field, type: unit ?? 'DAY' } }
}

function listClusteringColumns(columns: readonly QueryRow[]): string[] {
  return columns
    .flatMap(([, , name, , , , , , position]) =>
      name && position ? [{ name, position: Number(position) }] : [],
    )
    .toSorted((one, other) => one.position - other.position)
    .map(({ name }) => name)
}
