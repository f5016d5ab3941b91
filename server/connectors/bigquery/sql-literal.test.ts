import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPairs, readStrings } from './sql-literal.ts'

test('readStrings › reads every form of a string and its escapes', () => {
  const cases: readonly [string, string[]][] = [
    [String.raw`"a \"b\" \\ \n \t \x41 \u00e4 \U0001F600 \101 \'"`, ['a "b" \\ \n \t A ä 😀 A \'']],
    [`'it is "quoted"'`, ['it is "quoted"']],
    ['"""a "b"\nc"""', ['a "b"\nc']],
    ["'''a 'b' c'''", ["a 'b' c"]],
    ['""', ['']],
    ['[]', []],
    ['NULL', []],
    ['"open', []],
    [String.raw`"\UFFFFFFFF"`, [String.raw`\UFFFFFFFF`]],
  ]
  for (const [literal, expected] of cases) assert.deepEqual(readStrings(literal), expected, literal)
})

test('readPairs › reads labels', () => {
  const literal = '[STRUCT("team", "a, b"), STRUCT("gold", "")]'
  assert.deepEqual(readPairs(literal), { team: 'a, b', gold: '' })
  assert.deepEqual(readPairs(''), {})
})

test('readStrings › takes linear time for a quote that is not closed', () => {
  assert.deepEqual(readStrings(`"${'\\"'.repeat(50_000)}`), [])
})
