// Custom properties of a contract, a model or a field: a list of names with values.

import { nonBlankText } from '../data-product/fields.ts'
import { getField, asText, type Value } from '../text/value.ts'

/** Returns the value of the first custom property with a name; undefined if there is none. */
export function customValue(list: Value | undefined, property: string): Value | undefined {
  if (!Array.isArray(list)) return undefined
  for (const item of list) {
    if (asText(getField(item, 'property')) === property) return getField(item, 'value') ?? null
  }
  return undefined
}

/** Returns the text of the first custom property with a name; undefined if it is blank. */
export function customText(list: Value | undefined, property: string): string | undefined {
  return nonBlankText(customValue(list, property))
}
