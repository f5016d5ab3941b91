// Finds the losses of a conversion: values of a document that do not appear in the converted one.

import { canonicalNumber } from '../formats/text/number.ts'
import { ExactNumber, isObject, type Value } from '../formats/text/value.ts'

/**
 * Lists the texts, numbers, flags and nulls of a document that its conversion contains neither as a value
 * nor as a name.
 */
export function lostValues(document: Value, converted: Value): string[] {
  const scalars = scalarsOf(converted)
  return [...valuesOf(document)].filter((scalar) => !scalars.has(scalar))
}

function scalarsOf(value: Value, into: Set<string> = new Set()): Set<string> {
  if (Array.isArray(value)) for (const item of value) scalarsOf(item, into)
  else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      into.add(name)
      scalarsOf(member, into)
    }
  } else if (typeof value === 'number' || value instanceof ExactNumber) {
    into.add(canonicalNumber(value))
  } else {
    into.add(String(value))
  }
  return into
}

// Collects the values of a document without the field names of its standard.
function valuesOf(value: Value, into: Set<string> = new Set()): Set<string> {
  if (Array.isArray(value)) for (const item of value) valuesOf(item, into)
  else if (isObject(value)) for (const member of Object.values(value)) valuesOf(member, into)
  else scalarsOf(value, into)
  return into
}
