// The ends of relationships in an ODCS 3 contract: `model.field`, by names, and `/schema/<id>/properties/<id>`, by ids.
// Open Data Contract Standard v3.1.0, "References".

import type { Notes } from '../../text/problem.ts'
import { asText, getField, isObject } from '../../text/value.ts'
import type { ObjectValue, Path, Value } from '../../text/value.ts'
import { hasVariable } from '../../text/variables.ts'
import { canFollow, followNames, noteNowhere, type Search } from '../references.ts'

/** The members of the contract or of one part of it, by their names and by their ids. */
interface Members {
  names: Map<string, ObjectValue>
  ids: Map<string, ObjectValue>
}

/** Resolves the relationships of a contract to names of models and fields, and reports those to nowhere. */
export class Relationships {
  readonly #contract: ObjectValue
  readonly #notes: Notes
  // Created when they are needed: few contracts with many fields have relationships.
  readonly #members = new Map<ObjectValue, Members>()
  // Whether a variable names a member: any reference may lead to it.
  #hasUnknownNames = false

  constructor(contract: ObjectValue, notes: Notes) {
    this.#contract = contract
    this.#notes = notes
  }

  /**
   * Returns the fields that one end of a relationship names, as `model.field`; one that leads nowhere gives a warning.
   * `toPath` returns the position of the end.
   */
  read(end: Value | undefined, toPath: () => Path): string[] {
    if (typeof end === 'string') return this.#resolve(end, toPath)
    if (!Array.isArray(end)) return []
    return end.flatMap((one, at) =>
      typeof one === 'string' ? this.#resolve(one, () => [...toPath(), at]) : [],
    )
  }

  #resolve(reference: string, path: () => Path): string[] {
    if (reference.trim() === '') return []
    if (!canFollow(reference)) return [reference]
    const ids = reference.includes('/') ? listIds(reference) : undefined
    const search = ids ? this.#followIds(ids) : this.#followNames(reference.split('.'))
    if (search.missing === undefined) return [search.found.join('.')]
    if (!this.#hasUnknownNames) noteNowhere(reference, search, { notes: this.#notes, path })
    return [ids?.join('.') ?? reference]
  }

  #followNames(steps: readonly string[]): Search {
    return followNames(this.#contract, steps, (part) => this.#list(part).names)
  }

  #followIds(ids: readonly string[]): Search {
    const found: string[] = []
    let part = this.#contract
    for (const id of ids) {
      const members = this.#list(part)
      const next = members.ids.get(id) ?? members.names.get(id)
      if (next === undefined) return { found, missing: id }
      found.push(getName(next) ?? id)
      part = next
    }
    return { found, missing: undefined }
  }

  #list(part: ObjectValue): Members {
    const known = this.#members.get(part)
    if (known !== undefined) return known
    const members: Members = { names: new Map(), ids: new Map() }
    const lists = part === this.#contract ? ['schema'] : ['properties', 'items']
    for (const member of lists.flatMap((name) => listObjects(getField(part, name)))) {
      const [name, id] = [getName(member), asText(getField(member, 'id'))]
      if (hasVariable(name) || hasVariable(id)) this.#hasUnknownNames = true
      if (name !== undefined && !members.names.has(name)) members.names.set(name, member)
      if (id !== undefined && !members.ids.has(id)) members.ids.set(id, member)
    }
    this.#members.set(part, members)
    return members
  }
}

// `schema` and `properties` name the lists.
function listIds(reference: string): string[] {
  const steps = reference.split('/').filter((step) => step !== '')
  if (steps[0] === 'schema') return steps.filter((_, at) => at % 2 === 1)
  return steps.filter((step, at) => at % 2 === 0 || step !== 'properties')
}

// The items of an array have no name: their properties are named in the array.
function listObjects(list: Value | undefined): ObjectValue[] {
  if (Array.isArray(list)) return list.filter(isObject)
  return isObject(list) ? listObjects(getField(list, 'properties')) : []
}

function getName(part: ObjectValue): string | undefined {
  return asText(getField(part, 'name')) ?? asText(getField(part, 'physicalName'))
}
