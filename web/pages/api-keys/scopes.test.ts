import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PERMISSIONS_WITHOUT_EFFECT } from '../../../formats/team/permission-names.ts'
import { ALL_PERMISSION_GROUPS, PERMISSIONS } from '../../api/permission-groups.ts'
import type { Session } from '../../api/session.ts'
import { SCOPES, scopeReason } from './key-draft.ts'
import { listGivable } from './key-permissions.ts'

function getPermissions(role: string): Session['teams'][number]['permissions'] {
  if (role === 'Owner') return [...PERMISSIONS, ...PERMISSIONS_WITHOUT_EFFECT]
  return role === 'Editor' ? ['ASSET_EDIT', 'TEAM_API_KEY_MANAGE'] : []
}

function newSession(role: 'Owner' | 'Member', teamRoles: readonly string[] = []): Session {
  const organization = {
    id: 'o',
    name: 'Velmora',
    vanityUrl: 'velmora',
    role,
    providerRequired: false,
  }
  const teams = teamRoles.map((one) => ({
    id: 'fleet',
    name: 'Fleet',
    roles: [one],
    permissions: getPermissions(one),
  }))
  return {
    user: { id: 'u', name: 'Juno', email: 'j@x.example', managedBy: null },
    organization,
    organizations: [organization],
    suspendedIn: [],
    limitedTo: null,
    mayChangeAccount: true,
    customRoles: null,
    teams,
  }
}

const allowed = (session: Session): string[] =>
  SCOPES.filter((scope) => scopeReason(session, scope) === undefined)

test('An owner of the organization may create keys of all six scopes', () => {
  assert.equal(allowed(newSession('Owner')).length, 6)
})

test('People who manage the keys of a team may create personal keys and keys of the team', () => {
  for (const role of ['Owner', 'Editor']) {
    const scopes = ['user_read', 'user', 'team_read', 'team']
    assert.deepEqual(allowed(newSession('Member', [role])), scopes)
  }
})

test('People give a team key what they have in the team, and other keys everything', () => {
  const editor = newSession('Member', ['Editor'])
  assert.deepEqual([...listGivable(editor, 'team', 'fleet')], getPermissions('Editor'))
  assert.deepEqual([...listGivable(editor, 'team', 'other')], [])
  assert.equal(listGivable(editor, 'user', '').size, 53)
  assert.equal(listGivable(newSession('Owner'), 'team', 'other').size, 53)
})

test('The form offers each permission once, and marks those without an effect', () => {
  const offered = ALL_PERMISSION_GROUPS.flatMap(({ permissions }) => permissions)
  assert.equal(new Set(offered.map(({ permission }) => permission)).size, 53)
  assert.equal(offered.length, 53)
  const waiting = offered.filter(({ hasEffect }) => !hasEffect)
  assert.deepEqual(
    waiting.map(({ permission }) => permission).toSorted(),
    [...PERMISSIONS_WITHOUT_EFFECT].toSorted(),
  )
})

test('A member without a role that manages keys may create personal keys, and gets a reason for the other scopes', () => {
  const session = newSession('Member', ['Steward'])
  assert.deepEqual(allowed(session), ['user_read', 'user'])
  assert.match(scopeReason(session, 'team') ?? '', /Owner, Approver or Editor of a team/)
  assert.match(scopeReason(session, 'organization') ?? '', /owners of the organization/i)
})
