import assert from 'node:assert/strict'
import test from 'node:test'
import { reasonsTold } from './reason.ts'

test('reasonsTold › names the column with its path, marked where it matches', () => {
  const why = [{ field: 'column', how: 'word', path: 'orders.customer_id' }]
  const highlights = [{ field: 'column', text: 'orders.customer_id', ranges: [[7, 15]] }]
  assert.deepEqual(reasonsTold(why, highlights), [
    { words: 'column', text: 'orders.customer_id', ranges: [[7, 15]], isCode: true },
  ])
})

test('reasonsTold › leaves out what is marked in the result, but not what is spelled otherwise', () => {
  const highlights = ['name', 'description'].map((field) => ({
    field,
    text: 'x',
    ranges: [[0, 1]],
  }))
  const why = [
    { field: 'name', how: 'exact', path: null },
    { field: 'description', how: 'typo', path: null },
  ]
  assert.deepEqual(
    reasonsTold(why, highlights).map(({ words, text }) => [words, text]),
    [['the description, spelled similarly', null]],
  )
})

test('reasonsTold › says each reason once', () => {
  const column = { field: 'column', how: 'word', path: 'a.b' }
  const tag = { field: 'tag', how: 'prefix', path: null }
  const highlights = [{ field: 'tag', text: 'gold', ranges: [[0, 2]] }]
  assert.deepEqual(
    reasonsTold([column, column, tag, tag], highlights).map(({ words, text }) => [words, text]),
    [
      ['column', 'a.b'],
      ['tag', 'gold'],
    ],
  )
})

test('reasonsTold › says so where only other text matched, and nothing without a reason', () => {
  const [told] = reasonsTold([{ field: 'other', how: 'word', path: null }], [])
  assert.equal(told?.words, 'its text')
  assert.deepEqual(reasonsTold([], []), [])
})
