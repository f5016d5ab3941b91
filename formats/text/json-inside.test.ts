import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyText } from '../../test/any-text.ts'
import { offsetsInString } from './json-inside.ts'
import { readText } from './text.ts'

test('a character of a JSON text › is located after escapes', () => {
  const text = '{"a":"x\\n\\u00e9\\ud83d\\ude00😀\\"z"}'
  assert.deepEqual([...offsetsInString(text, 5)], [6, 7, 9, 15, 21, 27, 28, 29, 31, 32])
})

test('a character of a JSON text › is located by path, as line and column', () => {
  const source = readText('{\n  "a": [1,\n    "x\\ny"], "b": {"c": "z"}}', 'application/json')
  assert.ok(source.ok)
  const at = (offset: number, ...path: (string | number)[]) =>
    Object.values(source.locateInside(path, offset)).join(':')
  assert.equal(at(0, 'a', 1), '3:6')
  assert.equal(at(1, 'a', 1), '3:7')
  assert.equal(at(2, 'a', 1), '3:9')
  assert.equal(at(3, 'a', 1), '3:10')
  assert.equal(at(99, 'a', 1), '3:10')
  assert.equal(at(-1, 'a', 1), '3:6')
  assert.equal(at(0, 'b', 'c'), '3:26')
})

test('a character of a value that is not text › has the position of the value', () => {
  const source = readText('{"a": [1], "b": "x"}', 'application/json')
  assert.ok(source.ok)
  assert.deepEqual(source.locateInside(['a', 0], 5), source.locate(['a', 0]))
  assert.deepEqual(source.locateInside(['b', 'c'], 1), source.locate(['b']))
  assert.deepEqual(source.locateInside([], 1), source.locate([]))
})

/** Writes a text as JSON with only escapes. */
const escaped = (value: string) =>
  `"${value.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`

test('a character of a JSON text › is at its position in any text', () => {
  fc.assert(
    fc.property(anyText(), anyText(), (before, value) => {
      for (const literal of [JSON.stringify(value), escaped(value)]) {
        const start = JSON.stringify(before).length
        const text = `${JSON.stringify(before)}${literal}`
        const offsets = offsetsInString(text, start)
        assert.equal(offsets.length, value.length + 1)
        for (let unit = 0; unit < value.length; unit += 1) {
          const written = text.slice(offsets[unit], offsets[unit + 1])
          assert.equal(JSON.parse(`"${written}"`), value[unit])
        }
        assert.equal(offsets[value.length], text.length - 1)
      }
    }),
    { seed: 1, numRuns: 100 },
  )
})
