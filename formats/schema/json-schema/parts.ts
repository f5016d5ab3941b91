// Several parts often define a schema together: `allOf`, references, and a choice between one schema
// and null.

import { getField, isObject, asText, type Value } from '../../text/value.ts'
import { type SchemaPart, partAt, partsIn, type References } from './references.ts'

/** A schema with all the parts that define it. */
export interface ResolvedSchema {
  parts: SchemaPart[]
  /** The schema itself; of a schema that is only a reference, its target. */
  head: Value | undefined
  isNullable: boolean
  /** Lists of choices with a single member other than null, which is one of the parts. */
  resolved: Set<Value>
  /** Why the type is unknown: a union of several types, or an unresolved reference. */
  unknown?: { part: SchemaPart; message: string }
}

/**
 * The contribution of a single part to a `ResolvedSchema`: the parts that it refers to, and its own
 * facts.
 */
interface Lead extends Pick<ResolvedSchema, 'isNullable' | 'unknown'> {
  further: SchemaPart[]
  resolved: Value[]
}

/** The maximum number of parts of all schemas in a document. */
const PARTS_MAX = 100_000

const TOO_MANY = 'The references of this document lead to too many schemas; the rest is not read.'

/**
 * Resolves schemas to their parts; counts the parts, because references can lead to the same ones
 * repeatedly.
 */
export class SchemaResolver {
  readonly #references: References
  // The parts of a schema do not depend on its use.
  readonly #resolved = new Map<Value, ResolvedSchema>()
  // A chain of references is followed from each of its links, so each link is cached.
  readonly #leads = new Map<Value, Lead>()
  #left = PARTS_MAX

  /** Whether some schemas were not resolved because the document has too many parts. */
  get isIncomplete(): boolean {
    return this.#left < 0
  }

  constructor(references: References) {
    this.#references = references
  }

  /** Returns all parts of the schema that begins with these parts; each schema counts once. */
  resolve(begin: readonly SchemaPart[]): ResolvedSchema {
    const [first] = begin
    if (first === undefined || begin.length > 1 || !isObject(first.schema))
      return this.#collect(begin)
    const before = this.#resolved.get(first.schema)
    if (before !== undefined) return before
    const schema = this.#collect(begin)
    this.#resolved.set(first.schema, schema)
    return schema
  }

  #collect(begin: readonly SchemaPart[]): ResolvedSchema {
    const seen = new Set<Value>()
    const schema: ResolvedSchema = {
      parts: [],
      head: begin[0]?.schema,
      isNullable: false,
      resolved: new Set(),
    }
    const waiting = begin.toReversed()
    for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
      if (!isObject(part.schema)) {
        schema.parts.push(part)
        continue
      }
      if (seen.size === seen.add(part.schema).size) continue
      this.#left -= 1
      if (this.#left < 0) {
        schema.unknown ??= { part, message: TOO_MANY }
        return schema
      }
      schema.parts.push(part)
      const { further, isNullable, resolved, unknown } = this.#lead(part)
      schema.isNullable ||= isNullable
      if (unknown !== undefined) schema.unknown ??= unknown
      for (const choices of resolved) schema.resolved.add(choices)
      const [only] = further
      const isElsewhere = getField(part.schema, 'properties') === undefined && further.length === 1
      if (part.schema === schema.head && isElsewhere) schema.head = only?.schema
      waiting.push(...further.toReversed())
    }
    return schema
  }

  #lead(part: SchemaPart): Lead {
    const before = this.#leads.get(part.schema)
    if (before !== undefined) return before
    const lead = this.#readLead(part)
    this.#leads.set(part.schema, lead)
    return lead
  }

  #readLead(part: SchemaPart): Lead {
    const { schema } = part
    const lead: Lead = { further: [], resolved: [], isNullable: false }
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const reference = asText(getField(schema, keyword))
      if (reference === undefined) continue
      const found = this.#references.find(reference, part.base)
      if (found !== undefined) lead.further.push(found)
      else lead.unknown ??= { part: partAt(part, keyword) ?? part, message: notHere(reference) }
    }
    lead.further.push(...partsIn(listAt(part, 'allOf')).map(([, member]) => member))
    for (const keyword of ['anyOf', 'oneOf']) {
      const choices = listAt(part, keyword)
      const members = this.#choice(part, choices, lead)
      if (choices !== undefined && members.length > 0) lead.resolved.push(choices.schema)
      lead.further.push(...members)
    }
    if (getField(schema, 'nullable') === true) lead.isNullable = true
    return lead
  }

  // A choice between one schema and null is that schema, and nullable.
  #choice(part: SchemaPart, choices: SchemaPart | undefined, lead: Lead): SchemaPart[] {
    const members = partsIn(choices).map(([, member]) => member)
    const others = members.filter(({ schema }) => !isNull(schema))
    if (others.length < members.length) lead.isNullable = true
    if (choices === undefined || others.length <= 1) return others
    if (listConstants(others) !== undefined || !isObject(part.schema)) return []
    lead.unknown ??= {
      part: choices,
      message: 'This may have one of several types, so its type is unknown.',
    }
    return []
  }
}

/**
 * Returns the values of a choice between constants, `[{const: "a"}, {const: "b"}]`; undefined if some
 * members are not constants.
 */
export function listConstants(parts: readonly SchemaPart[]): Value[] | undefined {
  const values: Value[] = []
  for (const { schema } of parts) {
    const value = getField(schema, 'const')
    const list = getField(schema, 'enum')
    if (value !== undefined) values.push(value)
    else if (Array.isArray(list) && list.length === 1) values.push(...list)
    else return undefined
  }
  return values.length === 0 ? undefined : values
}

/** Returns the list at a keyword. */
export function listAt(part: SchemaPart, keyword: string): SchemaPart | undefined {
  const list = partAt(part, keyword)
  return list !== undefined && Array.isArray(list.schema) ? list : undefined
}

function isNull(schema: Value): boolean {
  const type = getField(schema, 'type')
  const values = getField(schema, 'enum')
  return (
    type === 'null' ||
    getField(schema, 'const') === null ||
    (Array.isArray(type) && type.length === 1 && type[0] === 'null') ||
    (Array.isArray(values) && values.length === 1 && values[0] === null)
  )
}

function notHere(reference: string): string {
  const isInside = reference.startsWith('#')
  return isInside
    ? 'This reference has no target in this document, so its type is unknown.'
    : 'This reference points outside of the document, which is not fetched. Put its target under "$defs".'
}
