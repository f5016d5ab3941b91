import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { readText, type MediaType, type Path, type Value } from '../text.ts'
import { isObject } from '../value.ts'
import { editText, type TextEdit } from './text-edit.ts'

const YAML = `# The register of orders
apiVersion: v1.0.0 # keep
kind: DataProduct
name:   'Orders'   # what people read
status: "active"
tags:
- sales
-   orders   # second
team:
    name: sales   # the owner
description:
  purpose: |
    Every order,
    as it was placed.

  usage: >-
    Read it
    daily.
# Ports follow
outputPorts:
  - name: orders
    # the version of the port
    version: 1.0.0
  - {name: returns, version: "2"}
empty:
amount: 1.0
`

const edit = (text: string, ...edits: TextEdit[]): string => {
  const type: MediaType = text.trimStart().startsWith('{') ? 'application/json' : 'application/yaml'
  const result = editText(text, type, edits)
  assert.ok(result.ok, `not edited: ${JSON.stringify(edits)}`)
  return result.text
}
const set = (path: Path, value: Value, order?: readonly string[]): TextEdit => ({
  kind: 'set',
  path,
  value,
  ...(order === undefined ? {} : { order }),
})
const add = (path: Path, value: Value): TextEdit => ({ kind: 'add', path, value })
const remove = (...path: Path): TextEdit => ({ kind: 'remove', path })

/** Asserts that an edit replaces one part of a text, and nothing else. */
function assertChange(text: string, change: TextEdit, before: string, after: string): void {
  assert.equal(
    edit(text, change),
    text.replace(before, () => after),
  )
}

test('editText › YAML › preserves quotes, comments and white space of a text', () => {
  assertChange(YAML, set(['name'], "Ada's"), "'Orders'", "'Ada''s'")
  assertChange(YAML, set(['status'], 'draft'), '"active"', '"draft"')
  assertChange(YAML, set(['team', 'name'], 'no'), 'name: sales', 'name: "no"')
})

test('editText › YAML › changes a text to several lines and back', () => {
  assertChange(
    YAML,
    set(['description', 'purpose'], 'One'),
    '|\n    Every order,\n    as it was placed.\n',
    'One\n',
  )
  assertChange(
    YAML,
    set(['description', 'usage'], 'a\n\nb\n'),
    '>-\n    Read it\n    daily.\n',
    '|\n    a\n\n    b\n',
  )
})

test('editText › YAML › adds a field in its customary position, with missing parents', () => {
  assertChange(
    YAML,
    set(['domain'], 'shop', ['name', 'domain', 'tags']),
    'read\n',
    'read\ndomain: shop\n',
  )
  assertChange(
    YAML,
    set(['team', 'description'], 'x'),
    'the owner\n',
    'the owner\n    description: x\n',
  )
  assertChange(YAML, set(['empty'], 'full'), 'empty:', 'empty: full')
  assertChange(YAML, set(['empty', 'a', 'b'], true), 'empty:', 'empty:\n  a:\n    b: true')
  assertChange(
    YAML,
    set(['price', 'unit'], 'EUR'),
    'amount: 1.0\n',
    'amount: 1.0\nprice:\n  unit: EUR\n',
  )
})

test('editText › YAML › adds and removes items, and preserves comments of others', () => {
  assertChange(YAML, add(['tags'], 'new'), '# second\n', '# second\n- new\n')
  assertChange(YAML, remove('tags', 0), '- sales\n', '')
  assertChange(
    YAML,
    add(['outputPorts'], { name: 'c', version: '1' }),
    '"2"}\n',
    '"2"}\n  - name: c\n    version: "1"\n',
  )
  assertChange(YAML, remove('outputPorts', 0, 'name'), '- name: orders', '- ')
  assertChange(YAML, remove('outputPorts', 0, 'version'), '    version: 1.0.0\n', '')
  assertChange(YAML, remove('outputPorts', 1, 'name'), 'name: returns, ', '')
  assertChange(YAML, set(['outputPorts', 1, 'type'], 'table'), '"2"}', '"2", "type": "table"}')
  assertChange(YAML, remove('team', 'name'), '\n    name: sales   # the owner', ' {}   # the owner')
})

test('editText › YAML › expands empty brackets to block style', () => {
  assert.equal(edit('tags: []\nname: a', add(['tags'], 'b')), 'tags:\n  - b\nname: a')
  assert.equal(edit('name: a', set(['tags'], ['b'])), 'name: a\ntags:\n  - b\n')
})

test('editText › YAML › quotes a text of several lines before a comment', () => {
  assertChange(YAML, set(['tags', 1], 'a\nb'), 'orders   #', '"a\\nb"   #')
})

test('editText › YAML › preserves Windows line ends', () => {
  const text = 'name: a\r\ntags:\r\n  - b\r\n'
  assert.equal(edit(text, add(['tags'], 'c')), 'name: a\r\ntags:\r\n  - b\r\n  - c\r\n')
  assert.equal(edit(text, set(['name'], 'z')), text.replace('a\r', 'z\r'))
})

