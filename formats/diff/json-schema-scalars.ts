// Proves keywords of a JSON Schema that contain no other schema from those of another schema.

import { canonicalText } from '../shape/canonical.ts'
import { any } from '../shape/shape.ts'
import { ExactNumber, getField, isObject, type Value } from '../text/value.ts'
import { compareValues, isMultiple } from './exact.ts'
import { isEqual, type Premise, toCanonicalTexts, getJsonType } from './json-schema-premise.ts'
import { compareFormats } from './verdict.ts'

/** Returns whether every instance of the premise satisfies a keyword; undefined for keywords that contain schemas. */
export function provesKeyword(
  premise: Premise,
  keyword: string,
  value: Value,
): boolean | undefined {
  const values = premise.values()
  const isKept = values?.every((one) => keepsKeyword(one, keyword, value) === true)
  if (isKept === true) return true
  switch (keyword) {
    case 'type':
      return premise.types.isSubsetOf(typeSet(value))
    case 'enum':
      return isWithin(premise, Array.isArray(value) ? value : [])
    case 'required': {
      const names = premise.union(keyword)
      return Array.isArray(value) && value.every((name) => names.has(name))
    }
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return provesBound(premise, keyword, value)
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return premise.all(keyword).some((one) => isAtLeast(one, value))
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return premise.all(keyword).some((one) => isAtLeast(value, one))
    case 'uniqueItems':
      return premise.all(keyword).includes(true)
    case 'multipleOf':
      return provesMultiple(premise, value)
    case 'format':
      return premise.all(keyword).some((one) => isFormatWithin(one, value))
    case 'dependentRequired':
      return isObject(value) && provesDependent(premise, value)
    case 'pattern':
    case 'contentEncoding':
    case 'contentMediaType':
      return premise.all(keyword).some((one) => isEqual(one, value))
    default:
      return undefined
  }
}

/** Returns the types of a `type` keyword; `number` includes `integer`. */
function typeSet(value: Value): ReadonlySet<string> {
  const types = (Array.isArray(value) ? value : [value]).map(String)
  return new Set(types.includes('number') ? [...types, 'integer'] : types)
}

function isWithin(premise: Premise, allowed: readonly Value[]): boolean {
  const given = premise.values() ?? finiteValues(premise.types)
  const texts = toCanonicalTexts(allowed)
  return given?.every((value) => texts.has(canonicalText(value, any))) === true
}

function finiteValues(types: ReadonlySet<string>): Value[] | undefined {
  const isFinite = types.isSubsetOf(new Set(['null', 'boolean']))
  if (!isFinite) return undefined
  return [...(types.has('null') ? [null] : []), ...(types.has('boolean') ? [true, false] : [])]
}

function provesBound(premise: Premise, keyword: string, value: Value): boolean {
  const isLower = keyword.endsWith('inimum')
  const sign = isLower ? 1 : -1
  const [closed, open] = isLower ? ['minimum', 'exclusiveMinimum'] : ['maximum', 'exclusiveMaximum']
  const beyond = (name: string, least: 0 | 1): boolean =>
    premise.all(name).some((one) => {
      const order = compareValues(one, value)
      return order !== undefined && order * sign >= least
    })
  return beyond(open, 0) || beyond(closed, keyword === closed ? 0 : 1)
}

function isAtLeast(one: Value, other: Value): boolean {
  return (compareValues(one, other) ?? -1) >= 0
}

function isFormatWithin(given: Value, allowed: Value): boolean {
  if (typeof given !== 'string' || typeof allowed !== 'string') return isEqual(given, allowed)
  const verdict = compareFormats(allowed, given)
  return verdict === 'same' || verdict === 'narrower'
}

function provesDependent(premise: Premise, lists: { [name: string]: Value }): boolean {
  const required = premise.union('required')
  return Object.entries(lists).every(([name, list]) => {
    const given = premise.all('dependentRequired').flatMap((one) => getField(one, name) ?? [])
    const known = new Set([...required, ...given])
    return Array.isArray(list) && list.every((needed) => known.has(needed))
  })
}

function provesMultiple(premise: Premise, value: Value): boolean {
  if (isEqual(value, 1) && !premise.types.has('number')) return true
  return premise.all('multipleOf').some((one) => isMultiple(one, value))
}

// Undefined if the keyword cannot be checked here.
function keepsKeyword(value: Value, keyword: string, limit: Value): boolean | undefined {
  const isNumber = typeof value === 'number' || value instanceof ExactNumber
  switch (keyword) {
    case 'type':
      return typeSet(limit).has(getJsonType(value))
    case 'minLength':
      return typeof value !== 'string' || isAtLeast(countCharacters(value), limit)
    case 'maxLength':
      return typeof value !== 'string' || isAtLeast(limit, countCharacters(value))
    case 'minimum':
      return !isNumber || isAtLeast(value, limit)
    case 'maximum':
      return !isNumber || isAtLeast(limit, value)
    case 'multipleOf':
      return !isNumber || isMultiple(value, limit)
    default:
      return undefined
  }
}

// JSON Schema counts code points, some of which have two code units.
function countCharacters(text: string): number {
  return Array.from(text).length
}
