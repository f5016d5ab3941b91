import assert from 'node:assert/strict'
import test from 'node:test'
import { listReasons } from './reason.ts'

test('listReasons › names the column with its path, marked where it matches', () => {
  const why = [{ field: 'column', how: 'word', path: 'orders.customer_id' }]
  const highlights = [{ field: 'column', text: 'orders.customer_id', ranges: [[7, 15]] }]
  assert.deepEqual(listReasons(why, highlights), [
    { words: 'column', text: 'orders.customer_id', ranges: [[7, 15]], isCode: true },
  ])
})

test('listReasons › leaves out what the result highlights, except similar spellings', () => {
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
    listReasons(why, highlights).map(({ words, text }) => [words, text]),
    [['description, similar spelling', null]],
  )
})

test('listReasons › returns each reason once', () => {
  const column = { field: 'column', how: 'word', path: 'a.b' }
  const tag = { field: 'tag', how: 'prefix', path: null }
  const highlights = [{ field: 'tag', text: 'gold', ranges: [[0, 2]] }]
  assert.deepEqual(
    listReasons([column, column, tag, tag], highlights).map(({ words, text }) => [words, text]),
    [
      ['column', 'a.b'],
      ['tag', 'gold'],
    ],
  )
})

test('listReasons › names other text, and returns nothing without a reason', () => {
  const [reason] = listReasons([{ field: 'other', how: 'word', path: null }], [])
  assert.equal(reason?.words, 'text')
  assert.deepEqual(listReasons([], []), [])
})

test('listReasons › names the synonym, of the document and of its parts', () => {
  const why = [
    { field: 'synonym', how: 'exact', path: 'orders.total' },
    { field: 'synonym', how: 'word', path: null },
  ]
  const highlights = [{ field: 'synonym', text: 'Umsatz', ranges: [[0, 6]] }]
  assert.deepEqual(listReasons(why, highlights), [
    { words: 'synonym', text: 'Umsatz', ranges: [[0, 6]], isCode: false },
  ])
})
