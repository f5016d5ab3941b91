import assert from 'node:assert/strict'
import test from 'node:test'
import { listSorts, readSort } from './sorts.ts'

test('listSorts › has the words of every page', () => {
  assert.deepEqual(listSorts(['relevance', 'name', 'changed', 'readers']), [
    ['relevance', 'Relevance'],
    ['name', 'Name'],
    ['changed', 'Last changed'],
    ['readers', 'Most readers'],
  ])
})

test('readSort › is the first order for an unknown name, and reads the earlier name of one', () => {
  const names = ['name', 'changed'] as const
  assert.equal(readSort('changed', names), 'changed')
  assert.equal(readSort('updated', names), 'changed')
  for (const text of ['', 'readers', 'toString', '__proto__']) {
    assert.equal(readSort(text, names), 'name')
  }
})
