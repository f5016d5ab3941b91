import { allowsNull, fieldShape, type Shape } from './shape.ts'
import { isObject, type Value } from '../text/value.ts'

/**
 * Returns a value without the known fields that are null: clients that write every field of a class send null for those
 * without a value.
 */
export function withoutNulls(value: Value, shape: Shape): Value {
  if (shape.kind !== 'object' || !isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const known = fieldShape(shape, name)
      if (known === undefined) return [[name, field]]
      return field === null && !allowsNull(known) ? [] : [[name, withoutNulls(field, known)]]
    }),
  )
}
