import assert from 'node:assert/strict'
import test from 'node:test'
import { splitExpressions } from './expression-list.ts'

test('splits a list of expressions only at its top-level commas', () => {
  const cases: [string, string[]][] = [
    ['', []],
    ['lower(name)', ['lower(name)']],
    ["date_trunc('day, (', at), (a + b)", ["date_trunc('day, (', at)", '(a + b)']],
    [
      `("odd, ""name(") , f(x, y)[1], 'it''s, so'`,
      [`("odd, ""name(")`, 'f(x, y)[1]', `'it''s, so'`],
    ],
    ["'open, end", ["'open, end"]],
  ]
  for (const [list, expressions] of cases) assert.deepEqual(splitExpressions(list), expressions)
})
