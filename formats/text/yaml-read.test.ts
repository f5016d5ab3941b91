import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyText } from '../../test/any-text.ts'
import {
  convertToJson,
  jsonText,
  readText,
  type ParseFailure,
  type SourceText,
  convertToYaml,
} from './text.ts'

function read(text: string): SourceText {
  const source = readText(text, 'application/yaml')
  assert.ok(source.ok, `${text}\n${JSON.stringify(source)}`)
  return source
}

function expectFailure(text: string): ParseFailure {
  const source = readText(text, 'application/yaml')
  assert.ok(!source.ok, text)
  return source
}

const nested = (depth: number) => `a: ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`

const FAILURES: { text: string; kind: ParseFailure['kind']; at: string; says: RegExp }[] = [
  { text: '', kind: 'malformed', at: '1:1', says: /body is empty/ },
  { text: '# only a comment\n', kind: 'malformed', at: '1:1', says: /body is empty/ },
  { text: '---\n', kind: 'malformed', at: '1:1', says: /body is empty/ },
  { text: '\uFEFF\uFEFFa: 1', kind: 'malformed', at: '1:1', says: /byte order mark/ },
  { text: 'a: 1\n---\nb: 2', kind: 'malformed', at: '2:1', says: /second document/ },
  { text: 'a: 1\n...\nb', kind: 'malformed', at: '3:1', says: /second document/ },
  { text: 'a: [1, 2', kind: 'malformed', at: '1:9', says: /./ },
  { text: '\ta: 1', kind: 'malformed', at: '1:1', says: /spaces, not tabs/ },
  { text: 'a: b: c', kind: 'malformed', at: '1:4', says: /needs quotes/ },
  { text: 'a: @b', kind: 'malformed', at: '1:4', says: /needs quotes/ },
  { text: 'a: "x" y', kind: 'malformed', at: '1:8', says: /./ },
  { text: 'a: 1\nb: 2\na: 3', kind: 'malformed', at: '3:1', says: /"a" appears twice/ },
  { text: '1: a\n"1": b', kind: 'malformed', at: '2:1', says: /"1" appears twice/ },
  { text: '? [a]\n: b', kind: 'malformed', at: '1:3', says: /field name must be text/ },
  { text: '{a: 1}: b', kind: 'malformed', at: '1:1', says: /field name must be text/ },
  { text: 'a: &x b\n*x : c', kind: 'malformed', at: '2:1', says: /field name must be text/ },
  { text: 'a: !js x', kind: 'malformed', at: '1:4', says: /Remove the tag/ },
  { text: 'a: !!js/function x', kind: 'malformed', at: '1:4', says: /Remove the tag/ },
  { text: 'a: !!binary aGk=', kind: 'malformed', at: '1:4', says: /Remove the tag/ },
  { text: 'a: !!set {x, y}', kind: 'malformed', at: '1:4', says: /Remove the tag/ },
  { text: 'a: !!timestamp 2024-01-01', kind: 'malformed', at: '1:4', says: /Remove the tag/ },
  { text: 'a: !<tag:x,2000:y> z', kind: 'malformed', at: '1:4', says: /Remove the tag/ },
  { text: 'a: *x', kind: 'malformed', at: '1:4', says: /no anchor "&x"/ },
  { text: 'a: &x [*x]', kind: 'malformed', at: '1:8', says: /inside the value that it repeats/ },
  { text: 'a: "\\ud800"', kind: 'malformed', at: '1:4', says: /lone surrogate/ },
  { text: 'a: "\\0"', kind: 'unacceptable', at: '1:4', says: /NUL/ },
  { text: 'a: x # \0', kind: 'unacceptable', at: '1:8', says: /NUL/ },
  { text: '"\\0": x', kind: 'unacceptable', at: '1:1', says: /NUL/ },
  { text: 'a: .inf', kind: 'unacceptable', at: '1:4', says: /infinite/ },
  { text: 'a: -.Inf', kind: 'unacceptable', at: '1:4', says: /infinite/ },
  { text: 'a: .nan', kind: 'unacceptable', at: '1:4', says: /infinite/ },
  { text: 'a: 1e400', kind: 'unacceptable', at: '1:4', says: /infinite/ },
  { text: `a: ${'9'.repeat(1001)}`, kind: 'unacceptable', at: '1:4', says: /1000 characters/ },
  { text: nested(65), kind: 'unacceptable', at: '1:67', says: /64 levels deep/ },
  { text: '- 1', kind: 'unacceptable', at: '1:1', says: /object with named fields/ },
  { text: 'null', kind: 'unacceptable', at: '1:1', says: /object with named fields/ },
  { text: 'just text', kind: 'unacceptable', at: '1:1', says: /object with named fields/ },
]

