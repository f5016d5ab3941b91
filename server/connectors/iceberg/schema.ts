/** Converts Iceberg's schemas to columns. */

import { z } from 'zod'
import { innerName } from '../../../formats/schema/types/type-text.ts'
import { omitEmpty } from '../asset-parts.ts'
import { SourceFailure, type SourceColumn } from '../connector.ts'
import type { SchemaAnswer } from './answers.ts'

/** The maximum nesting of types. */
const DEPTH_MAX = 64

const field = z.object({
  id: z.number().int(),
  name: z.string(),
  type: z.unknown(),
  required: z.boolean().nullish(),
  doc: z.string().nullish(),
  'write-default': z.unknown().optional(),
})

const nestedType = z.discriminatedUnion('type', [
  z.object({ type: z.literal('struct'), fields: z.array(z.unknown()) }),
  z.object({
    type: z.literal('list'),
    element: z.unknown(),
    'element-required': z.boolean().nullish(),
  }),
  z.object({
    type: z.literal('map'),
    key: z.unknown(),
    value: z.unknown(),
    'value-required': z.boolean().nullish(),
  }),
])

/** The columns of a schema, and the names of all its fields by their ids. */
export interface Columns {
  columns: SourceColumn[]
  /** Nested fields have both names: `address.city`. */
  namesById: ReadonlyMap<number, string>
}

/** Parses a schema. Errors: SourceFailure protocol if it is invalid. */
export function toColumns({ fields }: SchemaAnswer): Columns {
  const namesById = new Map<number, string>()
  return { columns: fields.map((each) => toColumn(each, '', 0, namesById)), namesById }
}

type Names = Map<number, string>

function toColumn(value: unknown, within: string, depth: number, names: Names): SourceColumn {
  const { id, name, required, doc, ...more } = parseWith(field, value)
  const fullName = `${within}${name}`
  names.set(id, fullName)
  const preset = more['write-default']
  return {
    name,
    ...parseType(more.type, `${fullName}.`, depth, names),
    ...omitEmpty({
      required,
      description: doc,
      default: preset === undefined || preset === null ? '' : JSON.stringify(preset),
    }),
  }
}

type Typed = Pick<SourceColumn, 'type' | 'properties' | 'items'>

function parseType(value: unknown, within: string, depth: number, names: Names): Typed {
  if (typeof value === 'string') return { type: primitiveText(value) }
  if (depth >= DEPTH_MAX)
    throw createParseFailure(`types are nested more than ${DEPTH_MAX} levels deep`)
  const type = parseWith(nestedType, value)
  const below = depth + 1
  switch (type.type) {
    case 'struct': {
      const properties = type.fields.map((each) => toColumn(each, within, below, names))
      return { type: `struct<${properties.map(memberText).join(',')}>`, properties }
    }
    case 'list': {
      const items: SourceColumn = {
        name: 'element',
        ...parseType(type.element, `${within}element.`, below, names),
        ...omitEmpty({ required: type['element-required'] }),
      }
      return { type: `list<${items.type}>`, items }
    }
    case 'map': {
      const key: SourceColumn = {
        name: 'key',
        ...parseType(type.key, `${within}key.`, below, names),
      }
      const entry: SourceColumn = {
        name: 'value',
        ...parseType(type.value, `${within}value.`, below, names),
        ...omitEmpty({ required: type['value-required'] }),
      }
      const isTold = [key, entry].every(isCoveredByType)
      const text = `map<${key.type},${entry.type}>`
      return isTold ? { type: text } : { type: text, properties: [key, entry] }
    }
  }
}

/**
 * Checks whether the type's text describes a map's values completely: no documentation, and null is
 * allowed.
 */
function isCoveredByType({ properties, items, required }: SourceColumn): boolean {
  return properties === undefined && items === undefined && required !== true
}

/**
 * Normalizes the text of a type: `decimal(9,2)` to `decimal(9, 2)`, `fixed[16]` to `fixed(16)` as
 * in the specification.
 */
function primitiveText(type: string): string {
  return type.replaceAll(/\s*,\s*/g, ',').replace(/^fixed\[(\d+)\]$/, 'fixed($1)')
}

function memberText({ name, type, required }: SourceColumn): string {
  return `${innerName(name, 'iceberg')}:${type}${required === true ? ' NOT NULL' : ''}`
}

function parseWith<T>(shape: z.ZodType<T>, value: unknown): T {
  const result = shape.safeParse(value)
  if (!result.success)
    throw createParseFailure('a field or type is not part of Iceberg', result.error)
  return result.data
}

function createParseFailure(why: string, cause?: unknown): SourceFailure {
  return new SourceFailure('protocol', `The schema from the catalog cannot be read: ${why}`, {
    cause,
  })
}
