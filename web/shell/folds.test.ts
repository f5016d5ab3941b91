import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFolds } from './folds.ts'

test('reads the parts that were opened and closed', () => {
  assert.deepEqual(
    { ...parseFolds('{"models":true,"price":false}') },
    { models: true, price: false },
  )
})

test('ignores what has another form', () => {
  for (const text of [undefined, '', 'x', 'null', '[]', '1', '{"a":"b"}']) {
    assert.deepEqual({ ...parseFolds(text) }, {}, String(text))
  }
})
