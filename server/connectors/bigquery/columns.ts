/** Converts the fields of a schema to columns, with the names of types in SQL. */

import { innerName, parametersText } from '../../../formats/schema/types/type-text.ts'
import { omitEmpty } from '../asset-parts.ts'
import { SourceFailure, type SourceColumn } from '../connector.ts'
import { fieldAnswer } from './answers.ts'
import { newTable } from '../../../formats/name/table.ts'

/** The maximum nesting of fields; BigQuery allows 15. */
const DEPTH_MAX = 32

// The names of types in the REST API that differ from those in SQL.
const SQL_NAMES = newTable<string>({
  INTEGER: 'INT64',
  FLOAT: 'FLOAT64',
  BOOLEAN: 'BOOL',
  RECORD: 'STRUCT',
})

/** A type, with the fields or the element inside. */
type ColumnType = Pick<SourceColumn, 'type' | 'properties' | 'items'>

/** Converts the fields of a schema. Errors: SourceFailure protocol if one cannot be parsed. */
export function toColumns(fields: readonly unknown[] | null | undefined): SourceColumn[] {
  return (fields ?? []).map((field) => toColumn(field, 0))
}

/** Returns the type of a repeated column. */
function toArray(element: ColumnType): ColumnType {
  return { type: `ARRAY<${element.type}>`, items: { name: 'element', ...element } }
}

/** Returns the type of a record. */
function toStruct(properties: readonly SourceColumn[]): ColumnType {
  const members = properties.map(({ name, type }) => `${innerName(name, 'bigquery')} ${type}`)
  return { type: `STRUCT<${members.join(', ')}>`, properties }
}

function toColumn(given: unknown, depth: number): SourceColumn {
  if (depth >= DEPTH_MAX) {
    throw new SourceFailure('protocol', `Its fields are nested more than ${DEPTH_MAX} levels deep`)
  }
  const read = fieldAnswer.safeParse(given)
  if (!read.success) {
    const message = 'Its schema does not follow the protocol'
    throw new SourceFailure('protocol', message, { cause: read.error })
  }
  const { name, mode, description, policyTags, defaultValueExpression } = read.data
  const type = toType(read.data, depth)
  return {
    name,
    ...(mode?.toUpperCase() === 'REPEATED' ? toArray(type) : type),
    ...omitEmpty({
      description,
      required: mode?.toUpperCase() === 'REQUIRED',
      default: defaultValueExpression,
      tags: policyTags?.names?.map(toPolicyTag),
    }),
  }
}

/** Returns the tag for the resource name of a policy tag; its display name is in another service. */
function toPolicyTag(name: string): string {
  return `policyTag:${name}`
}

function toType(field: ReturnType<typeof fieldAnswer.parse>, depth: number): ColumnType {
  const { fields, maxLength, precision, scale, rangeElementType } = field
  const upper = field.type.toUpperCase()
  // A new type keeps its spelling.
  const type = SQL_NAMES[upper] ?? field.type
  if (upper === 'STRUCT' || type === 'STRUCT')
    return toStruct((fields ?? []).map((inner) => toColumn(inner, depth + 1)))
  if (upper === 'RANGE' && rangeElementType != null) {
    return { type: `RANGE<${rangeElementType.type.toUpperCase()}>` }
  }
  const parameters = [maxLength ?? precision, scale].flatMap((value) =>
    value == null ? [] : [String(value)],
  )
  return { type: `${type}${parametersText(parameters)}` }
}
