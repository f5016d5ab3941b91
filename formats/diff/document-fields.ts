// Differences of documents that the catalog itself defines: one for each field of the document.

import { canonicalText } from '../shape/canonical.ts'
import { any, type ObjectShape } from '../shape/shape.ts'
import { getField, isObject, type Value } from '../text/value.ts'
import type { Change } from './level.ts'

/** The properties of a kind of document that its differences depend on. */
export interface FieldDiffOptions {
  shape: ObjectShape
  /** The kind in messages: `team`. */
  called: string
  /** The fields that decide who may do what. Changes of other fields are documentation. */
  decidesPermissions: (field: string) => boolean
}

/** Returns the differences between two documents by meaning, one for each field, sorted by name. */
export function diffFields(before: Value, after: Value, options: FieldDiffOptions): Change[] {
  const names = new Set([...listNames(before), ...listNames(after)])
  return [...names]
    .toSorted()
    .flatMap((name) => diffField(name, getField(before, name), getField(after, name), options))
}

function diffField(
  name: string,
  before: Value | undefined,
  after: Value | undefined,
  { shape, called, decidesPermissions }: FieldDiffOptions,
): Change[] {
  const toMeaning = (value: Value | undefined): string | undefined =>
    value === undefined ? undefined : canonicalText(value, shape.fields.get(name) ?? any)
  if (toMeaning(before) === toMeaning(after)) return []
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
  const level = decidesPermissions(name) ? 'additive' : 'wording'
  const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const message = `The ${name} of the ${called} was ${kind}.`
  return [{ path, kind, level, before: before ?? null, after: after ?? null, message }]
}

function listNames(value: Value): string[] {
  return isObject(value) ? Object.keys(value) : []
}
