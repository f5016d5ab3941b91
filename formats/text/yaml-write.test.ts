import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyText } from '../../test/any-text.ts'
import { parse } from 'yaml'
import { convertToJson, jsonText, readText, type SourceText, convertToYaml } from './text.ts'

function read(text: string, mediaType: 'application/json' | 'application/yaml'): SourceText {
  const source = readText(text, mediaType)
  assert.ok(source.ok, `${text}\n${JSON.stringify(source)}`)
  return source
}

test('YAML of JSON › is block style, with quotes around ambiguous text', () => {
  const json =
    '{"name":"Orders v1","version":"1.0","on":true,"none":null,"list":[],"map":{},"n":1.0,"big":12345678901234567890,"date":"2024-01-01","word":"yes","text":"two\\nlines\\n","url":"https://example.com/a#b","ports":[{"id":"a","tags":["x","#y"]},[1,[2]]],"a: b":"c: d"}'
  const yaml = `name: Orders v1
version: "1.0"
"on": true
none: null
list: []
map: {}
"n": 1.0
big: 12345678901234567890
date: "2024-01-01"
word: "yes"
text: |
  two
  lines
url: "https://example.com/a#b"
ports:
  - id: a
    tags:
      - x
      - "#y"
  - - 1
    - - 2
"a: b": "c: d"
`
  assert.equal(convertToYaml(read(json, 'application/json')), yaml)
  assert.equal(convertToJson(read(yaml, 'application/yaml')), json)
})

for (const text of [
  'a\n',
  'a\n\n',
  'a\n\n\n',
  'a\nb',
  'a\n b\n',
  'a\n\nb\n \n',
  '\na\n',
  ' a\nb',
  'a\t\nb',
  'a\n\tb',
]) {
  test(`YAML of JSON › ${JSON.stringify(text)} preserves its line feeds, in the middle and at the end`, () => {
    const json = JSON.stringify({ first: text, list: [text, text], last: text })
    const yaml = convertToYaml(read(json, 'application/json'))
    assert.equal(convertToJson(read(yaml, 'application/yaml')), json, yaml)
  })
}

const awkward = fc.oneof(
  anyText(8),
  fc.string({
    unit: fc.constantFrom(...Array.from(`a \n\t:#-?&*!|>%@"'{}[],\r01.e~\\=<\u0085\u2028\uFEFF`)),
  }),
  fc.constantFrom('null', '~', 'No', '1', '-1.5e3', '0x1f', '.inf', '1:20', '---', '...', '- a'),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    awkward,
    fc.constantFrom(null, true),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(awkward, fc.constant('k'.repeat(1100))), tie('value'), { maxKeys: 3 }),
  ),
}))

test('YAML of JSON › has the same meaning for any YAML parser', () => {
  fc.assert(
    fc.property(fc.dictionary(awkward, value, { maxKeys: 4 }), (document) => {
      const json = JSON.stringify(document)
      if (json.includes('\\u0000')) return
      const source = read(json, 'application/json')
      const back = read(convertToYaml(source), 'application/yaml')
      assert.equal(jsonText(back.value), jsonText(source.value), convertToYaml(source))
      assert.deepEqual(JSON.parse(convertToJson(back)), JSON.parse(json))
      if (!json.includes('__proto__'))
        assert.deepEqual(parse(convertToYaml(source)), JSON.parse(json))
    }),
    { seed: 1, numRuns: 500 },
  )
})
