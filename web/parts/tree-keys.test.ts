import assert from 'node:assert/strict'
import test from 'node:test'
import { listKeptRows, getTreeMove } from './tree-keys.ts'

const ROWS = [
  { level: 1, hasChildren: true, isOpen: true },
  { level: 2, hasChildren: true, isOpen: false },
  { level: 2, hasChildren: false, isOpen: true },
  { level: 1, hasChildren: false, isOpen: true },
]

test('getTreeMove › up and down stop at the ends', () => {
  assert.equal(getTreeMove('ArrowDown', ROWS, 0), 1)
  assert.equal(getTreeMove('ArrowDown', ROWS, 3), 3)
  assert.equal(getTreeMove('ArrowUp', ROWS, 0), 0)
  assert.equal(getTreeMove('Home', ROWS, 2), 0)
  assert.equal(getTreeMove('End', ROWS, 0), 3)
  assert.equal(getTreeMove('PageDown', ROWS, 1), 3)
})

test('getTreeMove › right opens a closed row and enters an open one', () => {
  assert.equal(getTreeMove('ArrowRight', ROWS, 1), 'toggle')
  assert.equal(getTreeMove('ArrowRight', ROWS, 0), 1)
  assert.equal(getTreeMove('ArrowRight', ROWS, 2), undefined)
})

test('getTreeMove › left closes an open row and leads from others to their parent', () => {
  assert.equal(getTreeMove('ArrowLeft', ROWS, 0), 'toggle')
  assert.equal(getTreeMove('ArrowLeft', ROWS, 1), 0)
  assert.equal(getTreeMove('ArrowLeft', ROWS, 2), 0)
  assert.equal(getTreeMove('ArrowLeft', ROWS, 3), undefined)
})

test('getTreeMove › ignores other keys', () => {
  assert.equal(getTreeMove('a', ROWS, 0), undefined)
  assert.equal(getTreeMove('Enter', ROWS, 0), 'choose')
})

test('listKeptRows › the row with the focus stays on the page wherever the view is', () => {
  const range = { startIndex: 50, endIndex: 52, overscan: 0, count: 100 }
  assert.deepEqual(listKeptRows(range, 3), [3, 50, 51, 52])
  assert.deepEqual(listKeptRows(range, 51), [50, 51, 52])
  assert.deepEqual(listKeptRows(range, 99), [50, 51, 52, 99])
  assert.deepEqual(listKeptRows(range, 100), [50, 51, 52])
})
