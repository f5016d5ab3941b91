/** Reads metadata differences (OMDS), to check that they contain what was compared. */

import assert from 'node:assert/strict'
import type { Change } from '../formats/diff/level.ts'
import { asText, getField, isObject, type Value } from '../formats/text/value.ts'

/** A change with its path in OMDS notation instead of a pointer. */
export type ReadChange = Pick<Change, 'kind' | 'level' | 'before' | 'after' | 'message' | 'path'>

const KINDS = new Map<string, Change['kind']>([
  ['ADD', 'added'],
  ['REMOVE', 'removed'],
  ['CHANGE', 'changed'],
])

// A level that is not known is not harmless.
const LEVELS = new Map<string, Change['level']>([
  ['MAJOR', 'breaking'],
  ['MINOR', 'additive'],
  ['PATCH', 'wording'],
  ['UNKNOWN', 'breaking'],
])

/** Reads the changes of a difference; fails if a required field is missing or unknown. */
export function readDifference(document: Value): ReadChange[] {
  for (const [name, value] of [
    ['apiVersion', 'v1.0.0'],
    ['kind', 'MetadataDifference'],
    ['scope', 'all'],
  ] as const)
    assert.equal(getField(document, name), value)
  for (const source of ['source1', 'source2']) {
    for (const name of ['id', 'version']) {
      assert.equal(typeof getField(getField(document, source), name), 'string', `${source}.${name}`)
    }
  }
  const diffs = getField(document, 'diffs')
  assert.ok(Array.isArray(diffs))
  return diffs.map(readEntry)
}

function readEntry(entry: Value): ReadChange {
  assert.ok(isObject(entry))
  const text = (name: string): string => {
    const value = asText(getField(entry, name))
    assert.ok(value !== undefined, `${name} of ${JSON.stringify(entry)}`)
    return value
  }
  const [kind, level] = [KINDS.get(text('type')), LEVELS.get(text('impactLevel'))]
  assert.ok(kind !== undefined && level !== undefined, JSON.stringify(entry))
  const path = text('path')
  assert.equal(text('section'), /^\/((?:"(?:[^"\\]|\\.)*")|[^/[]*)/.exec(path)?.[1])
  text('field')
  const isRenamed =
    kind === 'changed' &&
    path.endsWith(`]/${text('field')}`) &&
    text('message').includes('was renamed')
  return {
    kind: isRenamed ? 'renamed' : kind,
    level,
    before: getField(entry, 'value1') ?? null,
    after: getField(entry, 'value2') ?? null,
    message: text('message'),
    path,
  }
}
