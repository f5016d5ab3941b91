import assert from 'node:assert/strict'
import test from 'node:test'
import { teamTree } from '../../api/team-tree.ts'
import { teamRows } from './team-rows.ts'

const team = (id: string, parent: string | null, type: 'Domain' | 'Team' = 'Team') => ({
  id,
  name: `The ${id}`,
  type,
  parent,
  description: null,
})
const TREE = teamTree([team('a', null, 'Domain'), team('b', 'a'), team('c', 'b'), team('d', null)])
const shown = (choice: { closed?: string[]; filter?: string; type?: string }) =>
  teamRows(TREE, {
    closed: new Set(choice.closed),
    filter: choice.filter ?? '',
    type: choice.type ?? '',
  }).map(({ key, level }) => `${key}${level}`)

test('teamRows › levels count from 1 and closed teams hide those below', () => {
  assert.deepEqual(shown({}), ['a1', 'b2', 'c3', 'd1'])
  assert.deepEqual(shown({ closed: ['b'] }), ['a1', 'b2', 'd1'])
})

test('teamRows › a filter shows what it finds below its teams, closed or not', () => {
  assert.deepEqual(shown({ filter: 'THE C', closed: ['a', 'b'] }), ['a1', 'b2', 'c3'])
  assert.deepEqual(shown({ type: 'Domain' }), ['a1'])
  assert.deepEqual(shown({ filter: 'd', type: 'Domain' }), [])
})
