import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readText, type MediaType } from '../text.ts'
import { editText, editTextAtOnce, type TextEdit } from './text-edit.ts'

const YAML = `# First
a: 1 # one
b: {c: 2}
list:
  - x # kept
  - y
z: last
`
const JSON_TEXT = '{ "a": 1, "b": {"c": 2},\n  "list": ["x", "y"], "z": "last" }'

const ORDER = ['a', 'n', 'm', 'b', 'list', 'z']

const ROWS: readonly (readonly [string, readonly TextEdit[]])[] = [
  [
    'values of different members',
    [
      { kind: 'set', path: ['a'], value: 7 },
      { kind: 'set', path: ['b', 'c'], value: 'text' },
      { kind: 'remove', path: ['z'] },
    ],
  ],
  [
    'two new members at the same place',
    [
      { kind: 'set', path: ['n'], value: 'n', order: ORDER },
      { kind: 'set', path: ['m'], value: ['m'], order: ORDER },
      { kind: 'add', path: ['list'], value: 'new' },
    ],
  ],
  [
    'edits inside of each other',
    [
      { kind: 'set', path: ['b'], value: { d: 1 } },
      { kind: 'set', path: ['b', 'd'], value: 2 },
      { kind: 'remove', path: ['list', 0] },
      { kind: 'remove', path: ['list', 0] },
    ],
  ],
  ['none', []],
]

for (const [name, edits] of ROWS) {
  for (const [text, mediaType] of [
    [YAML, 'application/yaml'],
    [JSON_TEXT, 'application/json'],
  ] as const) {
    test(`edits at once › ${name}, ${mediaType}: the values of edits in sequence`, () => {
      const [atOnce, inSequence] = [editTextAtOnce, editText].map((edit) =>
        edit(text, mediaType, edits),
      )
      assert.ok(atOnce?.ok === true && inSequence?.ok === true)
      assert.deepEqual(parse(atOnce.text, mediaType), parse(inSequence.text, mediaType))
      if (text === YAML) assert.match(atOnce.text, /^# First\n/)
    })
  }
}

test('edits at once › a text with errors is not edited', () => {
  assert.equal(editTextAtOnce('a: [', 'application/yaml', []).ok, false)
})

function parse(text: string, mediaType: MediaType): unknown {
  const source = readText(text, mediaType)
  assert.ok(source.ok)
  return source.value
}
