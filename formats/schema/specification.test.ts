import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Notes } from '../text/problem.ts'
import { type MediaType, readText } from '../text/text.ts'
import { valueAt, type Path } from '../text/value.ts'
import { Specification } from './specification.ts'

const PATH: Path = ['schema', 'specification']

function specificationIn(text: string, mediaType: MediaType) {
  const source = readText(text, mediaType)
  assert.ok(source.ok, JSON.stringify(source))
  const notes = new Notes(source)
  const specification = new Specification(valueAt(source.value, PATH) ?? null, PATH, notes)
  return { specification, notes, lines: text.split('\n') }
}

/** Returns the text of the document from the location of each warning to the end of the line. */
function pointedAt({ notes, lines }: ReturnType<typeof specificationIn>): string[] {
  return notes.warnings.map(({ line, column }) => lines[line - 1]?.slice(column - 1) ?? '')
}

test('a warning › of a specification that is written out points to its part', () => {
  const given = specificationIn('schema:\n  specification:\n    a: [1, 2]\n', 'application/yaml')
  assert.deepEqual(given.specification.value(), { a: [1, 2] })
  given.specification.warning(['a', 1], 'Odd.')
  assert.deepEqual(given.notes.warnings, [
    { field: 'schema.specification.a[1]', message: 'Odd.', line: 3, column: 12 },
  ])
  assert.equal(given.specification.origin(['a', 1]), '/schema/specification/a/1')
})

test('a warning › of JSON in JSON points into the document', () => {
  const inner = '{"a": "é\\n", "b": [\n1, {"c": 2}]}'
  const outer = JSON.stringify({ schema: { specification: inner } }, null, 1)
  const given = specificationIn(outer, 'application/json')
  assert.deepEqual(given.specification.value(), { a: 'é\n', b: [1, { c: 2 }] })
  given.specification.warning(['b', 1, 'c'], 'Odd.')
  given.specification.warning(['b'], 'Odd.')
  assert.deepEqual(pointedAt(given), [
    String.raw`\"c\": 2}]}"`,
    String.raw`\"b\": [\n1, {\"c\": 2}]}"`,
  ])
  assert.equal(given.notes.warnings[0]?.field, 'schema.specification.b[1].c')
  assert.equal(given.specification.origin(['b']), '/schema/specification')
})

test('a warning › of YAML in JSON points into the document', () => {
  const outer = JSON.stringify({ schema: { specification: 'models:\n  - name: x\n    age: 1\n' } })
  const given = specificationIn(outer, 'application/json')
  assert.deepEqual(given.specification.value(), { models: [{ name: 'x', age: 1 }] })
  given.specification.warning(['models', 0, 'age'], 'Odd.')
  assert.deepEqual(pointedAt(given), [String.raw`age: 1\n"}}`])
})

test('a warning › of JSON in YAML points into the document, however the text is written', () => {
  for (const outer of [
    'schema:\n  specification: |\n    {"a": 1,\n     "b": [2]}\n',
    'schema:\n  specification: \'{"a": 1, "b": [2]}\'\n',
    'schema:\n  specification: >-\n    {"a": 1,\n\n    "b": [2]}\n',
    'schema:\n  specification: "{\\"a\\": 1,\\n \\"b\\": [2]}"\n',
    'x: &x "{\\"a\\": 1, \\\n  \\"b\\": [2]}"\nschema: {specification: *x}\n',
  ]) {
    const given = specificationIn(outer, 'application/yaml')
    assert.deepEqual(given.specification.value(), { a: 1, b: [2] })
    given.specification.warning(['b'], 'Odd.')
    given.specification.warning(['b', 0], 'Odd.')
    const [b = '', two = ''] = pointedAt(given)
    assert.match(b, /^\\?"b\\?": \[2\]\}/)
    assert.match(two, /^2\]\}/)
  }
})

test('a warning › of SQL in YAML points into the document', () => {
  const sql = 'create table t (\n  a int,\n  b frob\n);'
  const outer = `schema:\n  specification: |\n${sql.replace(/^/gm, '    ')}\n`
  const given = specificationIn(outer, 'application/yaml')
  given.specification.warningAt(sql.indexOf('frob'), 'Odd.')
  assert.deepEqual(pointedAt(given), ['frob'])
  assert.deepEqual(given.notes.warnings[0]?.line, 5)
})

test('a warning › of a truncated text points to its end', () => {
  const json = JSON.stringify({ schema: { specification: '{"a": 1,\n "b": nope]' } }, null, 2)
  const given = specificationIn(json, 'application/json')
  assert.equal(given.specification.value(), undefined)
  assert.deepEqual(pointedAt(given), ['nope]"'])

  const yaml = specificationIn(
    'schema:\n  specification: |\n    a: 1\n    b: @x\n',
    'application/yaml',
  )
  assert.equal(yaml.specification.value(), undefined)
  assert.deepEqual(pointedAt(yaml), ['@x'])
})

test('a warning › of a specification without a text, or of an offset after its end, has a location', () => {
  const given = specificationIn('{"schema": {"specification": "x"}}', 'application/json')
  given.specification.warningAt(100, 'Odd.')
  assert.deepEqual(pointedAt(given), ['"}}'])
  const nothing = specificationIn('{"schema": {}}', 'application/json')
  assert.equal(nothing.specification.value(), null)
  nothing.specification.warning(['x'], 'Odd.')
  assert.deepEqual(pointedAt(nothing), ['"schema": {}}'])
})

test('a specification › may be YAML that begins with a bracket', () => {
  const outer = JSON.stringify({ schema: { specification: '[{type: record,\n name: R}]' } })
  const given = specificationIn(outer, 'application/json')
  assert.deepEqual(given.specification.value(), [{ type: 'record', name: 'R' }])
  given.specification.warning([0, 'name'], 'Odd.')
  assert.deepEqual(pointedAt(given), ['name: R}]"}}'])

  const broken = specificationIn('{"schema": {"specification": "[{a: b: c"}}', 'application/json')
  assert.equal(broken.specification.value(), undefined)
  assert.match(broken.notes.warnings[0]?.message ?? '', /double quotes/)
})
