// Proves that every instance of one JSON Schema is an instance of another one. A positive answer is proven; a
// negative one may also mean that no proof was found. Both schemas are in canonical form.

import { appliesTo } from '../schema/json-schema/keywords.ts'
import { getField, isObject, type ObjectValue, type Value } from '../text/value.ts'
import type { Effort } from './effort.ts'
import { areDisjoint, propertySchema } from './json-schema-disjoint.ts'
import {
  type CanonicalSchema,
  toConjuncts,
  isEqual,
  isOpen,
  Premise,
} from './json-schema-premise.ts'
import { provesKeyword } from './json-schema-scalars.ts'

/** The maximum number of steps of one proof. */
const STEPS_MAX = 2000
const DEPTH_MAX = 24
/** The maximum number of nested case distinctions over the branches of a union in one proof. */
const SPLITS_MAX = 2

/**
 * Returns whether it can be proven that every instance of `premise` is an instance of `conclusion`. All proofs of one
 * comparison share an effort; when it is used up, nothing more is proven.
 */
export function implies(
  premise: CanonicalSchema,
  conclusion: CanonicalSchema,
  effort: Effort,
): boolean {
  return new Prover(effort).proves(premise, conclusion)
}

/**
 * Returns whether the open content of an object, or the items of a list, stay within what was allowed: names that
 * match no property of `conclusion`, and positions.
 */
export function impliesOpenContent(
  premise: CanonicalSchema,
  conclusion: ObjectValue,
  options: { areNewPropertiesAllowed: boolean },
  effort: Effort,
): boolean {
  return new Prover(effort).provesOpenContent(new Premise(premise), conclusion, options)
}

class Prover {
  readonly #effort: Effort
  readonly #end: number
  #depth = 0

  constructor(effort: Effort) {
    this.#effort = effort
    this.#end = Math.max(0, effort.stepsLeft - STEPS_MAX)
  }

  proves(premise: CanonicalSchema, conclusion: CanonicalSchema, splitsLeft = SPLITS_MAX): boolean {
    if (conclusion === true || premise === false) return true
    this.#effort.stepsLeft -= 1
    if (this.#effort.stepsLeft < this.#end || this.#depth > DEPTH_MAX) return false
    if (isEqual(premise, conclusion) && !isOpen(premise)) return true
    this.#depth += 1
    const isProven = this.#provesAll(premise, conclusion, splitsLeft)
    this.#depth -= 1
    return isProven
  }

  #provesAll(premise: CanonicalSchema, conclusion: CanonicalSchema, splitsLeft: number): boolean {
    const given = new Premise(premise)
    if (given.types.size === 0) return true
    if (this.#provesConjuncts(given, premise, conclusion)) return true
    if (splitsLeft === 0) return false
    const cases = listCases(given, premise)
    return cases?.every((one) => this.proves(one, conclusion, splitsLeft - 1)) === true
  }

  #provesConjuncts(given: Premise, premise: CanonicalSchema, conclusion: CanonicalSchema): boolean {
    if (conclusion === false) return false
    return toConjuncts(conclusion).every((one) => this.#provesConjunct(given, premise, one))
  }

  #provesConjunct(given: Premise, premise: CanonicalSchema, conclusion: ObjectValue): boolean {
    const isUnevaluated = Object.keys(conclusion).some((name) => name.startsWith('unevaluated'))
    if (isUnevaluated) return false
    const types = [...given.types]
    return Object.keys(conclusion).every(
      (keyword) =>
        !appliesTo(keyword, types) || this.#provesOne(given, premise, conclusion, keyword),
    )
  }

