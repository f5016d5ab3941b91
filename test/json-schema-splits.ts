// Random JSON Schemas, and copies of them that `allOf` splits.

import * as fc from 'fast-check'
import { isObject, jsonText, type ObjectValue, type Value } from '../formats/text/value.ts'
import { schemas } from './json-schema-pairs.ts'

// Keywords that only have a meaning beside each other.
const GROUPED = new Map(
  [
    ['properties', 'patternProperties', 'additionalProperties'],
    ['prefixItems', 'items'],
    ['contains', 'minContains', 'maxContains'],
    ['if', 'then', 'else'],
  ].flatMap((names) => names.map((name) => [name, names[0] ?? name] as const)),
)

function write(field: Value): Value {
  return { title: 'T', type: 'object', properties: { f: field } }
}

/** Generates schemas and copies in which `allOf` splits the schema of a field into two parts. */
export const splitSchemas: fc.Arbitrary<[whole: Value, split: Value]> = fc
  .record({ whole: schemas, parts: fc.infiniteStream(fc.boolean()) })
  .filter(({ whole }) => isObject(whole) && !/"(?:\$ref|unevaluated\w*)"/.test(jsonText(whole)))
  .map(({ whole, parts }) => {
    const sides = new Map<string, boolean>()
    const isFirst = (name: string): boolean => {
      const group = GROUPED.get(name) ?? name
      if (!sides.has(group)) sides.set(group, parts.next().value === true)
      return sides.get(group) === true
    }
    const entries = Object.entries(Object(whole) as ObjectValue)
    const [first, second] = [true, false].map((side) =>
      Object.fromEntries(entries.filter(([name]) => isFirst(name) === side)),
    )
    return [write(whole), write({ allOf: [first ?? {}, second ?? {}] })]
  })
