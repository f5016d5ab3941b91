import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from './caller.ts'
import {
  listGrants,
  listRolesWith,
  may,
  maySomewhere,
  PERMISSIONS,
  type Permission,
} from './permission.ts'

// A column for each role: Owner, Approver, Editor, Steward, Member, and a role of one's own.
const TABLE: Record<Permission, string> = {
  RESOURCES_ADD: /*          */ 'x x x - - -',
  RESOURCES_EDIT: /*         */ 'x x x x - -',
  RESOURCES_DELETE: /*       */ 'x x x - - -',
  CHANGE_REQUEST_SUBMIT: /*  */ 'x x x x x x',
  CHANGE_REQUEST_APPROVE: /* */ 'x x - x - -',
  ACCESS_ADD: /*             */ 'x x - - - -',
  ACCESS_EDIT: /*            */ 'x x x - - -',
  ACCESS_DELETE: /*          */ 'x x - - - -',
  ACCESS_REQUEST: /*         */ 'x x x x x x',
  ACCESS_APPROVE: /*         */ 'x x - - - -',
  ACCESS_TERMINATE: /*       */ 'x x - - - -',
  TEAM_ADD: /*               */ 'x - - - - -',
  TEAM_EDIT: /*              */ 'x - - - - -',
  TEAM_DELETE: /*            */ 'x - - - - -',
  TEAM_MEMBER_ADD: /*        */ 'x - - - - -',
  TEAM_MEMBER_EDIT: /*       */ 'x - - - - -',
  TEAM_MEMBER_DELETE: /*     */ 'x - - - - -',
  INGESTION_EDIT: /*         */ 'x x x - - -',
}
const ROLES = ['Owner', 'Approver', 'Editor', 'Steward', 'Member', 'Keeper of the keys']

function callerWith(more: Partial<Caller>): Caller {
  return {
    organizationId: 'o',
    organizationName: 'O',
    vanityUrl: 'o',
    principal: 'api-key:k',
    keyId: 'k',
    keyName: 'K',
    scope: 'user',
    team: undefined,
    readOnly: false,
    organizationOwner: false,
    roles: new Map(),
    customRoles: undefined,
    hasOnlyManagedTags: false,
    ...more,
  }
}

for (const [at, role] of ROLES.entries()) {
  test(`may › what ${role} grants on its team`, () => {
    const caller = callerWith({ roles: new Map([['a', [role]]]) })
    for (const permission of PERMISSIONS) {
      const expected = TABLE[permission].split(' ')[at] === 'x'
      assert.equal(may(caller, permission, 'a'), expected, permission)
      assert.equal(listGrants(role).has(permission), expected, permission)
      assert.equal(maySomewhere(caller, permission), expected, permission)
    }
  })
}

test('may › a role only counts on its own team, and not on resources without an owner', () => {
  const caller = callerWith({ roles: new Map([['a', ['Owner']]]) })
  for (const team of ['b', 'A', '', undefined]) {
    for (const permission of PERMISSIONS) assert.equal(may(caller, permission, team), false)
  }
})

test('may › of several roles in one team each counts', () => {
  const caller = callerWith({ roles: new Map([['a', ['Steward', 'Editor']]]) })
  assert.equal(may(caller, 'CHANGE_REQUEST_APPROVE', 'a'), true)
  assert.equal(may(caller, 'RESOURCES_DELETE', 'a'), true)
  assert.equal(may(caller, 'TEAM_EDIT', 'a'), false)
})

test('may › an owner of the organization may everything, also on what no team owns', () => {
  const caller = callerWith({ organizationOwner: true })
  for (const permission of PERMISSIONS) {
    for (const team of ['a', undefined]) assert.equal(may(caller, permission, team), true)
    assert.equal(maySomewhere(caller, permission), true)
  }
})