test('editText › YAML › does not change a value that an alias repeats', () => {
  const text = 'a: &x\n  b: 1\nc: *x\n'
  assert.equal(editText(text, 'application/yaml', [set(['a', 'b'], 2)]).ok, false)
  assert.equal(editText(text, 'application/yaml', [set(['c', 'b'], 2)]).ok, false)
  assert.equal(edit(text, set(['c'], 2)), 'a: &x\n  b: 1\nc: 2\n')
})

test('editText › rejects invalid texts with a reason', () => {
  const edited = editText('a: [', 'application/yaml', [set(['a'], 1)])
  assert.equal(edited.ok, false)
  assert.match(edited.ok ? '' : edited.reason, /Fix them first/)
})

const JSON_TEXT = `{
    "name":  "Orders",
    "amount": 1.0,
    "tags": ["a", "b"],
    "team": {},
    "ports": [
        {
            "name": "p"
        }
    ]
}
`

test('editText › JSON › changes values in place', () => {
  assertChange(JSON_TEXT, set(['name'], 'A "b"'), '"Orders"', '"A \\"b\\""')
  assertChange(JSON_TEXT, add(['tags'], 'c'), '"b"]', '"b", "c"]')
  assertChange(JSON_TEXT, remove('tags', 0), '"a", ', '')
  assertChange(JSON_TEXT, remove('amount'), ',\n    "amount": 1.0', '')
  assertChange(
    JSON_TEXT,
    remove('ports', 0),
    '\n        {\n            "name": "p"\n        }\n    ',
    '',
  )
})

test('editText › JSON › adds members in the layout of the text', () => {
  assertChange(JSON_TEXT, set(['team', 'name'], 'x'), '{},', '{\n        "name": "x"\n    },')
  assertChange(
    JSON_TEXT,
    set(['ports', 0, 'version'], '1'),
    '"p"\n',
    '"p",\n            "version": "1"\n',
  )
  assertChange(
    JSON_TEXT,
    add(['ports'], { name: 'q' }),
    '}\n    ]',
    '},\n        {\n            "name": "q"\n        }\n    ]',
  )
  assert.equal(edit('{"a":1}', set(['b'], [1, { c: null }])), '{"a":1,"b":[1,{"c":null}]}')
  assert.equal(edit('{"a":1}', set(['a'], 2)), '{"a":2}')
})

test('editText › renames fields', () => {
  assert.equal(edit('a: 1\n', { kind: 'rename', path: ['a'], name: 'b: c' }), '"b: c": 1\n')
  assert.equal(edit('{"a": 1}', { kind: 'rename', path: ['a'], name: 'b' }), '{"b": 1}')
})

test('editText › edits every position of every document of the demo mesh', () => {
  const files = globSync('examples/mesh/**/*.{json,yaml,yml}').filter((_, at) => at % 9 === 0)
  assert.ok(files.length > 5)
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    const mediaType: MediaType = file.endsWith('.json') ? 'application/json' : 'application/yaml'
    const source = readText(text, mediaType)
    if (!source.ok) continue
    for (const change of listEdits(source.value)) {
      assert.ok(editText(text, mediaType, [change]).ok, `${file}: ${JSON.stringify(change)}`)
    }
  }
})

// One edit of each kind at the first, last and middle positions of a value.
function listEdits(value: Value): TextEdit[] {
  const paths: Path[] = []
  const lists: Path[] = []
  const walk = (here: Value, path: Path): void => {
    if (path.length > 0) paths.push(path)
    if (Array.isArray(here)) {
      lists.push(path)
      here.forEach((item, at) => walk(item, [...path, at]))
    } else if (isObject(here)) {
      lists.push(path)
      for (const [name, one] of Object.entries(here)) walk(one, [...path, name])
    }
  }
  walk(value, [])
  const some = paths.filter((_, at) => at % Math.ceil(paths.length / 8) === 0)
  const values: Value[] = ['x', 'two\nlines\n', ['a', { b: 'c' }], { d: [] }, null]
  return [
    ...some.flatMap((path) => [remove(...path), ...values.map((one) => set(path, one))]),
    ...lists
      .slice(0, 8)
      .flatMap((path) => [set([...path, 'added'], 'y'), add([...path, 'more'], 'z')]),
  ].filter(
    ({ path }) =>
      typeof path.at(-1) === 'number' || !Array.isArray(getValue(value, path.slice(0, -1))),
  )
}

function getValue(value: Value, path: Path): Value | undefined {
  let here: Value | undefined = value
  for (const step of path) {
    here =
      isObject(here) || Array.isArray(here)
        ? (here as Record<string | number, Value>)[step]
        : undefined
  }
  return here
}
