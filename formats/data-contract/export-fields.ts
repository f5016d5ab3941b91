// Fields that a target has no notion of: vectors, measures and dimensions, and parts that are deprecated.

import type { Field, Model, Vector } from '../schema/model.ts'
import { plainField } from '../schema/plain.ts'

const WHOLE: ReadonlyMap<Vector['elementType'], string> = new Map([
  ['int8', 'int8'],
  ['uint8', 'uint8'],
  ['binary', 'uint8'],
])

/** Returns a vector as a list of numbers, of its length and size unless it is for BigQuery, which has neither. */
export function toNumberList(field: Field, isForBigQuery: boolean): Field {
  const { dimensions, elementType } = field.vector ?? {}
  const { physicalType: _, ...rest } = field
  const whole = WHOLE.get(elementType)
  const items: Field = {
    ...plainField('items', whole === undefined ? 'number' : 'integer', field.origin),
    format: whole ?? (elementType === 'float64' || isForBigQuery ? 'double' : 'float'),
    required: true,
  }
  if (isForBigQuery && whole !== undefined) delete items.format
  const length =
    dimensions === undefined || isForBigQuery ? {} : { minItems: dimensions, maxItems: dimensions }
  return { ...rest, logicalType: 'array', items, ...length }
}

/** Returns whether a field is computed by queries and no column, message field or property. */
export function isComputed({ semanticType }: Field): boolean {
  return semanticType === 'measure' || semanticType === 'dimension'
}

/** Returns a copy of a deprecated model or field whose description states it, for targets without a flag. */
export function withDeprecationText<Part extends Model | Field>(part: Part): Part {
  const words = part.description === undefined ? 'Deprecated.' : `Deprecated. ${part.description}`
  const copy = { ...part, description: words }
  delete copy.deprecated
  return copy
}
