// Proves that two JSON Schemas have no instance in common.

import { getField, isObject, type Value } from '../text/value.ts'
import type { Effort } from './effort.ts'
import { type CanonicalSchema, Premise, toCanonicalTexts } from './json-schema-premise.ts'

const DEPTH_MAX = 3

/** Returns whether no instance is valid under both schemas; false also if that cannot be proven. */
export function areDisjoint(
  a: CanonicalSchema,
  b: CanonicalSchema,
  effort: Effort,
  depth = 0,
): boolean {
  effort.stepsLeft -= 1
  if (effort.stepsLeft < 0) return false
  const [one, other] = [new Premise(a), new Premise(b)]
  const types = one.types.intersection(other.types)
  if (types.size === 0) return true
  if (haveNoValueInCommon(one, other)) return true
  const isObjects = types.size === 1 && types.has('object')
  if (!isObjects || depth >= DEPTH_MAX) return false
  const names = [...one.union('required').union(other.union('required'))]
  return names.some(
    (name) =>
      typeof name === 'string' &&
      areDisjoint(propertySchema(one, name), propertySchema(other, name), effort, depth + 1),
  )
}

function haveNoValueInCommon(one: Premise, other: Premise): boolean {
  const [some, others] = [one.values(), other.values()]
  if (some === undefined || others === undefined) return false
  return toCanonicalTexts(some).isDisjointFrom(toCanonicalTexts(others))
}

/** Returns the schema that is known to apply to the value of a property. */
export function propertySchema(premise: Premise, name: string): CanonicalSchema {
  const known = premise.conjuncts.map((schema): Value => {
    const properties = getField(schema, 'properties')
    const own = getField(properties, name)
    if (own !== undefined) return own
    // The name may match a pattern; then the schema of its value is unknown.
    const isOpen = isObject(getField(schema, 'patternProperties'))
    return isOpen ? true : (getField(schema, 'additionalProperties') ?? true)
  })
  const [only = true, ...others] = known.filter((schema) => schema !== true)
  return others.length === 0 ? only : { allOf: [only, ...others] }
}