for (const { text, kind, at, says } of FAILURES) {
  test(`YAML › ${JSON.stringify(text).slice(0, 40)} is ${kind}`, () => {
    const failure = expectFailure(text)
    const [problem] = failure.problems
    assert.equal(failure.kind, kind, problem?.message ?? '')
    assert.equal(`${problem?.line}:${problem?.column}`, at, problem?.message ?? '')
    assert.match(problem?.message ?? '', says)
    assert.match(problem?.message ?? '', /\.$/)
  })
}

const READINGS: { text: string; json: string }[] = [
  {
    text: 'a: yes\nb: on\nc: null\nd: ~\ne:',
    json: '{"a":"yes","b":"on","c":null,"d":null,"e":null}',
  },
  { text: 'a: 2024-01-01\nb: 12:30', json: '{"a":"2024-01-01","b":"12:30"}' },
  {
    text: 'a: 1.0\nb: 1e2\nc: 12345678901234567890',
    json: '{"a":1.0,"b":1e2,"c":12345678901234567890}',
  },
  {
    text: 'a: +1\nb: .5\nc: 1.\nd: 012\ne: -.5e1',
    json: '{"a":1,"b":0.5,"c":1,"d":12,"e":-0.5e1}',
  },
  {
    text: 'a: 0x1F\nb: 0o17\nc: 0xFFFFFFFFFFFFFFFFFFFF',
    json: '{"a":31,"b":15,"c":1208925819614629174706175}',
  },
  { text: '1: a\ntrue: b\n1.0: c\n~: d', json: '{"1":"a","true":"b","1.0":"c","~":"d"}' },
  { text: 'a: !!str 1\nb: !!int "2"', json: '{"a":"1","b":2}' },
  { text: 'x: &x {b: 1}\n<<: *x', json: '{"x":{"b":1},"<<":{"b":1}}' },
  { text: 'a: &x 1\nb: &x 2\nc: *x', json: '{"a":1,"b":2,"c":2}' },
  { text: '&k a: *k', json: '{"a":"a"}' },
  { text: '%YAML 1.1\n---\na: yes\nb: 0777', json: '{"a":"yes","b":777}' },
  { text: '__proto__: {x: 1}\nconstructor: 2', json: '{"__proto__":{"x":1},"constructor":2}' },
  { text: '{a: 1, b: [x, {c: d}]}', json: '{"a":1,"b":["x",{"c":"d"}]}' },
  { text: 'a: >\n  x\n  y\nb: |-\n  z\n', json: '{"a":"x y\\n","b":"z"}' },
  { text: '# c\na: 1 # d\n...\n# e\n', json: '{"a":1}' },
]

for (const { text, json } of READINGS) {
  test(`YAML › ${JSON.stringify(text).slice(0, 40)} is read as ${json.slice(0, 40)}`, () => {
    const source = read(text)
    assert.equal(convertToJson(source), json)
    assert.deepEqual(JSON.parse(jsonText(source.value)), JSON.parse(json))
    assert.equal(convertToYaml(source), text)
    assert.ok(!('x' in {}))
  })
}

test('YAML › accepts documents at the limits', () => {
  read(nested(64))
  read(`a: [${Array(99_998).fill('1').join(',')}]`)
  assert.match(
    expectFailure(`a: [${Array(99_999).fill('1').join(',')}]`).problems[0]?.message ?? '',
    /100000 values/,
  )
})

