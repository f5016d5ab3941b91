import assert from 'node:assert/strict'
import test from 'node:test'
import { splitIntoPieces } from './pieces.ts'

const mark = (text: string, ranges: number[][]) =>
  splitIntoPieces(text, ranges)
    .map((piece) => (piece.isMarked ? `[${piece.text}]` : piece.text))
    .join('|')

test('splitIntoPieces › marks what the ranges name, in any order', () => {
  assert.equal(
    mark('orders by customer', [
      [10, 18],
      [0, 6],
    ]),
    '[orders]| by |[customer]',
  )
})

test('splitIntoPieces › loses and repeats nothing where ranges overlap or reach beyond the text', () => {
  assert.equal(
    mark('customer', [
      [0, 4],
      [2, 6],
      [7, 99],
    ]),
    '[cust]|[om]|e|[r]',
  )
})

test('splitIntoPieces › omits empty ranges', () => {
  assert.equal(mark('abc', [[1, 1], [5, 9], [2]]), 'abc')
  assert.equal(mark('', [[0, 3]]), '')
})

test('splitIntoPieces › treats markup as text', () => {
  assert.equal(mark('<b>x</b>', [[0, 3]]), '[<b>]|x</b>')
})
