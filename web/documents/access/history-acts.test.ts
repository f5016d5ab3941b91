import assert from 'node:assert/strict'
import test from 'node:test'
import { listActs } from './history-acts.ts'

const list = (
  states: readonly (readonly [state: string, byName: string])[],
  decidedByName: string | null = null,
): string[] => {
  const history = states.map(([state, byName], at) => ({
    version: at + 1,
    at: `2026-10-0${at + 1}T00:00:00Z`,
    state,
    byName,
  }))
  const source = { history: history.toReversed(), decidedAt: null, decidedByName }
  return listActs(source).map(({ word, byName }) => `${word} – ${byName}`)
}

test('listActs › an approval has the name of the one who decided', () => {
  assert.deepEqual(
    list(
      [
        ['requested', 'Jonas'],
        ['active', 'Ada'],
      ],
      'Ada',
    ),
    ['Approved – Ada', 'Requested – Jonas'],
  )
  assert.deepEqual(
    list([
      ['requested', 'Jonas'],
      ['upcoming', 'Ada'],
    ]),
    ['Approved – Ada', 'Requested – Jonas'],
  )
})

test('listActs › access that is granted at once was requested by a person and approved by Portbook', () => {
  assert.deepEqual(list([['active', 'Jonas']], 'Portbook'), [
    'Approved – Portbook',
    'Requested – Jonas',
  ])
})

test('listActs › what time does, changes of terms, and ends', () => {
  const acts = list([
    ['requested', 'Jonas'],
    ['requested', 'Jonas'],
    ['upcoming', 'Ada'],
    ['active', 'Portbook'],
    ['active', 'Ada'],
    ['expired', 'Portbook'],
  ])
  assert.deepEqual(acts, [
    'Access ended – Portbook',
    'Terms changed – Ada',
    'Access began – Portbook',
    'Approved – Ada',
    'Terms changed – Jonas',
    'Requested – Jonas',
  ])
})

test('listActs › withdrawn requests, rejections and withdrawn approvals', () => {
  assert.equal(
    list([
      ['requested', 'J'],
      ['canceled', 'J'],
    ])[0],
    'Request withdrawn – J',
  )
  assert.equal(
    list([
      ['requested', 'J'],
      ['active', 'A'],
      ['canceled', 'J'],
    ])[0],
    'Access ended – J',
  )
  assert.equal(
    list([
      ['requested', 'J'],
      ['rejected', 'A'],
    ])[0],
    'Rejected – A',
  )
  const withdrawn = list([
    ['requested', 'J'],
    ['active', 'A'],
    ['rejected', 'A'],
  ])
  assert.equal(withdrawn[0], 'Approval withdrawn – A')
  assert.equal(
    list([
      ['requested', 'J'],
      ['rejected', 'A'],
      ['active', 'B'],
    ])[0],
    'Approved – B',
  )
})
