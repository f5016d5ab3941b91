// The equality of models after a round trip through another format. It ignores locations in documents,
// spellings of a platform type with the same meaning, and properties that only one language has.

import { isDeepStrictEqual } from 'node:util'
import { canonicalNumber } from '../formats/text/number.ts'
import { inside } from '../formats/schema/losses.ts'
import type { Field, Model } from '../formats/schema/model.ts'
import { ExactNumber } from '../formats/text/value.ts'

// Traits belong to one language, so no other one can preserve them.
const UNCOUNTED = new Set(['origin', 'physicalType', 'traits'])
const NESTED = new Set(['fields', 'items', 'keys', 'values', 'branches'])

/** Returns whether models are equal, in the same order. */
export function sameModels(before: readonly Model[], after: readonly Model[]): boolean {
  return differingPaths(before, after).length === 0
}

/**
 * Lists the differences of models: `orders` for the model itself, `orders.total` for a field,
 * `orders.lines[]` for the items of an array. Fields of a field whose type differs are not compared.
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

/** Returns models whose primary keys are required, as they are in every export. */
export function withRequiredKeys(models: readonly Model[]): Model[] {
  return models.map((model) => ({
    ...model,
    fields: model.fields.map((field) => ({
      ...field,
      required: field.required || model.primaryKey.includes(field.name),
    })),
  }))
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
  return isDeepStrictEqual(getAttributes(before), getAttributes(withKnownZone(after, before)))
}

// If the time zone was unknown, a format may have to choose one.
function withKnownZone(after: Model | Field, before: Model | Field): Model | Field {
  if (!('logicalType' in after) || 'withTimeZone' in before) return after
  const { withTimeZone: _, ...others } = after
  return others
}

function getAttributes(of: Model | Field): unknown {
  const attributes = Object.entries(of).filter(
    ([name, value]) => !UNCOUNTED.has(name) && !NESTED.has(name) && value !== undefined,
  )
  return comparable(Object.fromEntries(attributes))
}

// Numbers are equal in any spelling, and the locations of quality checks are ignored.
function comparable(value: unknown): unknown {
  if (typeof value === 'number' || value instanceof ExactNumber) return canonicalNumber(value)
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => name !== 'origin')
  return Object.fromEntries(members.map(([name, member]) => [name, comparable(member)]))
}
