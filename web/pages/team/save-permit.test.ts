import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Permission } from '../../api/permission-words.ts'
import type { SignedIn } from '../../api/session.ts'
import { findSaveProblem, getTeamPermit } from './save-permit.ts'
import { toTeamForm } from './team-form-values.ts'

function newSession(...permissions: Permission[]): SignedIn {
  const organization = {
    id: 'o',
    name: 'O',
    vanityUrl: 'o',
    role: 'Member',
    providerRequired: false,
  } as const
  return {
    user: { id: 'u', name: 'Juno', email: 'Juno@x.example', managedBy: null },
    organization,
    organizations: [organization],
    suspendedIn: [],
    limitedTo: null,
    mayChangeAccount: true,
    customRoles: null,
    teams: [{ id: 't', name: 'T', roles: ['R'], permissions }],
    teamNames: new Map([['t', 'T']]),
  }
}

const members = [
  { emailAddress: 'juno@x.example', role: 'Editor' },
  { emailAddress: 'ada@x.example', role: 'Owner' },
]
const team = (more: object = {}) => toTeamForm({ name: 'T', members, ...more })

for (const [what, after, permission] of [
  ['a new member', team({ members: [...members, { emailAddress: 'n@x.example' }] }), '_ADD'],
  ['another role', team({ members: members.map((one) => ({ ...one, role: 'Owner' })) }), '_EDIT'],
  ['a removed member', team({ members: members.slice(0, 1) }), '_DELETE'],
] as const) {
  test(`findSaveProblem › ${what} needs the permission of members, and no other`, () => {
    const needed = `TEAM_MEMBER${permission}` as const
    assert.equal(findSaveProblem(newSession(needed), 't', team(), after), undefined)
    assert.match(findSaveProblem(newSession('TEAM_EDIT'), 't', team(), after) ?? '', /its members/)
    const both = { ...after, description: 'New' }
    assert.match(findSaveProblem(newSession(needed), 't', team(), both) ?? '', /edit the team/)
  })
}

test('findSaveProblem › people leave a team without a permission', () => {
  const after = team({ members: members.slice(1) })
  assert.equal(findSaveProblem(newSession(), 't', team(), after), undefined)
  assert.match(findSaveProblem(newSession(), 't', team(), team({ members: [] })) ?? '', /members/)
})

test('getTeamPermit › a permission of members suffices to edit', () => {
  const editors = ['TEAM_EDIT', 'TEAM_MEMBER_DELETE', 'TEAM_MEMBER_ADD'] as const
  for (const one of editors) {
    assert.deepEqual(getTeamPermit(newSession(one), 't', []), { may: 'edit' })
  }
})

test('getTeamPermit › members may leave a team in which they have a role themselves', () => {
  const session = newSession('TEAM_ADD')
  const permit = getTeamPermit(session, 't', team().members)
  assert.equal(permit.may, 'leave')
  assert.match('reason' in permit ? permit.reason : '', /can edit the team/)
  assert.equal(getTeamPermit(session, 't', team().members.slice(1)).may, 'nothing')
})
