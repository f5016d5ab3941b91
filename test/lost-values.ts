// Finds the losses of a conversion: values of a document that do not appear in the converted one.

import { canonicalNumber } from '../formats/text/number.ts'
import { ExactNumber, isObject, type Value } from '../formats/text/value.ts'

/**
 * Lists the texts, numbers, flags and nulls of a document that its conversion contains neither as a value
 * nor as a name.
 */
export function lostValues(document: Value, converted: Value): string[] {
  const scalars = getScalars(converted)
  return [...getValues(document)].filter((scalar) => !scalars.has(scalar))
}

function getScalars(value: Value, into: Set<string> = new Set()): Set<string> {
  if (Array.isArray(value)) for (const item of value) getScalars(item, into)
  else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      into.add(name)
      getScalars(member, into)
    }
  } else if (typeof value === 'number' || value instanceof ExactNumber) {
    into.add(canonicalNumber(value))
  } else {
    into.add(String(value))
  }
  return into
}

// Collects the values of a document without the field names of its standard.
function getValues(value: Value, into: Set<string> = new Set()): Set<string> {
  if (Array.isArray(value)) for (const item of value) getValues(item, into)
  else if (isObject(value)) for (const member of Object.values(value)) getValues(member, into)
  else getScalars(value, into)
  return into
}