test('may › a read-only caller may nothing, with any role', () => {
  const roles = new Map([['a', ['Owner']]])
  for (const organizationOwner of [false, true]) {
    const caller = callerWith({ readOnly: true, organizationOwner, roles })
    for (const permission of PERMISSIONS) {
      for (const team of ['a', undefined]) assert.equal(may(caller, permission, team), false)
      assert.equal(maySomewhere(caller, permission), false)
    }
  }
})

// A column for each role of an organization with custom roles: Owner, Editor, Data Keeper, and one that is not listed.
const CUSTOM_TABLE: Record<Permission, string> = {
  RESOURCES_ADD: /*          */ '- x - -',
  RESOURCES_EDIT: /*         */ '- - x -',
  RESOURCES_DELETE: /*       */ '- - x -',
  CHANGE_REQUEST_SUBMIT: /*  */ '- - - x',
  CHANGE_REQUEST_APPROVE: /* */ '- - x -',
  ACCESS_ADD: /*             */ '- - - -',
  ACCESS_EDIT: /*            */ '- - - -',
  ACCESS_DELETE: /*          */ '- - - -',
  ACCESS_REQUEST: /*         */ '- - - x',
  ACCESS_APPROVE: /*         */ '- - x -',
  ACCESS_TERMINATE: /*       */ '- - - -',
  TEAM_ADD: /*               */ '- x - -',
  TEAM_EDIT: /*              */ '- - - -',
  TEAM_DELETE: /*            */ '- - - -',
  TEAM_MEMBER_ADD: /*        */ '- - - -',
  TEAM_MEMBER_EDIT: /*       */ '- - - -',
  TEAM_MEMBER_DELETE: /*     */ '- - - -',
  INGESTION_EDIT: /*         */ '- x x -',
}
const CUSTOM_COLUMNS = ['Owner', 'Editor', 'Data Keeper', 'Steward']

function newCustomRoles(): Map<string, Set<Permission>> {
  const roles = CUSTOM_COLUMNS.slice(0, 3).map((role, at): [string, Set<Permission>] => {
    const granted = PERMISSIONS.filter((one) => CUSTOM_TABLE[one].split(' ')[at] === 'x')
    return [role, new Set(granted)]
  })
  return new Map(roles)
}

for (const [at, role] of CUSTOM_COLUMNS.entries()) {
  test(`may › what ${role} grants in an organization with custom roles`, () => {
    const customRoles = newCustomRoles()
    const caller = callerWith({ roles: new Map([['a', [role]]]), customRoles })
    for (const permission of PERMISSIONS) {
      const expected = CUSTOM_TABLE[permission].split(' ')[at] === 'x'
      assert.equal(may(caller, permission, 'a'), expected, permission)
      assert.equal(may(caller, permission, 'b'), false, permission)
      assert.equal(maySomewhere(caller, permission), expected, permission)
      assert.equal(may({ ...caller, readOnly: true }, permission, 'a'), false, permission)
      assert.equal(may({ ...caller, organizationOwner: true }, permission, 'a'), true, permission)
    }
  })
}

test('may › a role that is not listed has the permissions of the custom Member', () => {
  const customRoles = newCustomRoles().set('Member', new Set(['ACCESS_ADD']))
  assert.deepEqual([...listGrants('Steward', customRoles)], ['ACCESS_ADD'])
  assert.deepEqual([...listGrants('editor', customRoles)], ['ACCESS_ADD'])
})

test('listRolesWith › lists the custom roles that grant a permission', () => {
  assert.deepEqual(listRolesWith('INGESTION_EDIT', newCustomRoles()), ['Editor', 'Data Keeper'])
  assert.deepEqual(listRolesWith('INGESTION_EDIT'), ['Owner', 'Approver', 'Editor'])
})

test('may › the names of a role are compared as they are written', () => {
  for (const role of ['owner', 'OWNER', ' Owner', 'constructor', '__proto__', '']) {
    assert.deepEqual(listGrants(role), listGrants('Member'), role)
  }
})

test('maySomewhere › false without any role', () => {
  for (const permission of PERMISSIONS)
    assert.equal(maySomewhere(callerWith({}), permission), false)
})
