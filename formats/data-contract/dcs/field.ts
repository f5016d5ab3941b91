// The types of DCS, and definitions, from which fields inherit.

import type { LogicalType } from '../../schema/model.ts'
import { findRow } from '../../schema/types/tables.ts'
import type { TypeRow } from '../../schema/types/type-table.ts'
import { getField, isObject, type ObjectValue, asText, type Value } from '../../text/value.ts'

/** Returns the logical type of a DCS type; undefined for a type that is not in the standard. */
export function dcsLogicalType(type: string | undefined): LogicalType | undefined {
  return findType(type)?.logicalType
}

/** Returns whether values of a DCS type have a time zone; undefined if the type does not define it. */
export function dcsTimeZone(type: string | undefined): boolean | undefined {
  return findType(type)?.withTimeZone
}

function findType(type: string | undefined): TypeRow | undefined {
  return type === undefined ? undefined : findRow(type.toLowerCase(), 'dcs')
}

const DEFINITION = '#/definitions/'

// The properties that a field may inherit. A definition may have any number of other fields, which are not copied.
const INHERITED = [
  'title',
  'description',
  'type',
  'format',
  'pattern',
  'classification',
  'fields',
  'items',
  'keys',
  'values',
  'minLength',
  'maxLength',
  'precision',
  'scale',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'enum',
  'example',
  'examples',
  'pii',
  'tags',
  'links',
  'quality',
  'config',
] as const

/** The maximum length of a chain of definitions. */
const STEPS_MAX = 32

/** A field with its inherited properties; `missing` is a reference without a target, or a circular one. */
interface Resolved {
  field: ObjectValue
  missing?: string
}

const NOTHING: Resolved = { field: {} }

/** The definitions of a document, which fields refer to by `$ref: #/definitions/order_id`. */
export class Definitions {
  readonly #definitions: Value | undefined
  readonly #inherited = new Map<string, Resolved>()
  readonly #bare = new Map<string, Resolved>()

  constructor(value: ObjectValue) {
    this.#definitions = getField(value, 'definitions')
  }

  /**
   * Returns a field with the properties that it inherits from its definition and transitively; properties of the
   * field itself take precedence.
   */
  resolve(field: ObjectValue): Resolved {
    const reference = asText(getField(field, '$ref'))
    if (reference === undefined) return { field }
    // Most fields with a reference have no other properties.
    const isBare = Object.keys(field).length === 1
    const before = isBare ? this.#bare.get(reference) : undefined
    if (before !== undefined) return before
    const resolved = this.#merged(field, reference)
    if (isBare) this.#bare.set(reference, resolved)
    return resolved
  }

  #merged(field: ObjectValue, reference: string): Resolved {
    const { field: inherited, missing } = this.#inherit(reference, 0)
    const own = Object.entries(field)
    const others = Object.entries(inherited).filter(([name]) => !Object.hasOwn(field, name))
    const resolved: ObjectValue = Object.fromEntries([...others, ...own])
    return missing === undefined ? { field: resolved } : { field: resolved, missing }
  }

  // Each reference is resolved once, regardless of how many fields have it.
  #inherit(reference: string, steps: number): Resolved {
    const before = this.#inherited.get(reference)
    if (before !== undefined) return before
    const definition = steps < STEPS_MAX ? this.#find(reference) : undefined
    if (definition === undefined) return { ...NOTHING, missing: reference }
    // A reference that is reached again before it is resolved is circular.
    this.#inherited.set(reference, { ...NOTHING, missing: reference })
    const next = asText(getField(definition, '$ref'))
    const { field: further, missing } =
      next === undefined ? NOTHING : this.#inherit(next, steps + 1)
    const inherited: ObjectValue = {}
    for (const name of INHERITED) {
      const value = getField(definition, name) ?? getField(further, name)
      if (value !== undefined) inherited[name] = value
    }
    const result = missing === undefined ? { field: inherited } : { field: inherited, missing }
    this.#inherited.set(reference, result)
    return result
  }

  // Names of definitions may contain slashes.
  #find(reference: string): ObjectValue | undefined {
    if (!reference.startsWith(DEFINITION)) return undefined
    const definition = getField(this.#definitions, reference.slice(DEFINITION.length))
    return isObject(definition) ? definition : undefined
  }
}
