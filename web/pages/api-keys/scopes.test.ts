import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PERMISSIONS_WITHOUT_EFFECT } from '../../../formats/team/permission-names.ts'
import { PERMISSIONS } from '../../api/permission-groups.ts'
import type { Session } from '../../api/session.ts'
import { SCOPES, scopeReason } from './key-draft.ts'

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
    permissions: one === 'Owner' ? [...PERMISSIONS, ...PERMISSIONS_WITHOUT_EFFECT] : [],
  }))
  return {
    user: { id: 'u', name: 'Juno', email: 'j@x.example', managedBy: null },
    organization,
    organizations: [organization],
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

test('An Owner of a team may create personal keys and keys of a team', () => {
  assert.deepEqual(allowed(newSession('Member', ['Owner'])), [
    'user_read',
    'user',
    'team_read',
    'team',
  ])
})

test('A member without ownership may create personal keys, and gets a reason for the other scopes', () => {
  const session = newSession('Member', ['Editor'])
  assert.deepEqual(allowed(session), ['user_read', 'user'])
  assert.match(scopeReason(session, 'team') ?? '', /Owner of a team/)
  assert.match(scopeReason(session, 'organization') ?? '', /owners of the organization/i)
})
