import assert from 'node:assert/strict'
import test from 'node:test'
import { teamsAbove, teamTree, withTeamsBelow } from './team-tree.ts'

const team = (id: string, parent?: string) => ({
  id,
  name: id,
  type: 'Team' as const,
  parent: parent ?? null,
})
const TEAMS = [team('a'), team('b', 'a'), team('c', 'b'), team('d'), team('lost', 'unseen')]

test('teamTree › a team whose parent is missing is at the top', () => {
  const top = teamTree(TEAMS)
  assert.deepEqual(
    top.map((one) => one.team.id),
    ['a', 'd', 'lost'],
  )
  assert.equal(top[0]?.below[0]?.below[0]?.team.id, 'c')
})

test('teamsAbove › outermost first', () => {
  assert.deepEqual(
    teamsAbove(TEAMS, 'c').map(({ id }) => id),
    ['a', 'b'],
  )
  assert.deepEqual(teamsAbove(TEAMS, 'd'), [])
})

test('teamsAbove › also ends if teams form a cycle', () => {
  assert.equal(teamsAbove([team('x', 'y'), team('y', 'x')], 'x').length, 2)
})

test('withTeamsBelow › the team and all below it', () => {
  assert.deepEqual([...withTeamsBelow(TEAMS, 'a')], ['a', 'b', 'c'])
})
