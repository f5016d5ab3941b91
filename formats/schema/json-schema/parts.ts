// A schema is often told in several places: by `allOf`, by references, and by one of several choices when the others
// are null. All the places together say what a value is.

import { fieldOf, isObject, textOf, type Value } from '../../text/value.ts'
import { type Part, partAt, partsIn, type References } from './references.ts'

/** The places that together tell a schema. */
export interface Told {
  parts: Part[]
  /** The schema itself; where it is nothing but a reference, what that leads to. */
  head: Value | undefined
  isNullable: boolean
  /** The lists of choices of which only one is left besides null, so that it is among the parts. */
  resolved: Set<Value>
  /** A union of several types, or a reference that leads nowhere: why the type is not known. */
  unknown?: { part: Part; message: string }
}

/** What a single part contributes to `Told`: the parts that it refers to, and its own facts. */
interface Lead extends Pick<Told, 'isNullable' | 'unknown'> {
  further: Part[]
  resolved: Value[]
}

/** All schemas of a document may together be told in this many places. */
const PARTS_MAX = 100_000

const TOO_MANY = 'The references of this document lead to too many schemas; the rest is not read.'

/** Collects the places that tell schemas; counts them, because references can lead to the same ones over and over. */
export class Teller {
  readonly #references: References
  // A schema is told the same wherever it is used.
  readonly #told = new Map<Value, Told>()
  // A chain of references is followed from each of its links, so each link is read once.
  readonly #leads = new Map<Value, Lead>()
  #left = PARTS_MAX

  /** The document describes its schemas in too many places, so that some were not read. */
  get isIncomplete(): boolean {
    return this.#left < 0
  }

  constructor(references: References) {
    this.#references = references
  }

  /** Gives all that tells the schema that these parts begin; each schema counts once. */
  told(begin: readonly Part[]): Told {
    const [first] = begin
    if (first === undefined || begin.length > 1 || !isObject(first.schema))
      return this.#collect(begin)
    const before = this.#told.get(first.schema)
    if (before !== undefined) return before
    const told = this.#collect(begin)
    this.#told.set(first.schema, told)
    return told
  }

  #collect(begin: readonly Part[]): Told {
    const seen = new Set<Value>()
    const told: Told = { parts: [], head: begin[0]?.schema, isNullable: false, resolved: new Set() }
    const waiting = begin.toReversed()
    for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
      if (!isObject(part.schema)) {
        told.parts.push(part)
        continue
      }
      if (seen.size === seen.add(part.schema).size) continue
      this.#left -= 1
      if (this.#left < 0) {
        told.unknown ??= { part, message: TOO_MANY }
        return told
      }
      told.parts.push(part)
      const { further, isNullable, resolved, unknown } = this.#lead(part)
      told.isNullable ||= isNullable
      if (unknown !== undefined) told.unknown ??= unknown
      for (const choices of resolved) told.resolved.add(choices)
      const [only] = further
      const isElsewhere = fieldOf(part.schema, 'properties') === undefined && further.length === 1
      if (part.schema === told.head && isElsewhere) told.head = only?.schema
      waiting.push(...further.toReversed())
    }
    return told
  }

  #lead(part: Part): Lead {
    const before = this.#leads.get(part.schema)
    if (before !== undefined) return before
    const lead = this.#readLead(part)
    this.#leads.set(part.schema, lead)
    return lead
  }

  #readLead(part: Part): Lead {
    const { schema } = part
    const lead: Lead = { further: [], resolved: [], isNullable: false }
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const reference = textOf(fieldOf(schema, keyword))
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
    if (fieldOf(schema, 'nullable') === true) lead.isNullable = true
    return lead
  }

  // A choice between one thing and null is that thing, which may be null.
  #choice(part: Part, choices: Part | undefined, lead: Lead): Part[] {
    const members = partsIn(choices).map(([, member]) => member)
    const others = members.filter(({ schema }) => !isNull(schema))
    if (others.length < members.length) lead.isNullable = true
    if (choices === undefined || others.length <= 1) return others
    if (constantsOf(others) !== undefined || !isObject(part.schema)) return []
    lead.unknown ??= {
      part: choices,
      message: 'This may be one of several things, so that its type is unknown.',
    }
    return []
  }
}

/** Gives the values of a choice between constants, `[{const: "a"}, {const: "b"}]`; undefined when some are none. */
export function constantsOf(parts: readonly Part[]): Value[] | undefined {
  const values: Value[] = []
  for (const { schema } of parts) {
    const value = fieldOf(schema, 'const')
    const list = fieldOf(schema, 'enum')
    if (value !== undefined) values.push(value)
    else if (Array.isArray(list) && list.length === 1) values.push(...list)
    else return undefined
  }
  return values.length === 0 ? undefined : values
}

/** Gives the list that stands at a keyword. */
export function listAt(part: Part, keyword: string): Part | undefined {
  const list = partAt(part, keyword)
  return list !== undefined && Array.isArray(list.schema) ? list : undefined
}

function isNull(schema: Value): boolean {
  const type = fieldOf(schema, 'type')
  const values = fieldOf(schema, 'enum')
  return (
    type === 'null' ||
    fieldOf(schema, 'const') === null ||
    (Array.isArray(type) && type.length === 1 && type[0] === 'null') ||
    (Array.isArray(values) && values.length === 1 && values[0] === null)
  )
}

function notHere(reference: string): string {
  const isInside = reference.startsWith('#')
  return isInside
    ? 'This reference leads nowhere in this document; its type is unknown.'
    : 'This reference leads out of the document, and nothing is fetched; put what it names under “$defs”.'
}
