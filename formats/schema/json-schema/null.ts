// Computes whether a JSON Schema allows null. Only a few keywords affect that, so the result is exact.

import { getField, isObject, asText } from '../../text/value.ts'
import { type SchemaPart, partAt, partsIn, type References } from './references.ts'
import { REFERENCES } from './keywords.ts'
import { listAt } from './parts.ts'

/** Longer chains of references are not followed. */
const DEPTH_MAX = 200

/** Computes which schemas of a document allow null. */
export class NullCheck {
  readonly #references: References
  readonly #results = new Map<object, boolean>()

  constructor(references: References) {
    this.#references = references
  }

  /** Returns whether null is valid; an unresolved reference counts as allowing it. */
  allows(part: SchemaPart, depth = 0): boolean {
    const { schema } = part
    if (schema === false) return false
    if (!isObject(schema) || depth > DEPTH_MAX) return true
    const cached = this.#results.get(schema)
    if (cached !== undefined) return cached
    // A schema that refers to itself adds nothing to its own conditions.
    this.#results.set(schema, true)
    const result = isOfType(part) && isListed(part) && this.#isCombined(part, depth + 1)
    this.#results.set(schema, result)
    return result
  }

  #isCombined(part: SchemaPart, depth: number): boolean {
    const members = (keyword: string): SchemaPart[] =>
      partsIn(listAt(part, keyword)).map(([, member]) => member)
    const allows = (member: SchemaPart): boolean => this.allows(member, depth)
    if (!this.#referred(part).every(allows) || !members('allOf').every(allows)) return false
    const [some, one, not] = [members('anyOf'), members('oneOf'), partAt(part, 'not')]
    if (some.length > 0 && !some.some(allows)) return false
    if (one.length > 0 && one.filter(allows).length !== 1) return false
    if (not !== undefined && allows(not)) return false
    const condition = partAt(part, 'if')
    if (condition === undefined) return true
    const branch = partAt(part, allows(condition) ? 'then' : 'else')
    return branch === undefined || allows(branch)
  }

  #referred(part: SchemaPart): SchemaPart[] {
    return REFERENCES.flatMap((keyword) => {
      const reference = asText(getField(part.schema, keyword))
      if (reference === undefined) return []
      return this.#references.find(reference, part.base) ?? []
    })
  }
}

function isOfType({ schema }: SchemaPart): boolean {
  const type = getField(schema, 'type')
  if (type === undefined || getField(schema, 'nullable') === true) return true
  return Array.isArray(type) ? type.includes('null') : type === 'null'
}

function isListed({ schema }: SchemaPart): boolean {
  const list = getField(schema, 'enum')
  const value = getField(schema, 'const')
  if (value !== undefined && value !== null) return false
  return !Array.isArray(list) || list.includes(null)
}
