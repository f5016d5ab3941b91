// When two models are the same for a round trip through another format: where they stand in their documents does not
// count, nor how a platform spells a type whose meaning is the same, nor the properties that only one language has.

import { isDeepStrictEqual } from 'node:util'
import { canonicalNumber } from '../formats/text/number.ts'
import { inside } from '../formats/schema/losses.ts'
import type { Field, Model } from '../formats/schema/model.ts'
import { ExactNumber } from '../formats/text/value.ts'

// Traits belong to one language, so that no other one can keep them.
const UNCOUNTED = new Set(['origin', 'physicalType', 'traits'])
const NESTED = new Set(['fields', 'items', 'keys', 'values', 'branches'])

/** Tells whether models say the same, in the same order. */
export function sameModels(before: readonly Model[], after: readonly Model[]): boolean {
  return differingPaths(before, after).length === 0
}

/**
 * Lists where models differ: `orders` for what the model itself says, `orders.total` for a field, `orders.lines[]`
 * for what an array holds; the fields of a field that has changed its type are not looked at.
 */
export function differingPaths(before: readonly Model[], after: readonly Model[]): string[] {
  const paths: string[] = []
  for (let at = 0; at < Math.max(before.length, after.length); at += 1) {
    const [old, young] = [before[at], after[at]]
    if (old === undefined || young === undefined) {
      paths.push((old ?? young)?.name ?? '')
      continue
    }
    if (!sameAttributes(old, young)) paths.push(old.name)
    compareFields(old.fields, young.fields, old.name, paths)
  }
  return paths
}

function compareFields(
  before: readonly Field[],
  after: readonly Field[],
  parent: string,
  paths: string[],
): void {
  for (let at = 0; at < Math.max(before.length, after.length); at += 1) {
    const [old, young] = [before[at], after[at]]
    if (old?.name !== young?.name) paths.push(`${parent}.${old?.name ?? young?.name ?? ''}`)
    else compareField(old, young, `${parent}.${old?.name ?? ''}`, paths)
  }
}

function compareField(
  before: Field | undefined,
  after: Field | undefined,
  path: string,
  paths: string[],
): void {
  if (before === undefined || after === undefined) {
    if (before !== after) paths.push(path)
    return
  }
  if (!sameAttributes(before, after)) paths.push(path)
  if (before.logicalType !== after.logicalType) return
  compareFields(before.fields ?? [], after.fields ?? [], path, paths)
  compareFields(before.branches ?? [], after.branches ?? [], path, paths)
  compareField(unnamed(before.items), unnamed(after.items), inside.items(path), paths)
  compareField(unnamed(before.keys), unnamed(after.keys), inside.keys(path), paths)
  compareField(unnamed(before.values), unnamed(after.values), inside.values(path), paths)
}

function unnamed(field: Field | undefined): Field | undefined {
  return field === undefined ? undefined : { ...field, name: '' }
}

function sameAttributes(before: Model | Field, after: Model | Field): boolean {
  return isDeepStrictEqual(attributesOf(before), attributesOf(withKnownZone(after, before)))
}

// Where the time zone was unknown, a format may have to choose one.
function withKnownZone(after: Model | Field, before: Model | Field): Model | Field {
  if (!('logicalType' in after) || 'withTimeZone' in before) return after
  const { withTimeZone: _, ...others } = after
  return others
}

function attributesOf(of: Model | Field): unknown {
  const attributes = Object.entries(of).filter(
    ([name, value]) => !UNCOUNTED.has(name) && !NESTED.has(name) && value !== undefined,
  )
  return comparable(Object.fromEntries(attributes))
}

// Numbers are equal however they are spelled, and the quality checks' places do not count either.
function comparable(value: unknown): unknown {
  if (typeof value === 'number' || value instanceof ExactNumber) return canonicalNumber(value)
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => name !== 'origin')
  return Object.fromEntries(members.map(([name, member]) => [name, comparable(member)]))
}
