// Collects the facts about an instance that is valid under a JSON Schema in canonical form.

import { canonicalText } from '../shape/canonical.ts'
import { any } from '../shape/shape.ts'
import { JSON_TYPES } from '../schema/json-schema/keywords.ts'
import { ExactNumber, getField, isObject, type ObjectValue, type Value } from '../text/value.ts'

/** A schema whose references are resolved; `true` and `false` allow everything and nothing. */
export type CanonicalSchema = Value

const CONJUNCTS_MAX = 200
const DEPTH_MAX = 8

/** The schemas that all apply to an instance, and the types that it may have. */
export class Premise {
  readonly conjuncts: readonly ObjectValue[]
  readonly types: ReadonlySet<string>

  constructor(schema: CanonicalSchema) {
    this.conjuncts = toConjuncts(schema)
    this.types = resolveTypes(schema, 0)
  }

  /** Returns the values of a keyword in all schemas that have it. */
  all(keyword: string): Value[] {
    return this.conjuncts.flatMap((schema) => {
      const value = getField(schema, keyword)
      return value === undefined ? [] : [value]
    })
  }

  /** Returns the members of the lists of a keyword in all schemas. */
  union(keyword: string): ReadonlySet<Value> {
    return new Set(this.all(keyword).flatMap((list) => (Array.isArray(list) ? list : [])))
  }

  /** Returns the values that an instance can have; undefined if they are not listed. */
  values(): readonly Value[] | undefined {
    const lists = this.all('enum').filter((list) => Array.isArray(list))
    const [first] = lists.toSorted((a, b) => a.length - b.length)
    return first?.filter((value) => this.types.has(getJsonType(value)))
  }
}

/** Returns the schemas that must all apply, with nested `allOf` flattened. */
export function toConjuncts(schema: CanonicalSchema): ObjectValue[] {
  const conjuncts: ObjectValue[] = []
  const pending: Value[] = [schema]
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    if (one === false) conjuncts.push({ not: true })
    if (!isObject(one) || conjuncts.length >= CONJUNCTS_MAX) continue
    const { allOf, ...own } = one
    if (Object.keys(own).length > 0) conjuncts.push(own)
    if (Array.isArray(allOf)) pending.push(...allOf)
  }
  return conjuncts
}

const ALL_TYPES: ReadonlySet<string> = new Set(JSON_TYPES)

// `number` counts as both `integer` and `number`, so that the sets can be intersected.
function resolveTypes(schema: CanonicalSchema, depth: number): ReadonlySet<string> {
  if (schema === false) return new Set()
  if (!isObject(schema) || depth > DEPTH_MAX) return ALL_TYPES
  let types = ALL_TYPES
  for (const one of toConjuncts(schema)) {
    for (const narrower of [listedTypes(one), valueTypes(one), branchTypes(one, depth)]) {
      if (narrower !== undefined) types = types.intersection(narrower)
    }
    if (getField(one, 'not') === true) return new Set()
  }
  return types
}

/** Returns the types that `type` allows; undefined if it is missing or invalid. */
function listedTypes(schema: Value): ReadonlySet<string> | undefined {
  const type = getField(schema, 'type')
  if (type === undefined) return undefined
  const listed = Array.isArray(type) ? type : [type]
  if (!listed.every((one) => typeof one === 'string' && ALL_TYPES.has(one))) return undefined
  const names = listed.map(String)
  return new Set(names.includes('number') ? [...names, 'integer'] : names)
}

function valueTypes(schema: ObjectValue): ReadonlySet<string> | undefined {
  const values = getField(schema, 'enum')
  return Array.isArray(values) ? new Set(values.map(getJsonType)) : undefined
}

function branchTypes(schema: ObjectValue, depth: number): ReadonlySet<string> | undefined {
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = getField(schema, keyword)
    if (!Array.isArray(branches)) continue
    return new Set(branches.flatMap((branch) => [...resolveTypes(branch, depth + 1)]))
  }
  return undefined
}

/** Returns the type of a value; a number without a fraction is an integer. */
export function getJsonType(value: Value): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (isObject(value)) return 'object'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (!(value instanceof ExactNumber)) return typeof value
  return Number.isInteger(Number(value.text)) && /^-?\d+$/.test(value.text) ? 'integer' : 'number'
}

/** Returns whether two values are equal. */
export function isEqual(a: Value | undefined, b: Value | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a === b || canonicalText(a, any) === canonicalText(b, any)
}

/** Returns the canonical texts of values for lookups. */
export function toCanonicalTexts(values: readonly Value[]): ReadonlySet<string> {
  return new Set(values.map((value) => canonicalText(value, any)))
}

/** Returns whether a schema refers to one that contains it, so that its text does not show its whole meaning. */
export function isOpen(schema: CanonicalSchema): boolean {
  return canonicalText(schema, any).includes('"$ref":"^')
}
