// The parts of a JSON Schema that apply to an object, and their conditions.

import { getField, isObject, type ObjectValue, type Value } from '../text/value.ts'
import type { FieldRule } from './shape.ts'

/** A part of a schema, and its address in overlays. */
export interface Part {
  node: ObjectValue
  address: string
}

/** Everything that applies to an object. */
export interface Merged {
  fields: Map<string, Part[]>
  required: Set<string>
  /** Sets of names; a field must be in all of them. */
  limits: ReadonlySet<string>[]
  /** By their messages. */
  rules: Map<string, FieldRule>
  forbidden: Set<string>
}

/** Appends a field to an address. */
export function joinAddress(address: string, name: string): string {
  return address === '' ? name : `${address}.${name}`
}

/** Returns the fields of an object by name, required ones first. */
export function listFields({ node, address }: Part): Map<string, Part[]> {
  const properties = Object.entries(isObject(node['properties']) ? node['properties'] : {})
  const required = listTexts(node['required'])
  const ordered = properties.toSorted(
    ([a], [b]) => Number(required.includes(b)) - Number(required.includes(a)),
  )
  return new Map(
    ordered.map(([name, inner]) => [
      name,
      isObject(inner) ? [{ node: inner, address: joinAddress(address, name) }] : [],
    ]),
  )
}

/** Adds fields to an object. */
export function addFields(merged: Merged, fields: Merged['fields']): void {
  for (const [name, parts] of fields) {
    merged.fields.set(name, [...(merged.fields.get(name) ?? []), ...parts])
  }
}

/** Adds everything that applies to another object. */
export function absorb(merged: Merged, inner: Merged): void {
  addFields(merged, inner.fields)
  for (const name of inner.required) merged.required.add(name)
  for (const name of inner.forbidden) merged.forbidden.add(name)
  for (const [message, rule] of inner.rules) merged.rules.set(message, rule)
  merged.limits.push(...inner.limits)
}

/** Whether a value meets a condition. */
type Test = (value: ObjectValue) => boolean

/** Compiles a condition. A condition on a field that is required anyway is not met if the field is missing. */
export function toTest(condition: Value | undefined, required: ReadonlySet<string>): Test {
  const alternatives = listObjects(getField(condition, 'anyOf'))
  if (alternatives.length > 0) {
    const tests = alternatives.map((one) => toTest(one, required))
    return (value) => tests.some((test) => test(value))
  }
  const names = new Set([...required, ...listTexts(getField(condition, 'required'))])
  const properties = getField(condition, 'properties')
  const tests = Object.entries(isObject(properties) ? properties : {}).map(
    ([name, expected]): Test => {
      const allowed = listAllowed(expected)
      return (value) => {
        const actual = getField(value, name)
        if (actual === undefined) return !names.has(name)
        return typeof actual === 'string' && (allowed.length === 0 || allowed.includes(actual))
      }
    },
  )
  return (value) => tests.every((test) => test(value))
}

/** Returns a function that numbers values; values of the same number meet the same conditions. */
export function classify(conditions: readonly (Value | undefined)[]) {
  const constants = new Map<string, Map<string, number>>()
  const collect = (condition: Value | undefined): void => {
    listObjects(getField(condition, 'anyOf')).forEach(collect)
    const properties = getField(condition, 'properties')
    for (const [name, expected] of Object.entries(isObject(properties) ? properties : {})) {
      const numbers = constants.get(name) ?? new Map<string, number>()
      for (const text of listAllowed(expected))
        numbers.set(text, numbers.get(text) ?? numbers.size + 3)
      constants.set(name, numbers)
    }
  }
  conditions.forEach(collect)
  return (value: ObjectValue): number => {
    let key = 0
    for (const [name, numbers] of constants) {
      const actual = getField(value, name)
      const other = actual === undefined ? 0 : 1
      const number = typeof actual === 'string' ? (numbers.get(actual) ?? 2) : other
      key = key * (numbers.size + 3) + number
    }
    return key
  }
}

/**
 * Writes alternative objects with different values of the field `type` as parts with a condition on that field;
 * undefined if they are not such objects.
 */
export function toConditions(alternatives: readonly ObjectValue[]): ObjectValue | undefined {
  const types = alternatives.map((one) => getField(one['properties'], 'type'))
  const allowed = types.map(listAllowed)
  if (allowed.some((one) => one.length === 0)) return undefined
  return {
    type: 'object',
    properties: { type: { type: 'string', enum: allowed.flat() } },
    required: ['type'],
    allOf: alternatives.map((one, at) => ({
      ...one,
      if: { properties: { type: types[at] ?? {} }, required: ['type'] },
    })),
  }
}

/** Returns the only values that a text may have; empty = any. */
export function listAllowed(node: Value | undefined): string[] {
  const constant = getField(node, 'const')
  return listTexts(getField(node, 'enum') ?? (constant === undefined ? [] : [constant]))
}

/** Returns the objects of a list. */
export function listObjects(value: Value | undefined): ObjectValue[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Returns the texts of a list. */
export function listTexts(value: Value | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
