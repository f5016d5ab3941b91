import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changePermission,
  findNameProblem,
  findRolesProblem,
  listRoleEffects,
  type TeamRole,
} from './role-effects.ts'

const editor: TeamRole = { name: 'Editor', permissions: ['DATAPRODUCT_ADD', 'ACCESS_REQUEST'] }
const member: TeamRole = { name: 'Member', permissions: ['ACCESS_REQUEST'] }
const defaults = [editor, member]
const uses = [
  { role: 'Editor', members: 2 },
  { role: 'Member', members: 1 },
  { role: 'Guest', members: 3 },
]

test('listRoleEffects › lists what members gain and lose by their roles', () => {
  const after = [
    { ...editor, permissions: ['DATAPRODUCT_EDIT', 'ACCESS_REQUEST'] as const },
    member,
  ]
  assert.deepEqual(listRoleEffects({ before: undefined, after }, defaults, uses), [
    {
      role: 'Editor',
      members: 2,
      gains: ['DATAPRODUCT_EDIT'],
      losses: ['DATAPRODUCT_ADD'],
      isMissing: false,
    },
  ])
  assert.deepEqual(listRoleEffects({ before: after, after }, defaults, uses), [])
})

test('listRoleEffects › a role that is not listed has the permissions of the Member', () => {
  const after = [editor, { ...member, permissions: [] }]
  const effects = listRoleEffects({ before: undefined, after }, defaults, uses)
  assert.deepEqual(
    effects.map(({ role, losses }) => [role, losses]),
    [
      ['Member', ['ACCESS_REQUEST']],
      ['Guest', ['ACCESS_REQUEST']],
    ],
  )
})

test('findRolesProblem › names the roles that members have and that are missing', () => {
  const effects = listRoleEffects({ before: undefined, after: [member] }, defaults, uses)
  assert.match(findRolesProblem([member], effects) ?? '', /the role "Editor"/)
  assert.equal(findRolesProblem([], []), 'Add at least one role.')
  assert.equal(findRolesProblem(undefined, []), undefined)
})

test('findNameProblem › rejects short, long and repeated names', () => {
  assert.equal(findNameProblem('Data Keeper', ['Editor']), undefined)
  for (const name of ['Ed', 'x'.repeat(1001), 'Editor']) {
    assert.ok(findNameProblem(name, ['Editor']))
  }
})

test('changePermission › changes only this permission, also one without an effect', () => {
  const kept = ['POLICY_CHECK_RUN', 'TEAM_ADD'] as const
  assert.deepEqual(changePermission(kept, 'TEAM_EDIT', true), [...kept, 'TEAM_EDIT'])
  assert.deepEqual(changePermission(kept, 'TEAM_ADD', true), kept)
  assert.deepEqual(changePermission(kept, 'TEAM_ADD', false), ['POLICY_CHECK_RUN'])
  assert.deepEqual(changePermission(kept, 'POLICY_CHECK_RUN', false), ['TEAM_ADD'])
})
