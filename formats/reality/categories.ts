// A field that has only a logical type promises a category of values, which many types of a platform have.

import type { Field, LogicalType } from '../schema/model.ts'

/** The facts of a column that decide its category. */
type CategoryFacts = Pick<
  Field,
  'logicalType' | 'format' | 'precision' | 'scale' | 'maxLength' | 'physicalType'
>

type Accepts = (column: CategoryFacts) => boolean

const isOneBit: Accepts = ({ format, maxLength, physicalType = '' }) =>
  format === 'bits' && (maxLength === 1 || /^bit(?:\(1\))?$/i.test(physicalType.trim()))

/** Returns whether the contents of a column are in no type: JSON, a variant, or a container without its parts. */
export function isOpaque({ logicalType, format, fields, items, keys }: Field): boolean {
  if (logicalType !== 'object' && logicalType !== 'array' && logicalType !== 'map') return false
  return format === 'json' || (fields ?? items ?? keys) === undefined
}

// The boolean of MySQL is an integer.
const isTiny: Accepts = ({ logicalType, physicalType = '' }) =>
  logicalType === 'boolean' && /^tinyint\b/i.test(physicalType.trim())

function isJson({ logicalType, format }: CategoryFacts): boolean {
  return logicalType === 'object' && format === 'json'
}

const ACCEPTED: Readonly<Record<LogicalType, Accepts>> = {
  string: ({ logicalType }) => logicalType === 'string',
  integer: (column) =>
    column.logicalType === 'integer' ||
    (column.logicalType === 'number' && column.scale === 0) ||
    isTiny(column),
  number: (column) =>
    column.logicalType === 'number' || column.logicalType === 'integer' || isTiny(column),
  boolean: (column) => column.logicalType === 'boolean' || isOneBit(column),
  date: ({ logicalType }) => logicalType === 'date',
  time: ({ logicalType }) => logicalType === 'time',
  timestamp: ({ logicalType }) => logicalType === 'timestamp',
  object: ({ logicalType }) => logicalType === 'object' || logicalType === 'map',
  array: (column) =>
    column.logicalType === 'array' || column.logicalType === 'vector' || isJson(column),
  map: (column) => column.logicalType === 'map' || isJson(column),
  binary: ({ logicalType }) => logicalType === 'binary',
  vector: ({ logicalType }) => logicalType === 'vector' || logicalType === 'array',
  unknown: () => true,
}

/** Returns whether a column has a type of the category of a logical type. */
export function isInCategory(
  logicalType: LogicalType,
  column: CategoryFacts,
  hasNoTimestamps: boolean,
): boolean {
  if (ACCEPTED[logicalType](column)) return true
  if (!hasNoTimestamps) return false
  const isTime = column.logicalType === 'time'
  if (logicalType === 'date') return isTime || column.logicalType === 'timestamp'
  return logicalType === 'string' && isTime
}