  #provesOne(
    given: Premise,
    premise: CanonicalSchema,
    conclusion: ObjectValue,
    keyword: string,
  ): boolean {
    const value = getField(conclusion, keyword) ?? true
    const isScalar = provesKeyword(given, keyword, value)
    if (isScalar !== undefined) return isScalar
    switch (keyword) {
      case 'properties':
        return this.#provesProperties(given, value)
      case 'patternProperties':
      case 'additionalProperties':
        return this.provesOpenContent(given, conclusion, { areNewPropertiesAllowed: false })
      case 'prefixItems':
      case 'items':
        return this.#provesItems(given, conclusion)
      case 'propertyNames':
        return given.all(keyword).some((one) => this.proves(one, value))
      case 'contains':
        return this.#provesContains(given, conclusion)
      case 'dependentSchemas':
        return this.#provesDependent(given, premise, value)
      case 'not':
        return this.#provesNot(given, premise, value)
      case 'anyOf':
        return branches(value).some((branch) => this.proves(premise, branch, 0))
      case 'oneOf':
        return this.#provesOneOf(given, premise, value)
      case 'if':
        return this.#provesCondition(given, premise, conclusion)
      // These only count together with another keyword.
      case 'then':
      case 'else':
      case 'minContains':
      case 'maxContains':
        return true
      default:
        return given.all(keyword).some((one) => isEqual(one, value) && !isOpen({ [keyword]: one }))
    }
  }

  #provesProperties(given: Premise, properties: Value): boolean {
    if (!isObject(properties)) return false
    return Object.entries(properties).every(([name, schema]) =>
      this.proves(propertySchema(given, name), schema),
    )
  }

  /** Proves `patternProperties` and `additionalProperties`. */
  provesOpenContent(
    given: Premise,
    conclusion: ObjectValue,
    options: { areNewPropertiesAllowed: boolean },
  ): boolean {
    const patterns = schemasByName(conclusion, 'patternProperties')
    const arePatternsKept = [...patterns].every(([pattern, schema]) =>
      given.conjuncts.some((one) => this.#keepsPattern(one, pattern, schema)),
    )
    const additional = getField(conclusion, 'additionalProperties') ?? true
    if (!arePatternsKept || additional === true) return arePatternsKept
    const names = schemasByName(conclusion, 'properties')
    return given.conjuncts.some((one) => {
      const properties = options.areNewPropertiesAllowed ? [] : schemasByName(one, 'properties')
      const others = [...properties].filter(([name]) => !names.has(name))
      const patterned = [...schemasByName(one, 'patternProperties')]
      const inner = [...others, ...patterned.filter(([pattern]) => !patterns.has(pattern))]
      const rest = getField(one, 'additionalProperties') ?? true
      return [...inner.map(([, schema]) => schema), rest].every((schema) =>
        this.proves(schema, additional),
      )
    })
  }

  // Patterns are not executed, so any name may match one.
  #keepsPattern(given: ObjectValue, pattern: string, schema: CanonicalSchema): boolean {
    const patterns = schemasByName(given, 'patternProperties')
    const same = patterns.get(pattern)
    if (same !== undefined && this.proves(same, schema)) return true
    const named = [...schemasByName(given, 'properties').values(), ...patterns.values()]
    const rest = getField(given, 'additionalProperties') ?? true
    return [...named, rest].every((one) => this.proves(one, schema))
  }

  #provesItems(given: Premise, conclusion: ObjectValue): boolean {
    const prefix = branches(getField(conclusion, 'prefixItems'))
    const rest = getField(conclusion, 'items') ?? true
    const lengths = given.all('prefixItems').map((list) => branches(list).length)
    const last = Math.max(prefix.length, ...lengths)
    for (let at = 0; at <= last; at += 1) {
      const known = given.conjuncts.map(
        (one) => branches(getField(one, 'prefixItems'))[at] ?? getField(one, 'items') ?? true,
      )
      if (!this.proves(toConjunction(known), prefix[at] ?? rest)) return false
    }
    return true
  }

  #provesContains(given: Premise, conclusion: ObjectValue): boolean {
    const { contains = true, minContains = 1, maxContains } = conclusion
    if (minContains === 0 && maxContains === undefined) return true
    return given.conjuncts.some((one) => {
      const own = getField(one, 'contains')
      if (own === undefined || !this.proves(own, contains)) return false
      const [least, most] = [getField(one, 'minContains') ?? 1, getField(one, 'maxContains')]
      if (Number(least) < Number(minContains)) return false
      if (maxContains === undefined) return true
      return this.proves(contains, own) && most !== undefined && Number(most) <= Number(maxContains)
    })
  }

  #provesDependent(given: Premise, premise: CanonicalSchema, schemas: Value): boolean {
    if (!isObject(schemas)) return false
    return Object.entries(schemas).every(
      ([name, schema]) =>
        given
          .all('dependentSchemas')
          .some((one) => this.proves(getField(one, name) ?? true, schema)) ||
        this.proves(premise, schema, 0),
    )
  }

  #provesNot(given: Premise, premise: CanonicalSchema, forbidden: CanonicalSchema): boolean {
    const isForbidden = given.all('not').some((one) => this.proves(forbidden, one))
    return isForbidden || areDisjoint(premise, forbidden, this.#effort)
  }

  // Exactly one branch holds if one follows from the premise and the others exclude it.
  #provesOneOf(given: Premise, premise: CanonicalSchema, value: Value): boolean {
    if (given.all('oneOf').some((one) => isEqual(one, value) && !isOpen(one))) return true
    const all = branches(value)
    const chosen = all.findIndex((branch) => this.proves(premise, branch, 0))
    if (chosen === -1) return false
    return all.every((branch, at) => at === chosen || areDisjoint(premise, branch, this.#effort))
  }

  #provesCondition(given: Premise, premise: CanonicalSchema, conclusion: ObjectValue): boolean {
    const { if: condition = true, then: yes = true, else: no = true } = conclusion
    const isKept = given.conjuncts.some((one) => {
      const own = getField(one, 'if')
      if (own === undefined || !isEqual(own, condition) || isOpen(own)) return false
      return (
        this.proves(getField(one, 'then') ?? true, yes) &&
        this.proves(getField(one, 'else') ?? true, no)
      )
    })
    return isKept || (this.proves(premise, yes, 0) && this.proves(premise, no, 0))
  }
}

/** Returns cases that together cover every instance of the premise; undefined if there is only one. */
function listCases(given: Premise, premise: CanonicalSchema): CanonicalSchema[] | undefined {
  for (const [at, conjunct] of given.conjuncts.entries()) {
    for (const keyword of ['anyOf', 'oneOf']) {
      const list = getField(conjunct, keyword)
      if (!Array.isArray(list)) continue
      const { [keyword]: _, ...own } = conjunct
      const others = given.conjuncts.filter((_, other) => other !== at)
      return list.map((branch) => ({ allOf: [branch, own, ...others] }))
    }
  }
  const types = [...given.types].filter((type) => type !== 'integer' || !given.types.has('number'))
  return types.length > 1 ? types.map((type) => ({ allOf: [{ type }, premise] })) : undefined
}

function schemasByName(schema: ObjectValue, keyword: string): Map<string, CanonicalSchema> {
  const schemas = getField(schema, keyword)
  return new Map(isObject(schemas) ? Object.entries(schemas) : [])
}

function branches(value: Value | undefined): CanonicalSchema[] {
  return Array.isArray(value) ? value : []
}

function toConjunction(schemas: readonly CanonicalSchema[]): CanonicalSchema {
  const [only = true, ...others] = schemas.filter((schema) => schema !== true)
  return others.length === 0 ? only : { allOf: [only, ...others] }
}
