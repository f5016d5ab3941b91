/** Converts columns of Unity Catalog, whose nested types are those of Spark, to columns of assets. */

import { z } from 'zod'
import { innerName } from '../../../formats/schema/types/type-text.ts'
import { SourceFailure, type SourceColumn } from '../connector.ts'
import type { ColumnAnswer } from './answers.ts'
import { newTable } from '../../../formats/name/table.ts'

/** The maximum nesting of types. */
const DEPTH_MAX = 64

const metadata = z.record(z.string(), z.unknown()).nullish()

const field = z.object({
  name: z.string(),
  type: z.unknown(),
  nullable: z.boolean().nullish(),
  metadata,
})

const nestedType = z.discriminatedUnion('type', [
  z.object({ type: z.literal('struct'), fields: z.array(z.unknown()) }),
  z.object({
    type: z.literal('array'),
    elementType: z.unknown(),
    containsNull: z.boolean().nullish(),
  }),
  z.object({
    type: z.literal('map'),
    keyType: z.unknown(),
    valueType: z.unknown(),
    valueContainsNull: z.boolean().nullish(),
  }),
  // A user-defined type is stored as its SQL type.
  z.object({ type: z.literal('udt'), sqlType: z.unknown() }),
])

// Spark's names of types in JSON that differ from those in SQL.
const SQL_NAMES = newTable<string>({
  byte: 'tinyint',
  short: 'smallint',
  integer: 'int',
  long: 'bigint',
})

/** Converts a column. Errors: SourceFailure protocol if its type cannot be parsed. */
export function toColumn(column: ColumnAnswer): SourceColumn {
  const { name, type_text: text, type_name: typeName, comment, nullable } = column
  const described = parseJson(column.type_json)
  const parsed = described === undefined ? undefined : parseType(described.type, 0)
  const type = text || parsed?.type || typeName?.toLowerCase()
  if (!type) throw new SourceFailure('protocol', `The column ${name} has no type`)
  return {
    name,
    ...parsed,
    type,
    ...(comment ? { description: comment } : {}),
    ...(nullable === false ? { required: true } : {}),
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
function parseJson(json: string | null | undefined): Pick<Field, 'type' | 'metadata'> | undefined {
  if (!json) return undefined
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    // Older servers wrote the name of a type without quotes.
    return undefined
  }
  const read = field.safeParse(value)
  return read.success ? read.data : { type: value }
}

type Field = z.infer<typeof field>

function describeValues(given: Field['metadata']): Pick<SourceColumn, 'default' | 'generated'> {
  const { CURRENT_DEFAULT: preset, 'delta.generationExpression': expression } = given ?? {}
  const start = given?.['delta.identity.start']
  return {
    ...(typeof preset === 'string' ? { default: preset } : {}),
    ...(typeof expression === 'string' ? { generated: expression } : {}),
    ...(start === undefined ? {} : { generated: 'generated as identity' }),
  }
}

type Typed = Pick<SourceColumn, 'type' | 'properties' | 'items'>

function parseType(value: unknown, depth: number): Typed {
  if (typeof value === 'string') return { type: SQL_NAMES[value] ?? value }
  if (depth >= DEPTH_MAX) {
    throw new SourceFailure('protocol', `Types are nested more than ${DEPTH_MAX} levels deep`)
  }
  const read = nestedType.safeParse(value)
  if (!read.success) {
    throw new SourceFailure('protocol', 'A type is not part of Spark', { cause: read.error })
  }
  const type = read.data
  switch (type.type) {
    case 'struct': {
      const properties = type.fields.map((each) => toField(each, depth + 1))
      return { type: `struct<${properties.map(writeMember).join(',')}>`, properties }
    }
    case 'array': {
      const items = toInner('element', type.elementType, type.containsNull, depth)
      return { type: `array<${items.type}>`, items }
    }
    case 'map': {
      const key = toInner('key', type.keyType, true, depth)
      const entry = toInner('value', type.valueType, type.valueContainsNull, depth)
      const text = `map<${key.type},${entry.type}>`
      const isNested = [key, entry].some(({ properties, items }) => properties ?? items)
      return isNested ? { type: text, properties: [key, entry] } : { type: text }
    }
    case 'udt':
      return parseType(type.sqlType, depth + 1)
  }
}

function toInner(
  name: string,
  type: unknown,
  isNullable: boolean | null | undefined,
  depth: number,
): SourceColumn {
  const required = isNullable === false ? { required: true } : {}
  return { name, ...parseType(type, depth + 1), ...required }
}

function toField(value: unknown, depth: number): SourceColumn {
  const read = field.safeParse(value)
  if (!read.success) {
    throw new SourceFailure('protocol', 'A field is not part of Spark', { cause: read.error })
  }
  const { name, type, nullable, metadata: given } = read.data
  const comment = given?.['comment']
  return {
    name,
    ...parseType(type, depth),
    ...(typeof comment === 'string' && comment !== '' ? { description: comment } : {}),
    ...(nullable === false ? { required: true } : {}),
  }
}

function writeMember({ name, type, required }: SourceColumn): string {
  return `${innerName(name, 'databricks')}:${type}${required === true ? ' NOT NULL' : ''}`
}