const lol = (name: string, of: string) => `${name}: &${name} [${Array(9).fill(of).join(',')}]`
// Common mistakes with the position and text of their message. No message mentions scalars, indicators or implicit
// keys.
const MISTAKES: { text: string; at: string; says: RegExp }[] = [
  { text: 'a: 1\nname: "x\nb: 2\nc:\n  - 3\n', at: '2:7', says: /quote " that opens here/ },
  { text: 'a: 1\nname: "x\nb: "2"\nc: 3\n', at: '2:7', says: /quote " that opens here/ },
  { text: "a: 1\nname: 'x\nb: 2\n", at: '2:7', says: /quote ' that opens here/ },
  { text: 'a:\n  b: "x\n  y"\n  c: 1\n', at: '2:6', says: /Indent its further lines/ },
  { text: 'a: "x\ny"\nc: 1\n', at: '1:4', says: /Indent its further lines/ },
  { text: "a:\n  - 'x\n  y'\n", at: '2:5', says: /Indent its further lines/ },
  { text: 'a: "b', at: '1:4', says: /opens here/ },
  { text: 'a: "x\n  y"\nb: "z" w\n', at: '3:8', says: /follows the end of a value/ },
  { text: 'a:\n  - x\n  y: 2\n', at: '3:1', says: /indented differently/ },
  { text: 'a:\n  b: 1\n c: 2\n', at: '3:1', says: /indented differently/ },
  { text: 'a: 1\nb\nc: 2\n', at: '2:1', says: /no ":" after a field name/ },
  { text: 'a: x\n  b: c', at: '1:4', says: /Two fields run together/ },
  { text: 'a: - x\n', at: '1:4', says: /on the next line/ },
  { text: 'a: {b: 1\nc: 2\n', at: '2:1', says: /bracket is not closed/ },
  { text: 'a: |x\n  y', at: '1:5', says: /Only "\|" or ">"/ },
]

for (const { text, at, says } of MISTAKES) {
  test(`YAML › explains ${JSON.stringify(text)} in plain words at ${at}`, () => {
    const { problems } = expectFailure(text)
    const [{ line, column, message } = { line: 0, column: 0, message: '' }] = problems
    assert.equal(`${line}:${column}`, at, message)
    assert.match(message, says)
    assert.doesNotMatch(message, /scalar|indicator|implicit|flow|token|node|collection/i)
  })
}

const BOMBS: { name: string; text: string }[] = [
  {
    name: 'a billion laughs',
    text: [
      lol('a', 'lol'),
      ...Array.from('bcdefghi').map((name, at) => lol(name, `*${'abcdefgh'[at]}`)),
    ].join('\n'),
  },
  {
    name: 'a long text many times',
    text: `a: &a ${'x'.repeat(500_000)}\nb: [${'*a,'.repeat(900)}]`,
  },
  {
    name: 'a long name many times',
    text: `a: &a {? ${'x'.repeat(500_000)}\n : 1}\nb: [${'*a,'.repeat(900)}]`,
  },
  { name: '300,000 aliases', text: `a: &a [1, 2]\nb: [${'*a,'.repeat(300_000)}]` },
  {
    name: '60,000 fields with an alias',
    text: `a: &a {}\n${Array.from({ length: 60_000 }, (_, at) => `k${at}: *a`).join('\n')}`,
  },
  { name: 'a million brackets', text: '['.repeat(1_000_000) },
  { name: 'a million braces', text: '{a: '.repeat(250_000) },
  { name: 'half a million dashes', text: '- '.repeat(500_000) },
  { name: 'half a million question marks', text: '? '.repeat(500_000) },
  {
    name: 'deep indentation',
    text: Array.from({ length: 1400 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
  },
  {
    name: 'depth by aliases',
    text: Array.from(
      { length: 70 },
      (_, at) => `a${at}: &a${at} [${at === 0 ? '' : `*a${at - 1}`}]`,
    ).join('\n'),
  },
]

for (const { name, text } of BOMBS) {
  test(`YAML › ${name} is rejected quickly`, () => {
    const before = process.cpuUsage()
    assert.equal(expectFailure(text).kind, 'unacceptable')
    const { user } = process.cpuUsage(before)
    // It takes less than 200 ms; without limits it takes many seconds, or overflows the stack. The limit allows for
    // slow machines.
    assert.ok(user < 1_000_000, `${user / 1000} ms`)
  })
}

const UNREADABLE: { name: string; text: string; at: string }[] = [
  { name: 'an error in each of 10,000 lines', text: ': : :\n'.repeat(10_000), at: '1:3' },
  { name: 'an error inside of a list, 10,000 times', text: 'a: [@]\n'.repeat(10_000), at: '1:5' },
  { name: 'unknown directives', text: `${'%a b\n'.repeat(30_000)}---\na: 1\n`, at: '1:1' },
]

for (const { name, text, at } of UNREADABLE) {
  test(`YAML › stops at the first of many errors: ${name}`, () => {
    const before = process.cpuUsage()
    const [problem] = expectFailure(text).problems
    const { user } = process.cpuUsage(before)
    assert.equal(`${problem?.line}:${problem?.column}`, at, problem?.message ?? '')
    // Collecting the errors takes several seconds; otherwise the text is only tokenized.
    assert.ok(user < 1_500_000, `${user / 1000} ms`)
  })
}

const WIDE: { name: string; text: string; says: RegExp }[] = [
  { name: 'blank lines', text: `a: 1\n${'\n'.repeat(4_900_000)}`, says: /more than 500000 lines/ },
  { name: 'nested fields', text: ': : :\n'.repeat(816_000), says: /more than 500000 lines/ },
  { name: 'fields without values', text: ': : :\n'.repeat(34_000), says: /100000 values/ },
  { name: 'explicit keys', text: '- ? -\n'.repeat(51_000), says: /100000 values/ },
  { name: 'commas', text: `a: [${',\n'.repeat(101_000)}]`, says: /100000 values/ },
]

for (const { name, text, says } of WIDE) {
  test(`YAML › too many ${name} are detected before they are read`, () => {
    const before = process.cpuUsage()
    assert.match(expectFailure(text).problems[0]?.message ?? '', says)
    const { user } = process.cpuUsage(before)
    assert.ok(user < 2_000_000, `${user / 1000} ms`)
  })
}

test('YAML › never throws', () => {
  const unit = fc.constantFrom(
    ...Array.from(`a \n\t:#-?&*!|>%@"'{}[],\r01.e~\\u<`),
    '- ',
    ': ',
    '&a ',
    '*a',
  )
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit }), anyText()), (text) => {
      const source = readText(text, 'application/yaml')
      if (source.ok) {
        assert.ok(readText(convertToJson(source), 'application/json').ok)
      } else {
        const [problem] = source.problems
        assert.ok(problem !== undefined && problem.line >= 1 && problem.column >= 1)
        assert.ok(problem.line <= text.split('\n').length)
      }
    }),
    { seed: 1, numRuns: 1000 },
  )
})

test('positions › are those of names and items, even through aliases', () => {
  const source = read('a:\n  b: [1,\n   2]\nc: &c\n  - x: 1\n  -\n    y: 2\nd: *c\n')
  const at = (...path: (string | number)[]) => Object.values(source.locate(path)).join(':')
  assert.equal(at('a'), '1:1')
  assert.equal(at('a', 'b'), '2:3')
  assert.equal(at('a', 'b', 1), '3:4')
  assert.equal(at('c', 0, 'x'), '5:5')
  assert.equal(at('c', 1, 'y'), '7:5')
  assert.equal(at('c', 1, 'z'), '7:5')
  assert.equal(at('d'), '8:1')
  assert.equal(at('d', 1, 'y'), '7:5')
  assert.equal(at('e'), '1:1')
})
