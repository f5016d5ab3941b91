/** Parses the types of Spark in JSON, which Unity Catalog returns and Spark keeps in the properties of its tables. */

import { z } from 'zod'
import { newTable } from '../../formats/name/table.ts'
import { innerName } from '../../formats/schema/types/type-text.ts'
import { omitEmpty } from './asset-parts.ts'
import { SourceFailure, type SourceColumn } from './connector.ts'

/** The maximum nesting of types. */
const DEPTH_MAX = 64

const metadata = z.record(z.string(), z.unknown()).nullish()

/** A field of a struct, or a column. */
export const sparkField = z.object({
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

/** A field, parsed. */
export type SparkField = z.infer<typeof sparkField>

/** Parses a type. Errors: SourceFailure protocol if it is not one of Spark. */
export function parseSparkType(value: unknown): SparkType {
  return parseType(value, 0)
}

/** Returns the columns of a schema, a struct, in JSON text. Undefined = it cannot be parsed. */
export function parseSparkSchema(json: string): readonly SourceColumn[] | undefined {
  try {
    return parseSparkType(JSON.parse(json)).properties
  } catch {
    return undefined
  }
}

/** The type of a column in SQL, with its inner columns. */
type SparkType = Pick<SourceColumn, 'type' | 'properties' | 'items'>

function parseType(value: unknown, depth: number): SparkType {
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
  return { name, ...parseType(type, depth + 1), ...omitEmpty({ required: isNullable === false }) }
}

function toField(value: unknown, depth: number): SourceColumn {
  const read = sparkField.safeParse(value)
  if (!read.success) {
    throw new SourceFailure('protocol', 'A field is not part of Spark', { cause: read.error })
  }
  const { name, type, nullable, metadata: given } = read.data
  const comment = given?.['comment']
  return {
    name,
    ...parseType(type, depth),
    ...omitEmpty({
      description: typeof comment === 'string' && comment,
      required: nullable === false,
    }),
  }
}

function writeMember({ name, type, required }: SourceColumn): string {
  return `${innerName(name, 'databricks')}:${type}${required === true ? ' NOT NULL' : ''}`
}
