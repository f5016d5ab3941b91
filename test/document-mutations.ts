// Mutations of documents: one field removed, replaced, added or garbled. Tests use them to compare our
// verdict with another one.

import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { isObject, type Path, asText, type Value, valueAt } from '../formats/text/value.ts'

const ODD_VALUES: Value[] = [
  null,
  5,
  -1.5,
  true,
  'text',
  '',
  [],
  [1],
  ['a'],
  [1, 1],
  [{ value: 1 }, { value: 1 }],
  {},
  { a: 1 },
  { a: 'b' },
]

const NAMES = ['unknown', 'nmae', 'id', 'deprecated', 'tags', 'info', 'type']

/** Lists the paths of all values in a document, beginning with the document itself. */
export function listPaths(value: Value, path: Path = []): Path[] {
  const inside = Array.isArray(value)
    ? value.flatMap((item, at) => listPaths(item, [...path, at]))
    : isObject(value)
      ? Object.entries(value).flatMap(([name, member]) => listPaths(member, [...path, name]))
      : []
  return [path, ...inside]
}

/** Returns a document with one changed value; undefined removes it. */
export function replaceAt(
  value: Value,
  path: Path,
  change: (value: Value) => Value | undefined,
): Value {
  const [step, ...rest] = path
  if (step === undefined) return change(value) ?? null
  const changed = (member: Value) =>
    rest.length === 0 ? change(member) : replaceAt(member, rest, change)
  if (Array.isArray(value)) {
    return value.flatMap((item, at) => {
      const other = at === step ? changed(item) : item
      return other === undefined ? [] : [other]
    })
  }
  assert.ok(isObject(value))
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, Value][] => {
      const other = name === step ? changed(member) : member
      return other === undefined ? [] : [[name, other]]
    }),
  )
}

/**
 * Generates documents that differ from a document in one place; `words` are texts, and `names` field names,
 * that are likely to matter.
 */
export function mutations(
  document: Value,
  words: readonly string[] = [],
  names: readonly string[] = [],
): fc.Arbitrary<Value> {
  const paths = listPaths(document).filter((path) => path.length > 0)
  const path = fc.constantFrom(...paths)
  const texts = fc.constantFrom(
    ...paths.filter((one) => typeof valueAt(document, one) === 'string'),
  )
  const objects = fc.constantFrom(
    ...listPaths(document).filter((one) => isObject(valueAt(document, one))),
  )
  const name = fc.constantFrom(
    ...NAMES,
    ...names,
    ...paths.flatMap((one) => asText(one.at(-1)) ?? []),
  )
  const odd = fc.constantFrom(...ODD_VALUES, ...words)
  return fc.oneof(
    path.map((one) => replaceAt(document, one, () => undefined)),
    fc.record({ path, odd }).map((one) => replaceAt(document, one.path, () => one.odd)),
    fc.record({ path: objects, name, odd }).map((one) =>
      replaceAt(document, one.path, (object) => {
        assert.ok(isObject(object))
        return Object.fromEntries([...Object.entries(object), [one.name, one.odd]])
      }),
    ),
    fc
      .record({ path: texts, at: fc.nat(40), text: fc.string({ maxLength: 2 }), cut: fc.nat(3) })
      .map(({ path: one, at, text, cut }) =>
        replaceAt(document, one, (old) => {
          const whole = asText(old) ?? ''
          return whole.slice(0, at) + text + whole.slice(at + cut)
        }),
      ),
  )
}
