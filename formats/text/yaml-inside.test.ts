import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseDocument, stringify } from 'yaml'
import { type Position, readText, type SourceText } from './text.ts'
import { asText, valueAt, type Path } from './value.ts'
import { yamlText } from './yaml-write.ts'

function read(text: string): SourceText {
  const source = readText(text, 'application/yaml')
  assert.ok(source.ok, `${text}\n${JSON.stringify(source)}`)
  return source
}

/** Returns the text from the position of each character of a value to the position of the next. */
function listPieces(text: string, path: Path): string[] {
  const source = read(text)
  const value = asText(valueAt(source.value, path)) ?? ''
  const starts = [...text.matchAll(/^/gm)].map(({ index }) => index)
  const offsets = Array.from({ length: value.length + 1 }, (_, at) => {
    const { line, column } = source.locateInside(path, at)
    return (starts[line - 1] ?? 0) + column - 1
  })
  return Array.from({ length: value.length }, (_, at) => text.slice(offsets[at], offsets[at + 1]))
}

const STYLES: { name: string; text: string; parts: string[] }[] = [
  { name: 'plain', text: 'a: x y # c', parts: ['x', ' ', 'y'] },
  {
    name: 'plain, folded',
    text: 'a: x \n  y\n\n\n  z',
    parts: ['x ', '\n  ', 'y\n', '\n', '\n  ', 'z'],
  },
  { name: 'single quotes', text: "a: 'it''s x'", parts: ['i', 't', "''", 's', ' ', 'x'] },
  { name: 'single quotes, folded', text: "a: 'x\n\n  y'", parts: ['x\n', '\n  ', 'y'] },
  {
    name: 'double quotes',
    text: 'a: "\\t\\x41\\u00e9\\U0001F600\\"/\\/"',
    parts: ['\\t', '\\x41', '\\u00e9', '', '\\U0001F600', '\\"', '/', '\\/'],
  },
  {
    name: 'double quotes, folded',
    text: 'a: "x\\\n  y  \n  z\n\n  \\  w\\  \n v"',
    parts: ['x\\\n  ', 'y  ', '\n  ', 'z\n', '\n  ', '\\ ', ' ', 'w', '\\  ', '\n ', 'v'],
  },
  { name: 'literal', text: 'a: |\n  x\n    y\n', parts: ['x', '\n  ', ' ', ' ', 'y', '\n'] },
  { name: 'literal of a list', text: 'a: |+\n x\n\n\n', parts: ['x', '\n', '\n', '\n'] },
  {
    name: 'literal with an indentation indicator',
    text: 'a: |2-\n\n    x\n \n  y',
    parts: ['\n  ', ' ', ' ', 'x', '\n ', '\n  ', 'y'],
  },
  { name: 'folded', text: 'a: >-\n  x\n  y\n\n  z\n', parts: ['x\n ', ' ', 'y\n', '\n  ', 'z\n'] },
]

for (const { name, text, parts } of STYLES) {
  test(`a character of a YAML text › is located in ${name}`, () => {
    assert.deepEqual(listPieces(text, ['a']), parts)
  })
}

test('a character of a YAML text › is located through an alias, and as the name of a field', () => {
  const source = read('a: &a |\n  x\n  y\nb: [*a]\n? &k "n\\tm"\n: *k\n')
  assert.deepEqual(source.locateInside(['b', 0], 2), { line: 3, column: 3 })
  assert.deepEqual(source.locateInside(['n\tm'], 2), { line: 5, column: 10 })
})

test('a character of a value that is not text › has the position of the value', () => {
  const source = read('a: [1]\nb: x')
  assert.deepEqual(source.locateInside(['a', 0], 5), source.locate(['a', 0]))
  assert.deepEqual(source.locateInside(['b', 'c'], 1), source.locate(['b']))
})

const STYLISTS: { name: string; write: (value: object) => string }[] = [
  { name: 'our own YAML', write: (value) => yamlText(JSON.parse(JSON.stringify(value))) },
  { name: 'JSON', write: (value) => JSON.stringify(value) },
  ...(['PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'] as const).map(
    (style) => ({
      name: style,
      write: (value: object) =>
        stringify(value, {
          defaultStringType: style,
          defaultKeyType: 'QUOTE_DOUBLE',
          lineWidth: 25,
        }),
    }),
  ),
]

/** Returns whether the text at an offset is a code unit, an escape, or a line break that represents a space. */
function isAtOffset(text: string, offset: number, unit: string): boolean {
  if (text[offset] === unit || (unit === ' ' && text[offset] === '\n')) return true
  if (text[offset] !== '\\') return false
  return String(
    parseDocument(`"${/^\\(x..|u....|U.{8}|.)/.exec(text.slice(offset))?.[0]}"`).contents,
  ).includes(unit)
}

for (const { name, write } of STYLISTS) {
  test(`a character of a YAML text › is at its position in any text written as ${name}`, () => {
    const unit = fc.constantFrom(...Array.from('ab\n  \t\\"\'#:-é😀\u0007'))
    const value = fc.oneof(fc.string({ unit, maxLength: 60 }), fc.lorem({ maxCount: 12 }))
    fc.assert(
      fc.property(value, value, (x, y) => {
        const document = { a: [{ b: x }, y], c: { d: { e: x } } }
        const text = write(document)
        const reading = readText(text, 'application/yaml')
        if (!reading.ok) return
        const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
        for (const path of [
          ['a', 0, 'b'],
          ['a', 1],
          ['c', 'd', 'e'],
        ]) {
          const given: string = asText(valueAt(reading.value, path)) ?? ''
          let before = -1
          for (let at = 0; at < given.length; at += 1) {
            const { line, column }: Position = reading.locateInside(path, at)
            const offset: number = (starts[line - 1] ?? 0) + column - 1
            assert.ok(
              isAtOffset(text, offset, given[at] ?? ''),
              `${text}\n${path.join('.')} ${at} → ${line}:${column}`,
            )
            assert.ok(offset >= before)
            before = offset
          }
        }
      }),
      { seed: 1, numRuns: 100 },
    )
  })
}

const HOSTILE = [
  `a: ${'x '.repeat(500_000)}`,
  `a: "${' '.repeat(1_000_000)}x"`,
  `a: "x${'\n'.repeat(499_000)}  y"`,
  `a: |\n  x${' '.repeat(1_000_000)}y`,
  `a: |\n${'  \n'.repeat(300_000)}  x`,
  `a: >\n${'  x\n\n'.repeat(200_000)}`,
]

for (const text of HOSTILE) {
  test(`a character of a YAML text › is located fast in ${JSON.stringify(text.slice(0, 12))}…`, () => {
    const source = read(text)
    const before = process.cpuUsage()
    for (let at = 0; at < 1000; at += 1) source.locateInside(['a'], at * 1000)
    const { user } = process.cpuUsage(before)
    assert.ok(user < 1_000_000, `${user / 1000} ms`)
  })
}
