import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Caller } from './caller.ts'
import {
  DEFAULT_ROLES,
  isOwner,
  isTeamOwner,
  listGrants,
  listHeld,
  listRolesWith,
  may,
  mayEverything,
  mayOwn,
  maySomewhere,
  mayUse,
  PERMISSIONS,
  type Permission,
} from './permission.ts'

// A column for each role: Owner, Approver, Editor, Steward, Member, and a role of one's own.
const TABLE: Record<Permission, string> = {
  DATAPRODUCT_ADD: /*                    */ 'x x x - - -',
  DATAPRODUCT_EDIT: /*                   */ 'x x x x - -',
  DATAPRODUCT_DELETE: /*                 */ 'x x x - - -',
  DATAPRODUCT_TEST_RESULTS_EDIT: /*      */ 'x x x x - -',
  DATAPRODUCT_CHANGE_REQUEST_SUBMIT: /*  */ 'x x x x x x',
  DATAPRODUCT_CHANGE_REQUEST_APPROVE: /* */ 'x x - x - -',
  DATAPRODUCT_PUBLISH: /*                */ 'x x x x - -',
  DATAPRODUCT_GIT_CONNECT: /*            */ 'x x x x - -',
  DATACONTRACT_ADD: /*                   */ 'x x x - - -',
  DATACONTRACT_EDIT: /*                  */ 'x x x x - -',
  DATACONTRACT_DELETE: /*                */ 'x x x - - -',
  DATACONTRACT_TEST_RESULTS_EDIT: /*     */ 'x x x x - -',
  DATACONTRACT_TEST_RUN: /*              */ 'x x x x - -',
  DATACONTRACT_CHANGE_REQUEST_SUBMIT: /* */ 'x x x x x x',
  DATACONTRACT_CHANGE_REQUEST_APPROVE: /**/ 'x x - x - -',
  DATACONTRACT_GIT_CONNECT: /*           */ 'x x x x - -',
  DATACONTRACT_BRANCH_ADD: /*            */ 'x x x x - -',
  ASSET_ADD: /*                          */ 'x x x - - -',
  ASSET_EDIT: /*                         */ 'x x x x - -',
  ASSET_DELETE: /*                       */ 'x x x - - -',
  ASSET_CHANGE_REQUEST_SUBMIT: /*        */ 'x x x x x x',
  ASSET_CHANGE_REQUEST_APPROVE: /*       */ 'x x - x - -',
  DEFINITION_ADD: /*                     */ 'x x x - - -',
  DEFINITION_EDIT: /*                    */ 'x x x x - -',
  DEFINITION_DELETE: /*                  */ 'x x x - - -',
  SOURCE_SYSTEM_ADD: /*                  */ 'x x x - - -',
  SOURCE_SYSTEM_EDIT: /*                 */ 'x x x x - -',
  SOURCE_SYSTEM_DELETE: /*               */ 'x x x - - -',
  MANAGED_TAG_ADD: /*                    */ 'x x x - - -',
  MANAGED_TAG_EDIT: /*                   */ 'x x x x - -',
  MANAGED_TAG_DELETE: /*                 */ 'x x x - - -',
  MANAGED_TAG_CHANGE_REQUEST_SUBMIT: /*  */ 'x x x x x x',
  MANAGED_TAG_CHANGE_REQUEST_APPROVE: /* */ 'x x - x - -',
  SEMANTIC_NAMESPACE_ADD: /*             */ 'x x x - - -',
  SEMANTIC_NAMESPACE_EDIT: /*            */ 'x x x x - -',
  SEMANTIC_NAMESPACE_DELETE: /*          */ 'x x x - - -',
  SEMANTIC_NAMESPACE_GIT_CONNECT: /*     */ 'x x x x - -',
  SEMANTIC_NAMESPACE_BRANCH_ADD: /*      */ 'x x x x - -',
  POLICY_CHECK_RUN: /*                   */ 'x x x x - -',
  ACCESS_ADD: /*                         */ 'x x - - - -',
  ACCESS_EDIT: /*                        */ 'x x x - - -',
  ACCESS_DELETE: /*                      */ 'x x - - - -',
  ACCESS_REQUEST: /*                     */ 'x x x x x x',
  ACCESS_APPROVE: /*                     */ 'x x - - - -',
  ACCESS_TERMINATE: /*                   */ 'x x - - - -',
  TEAM_ADD: /*                           */ 'x - - - - -',
  TEAM_EDIT: /*                          */ 'x - - - - -',
  TEAM_DELETE: /*                        */ 'x - - - - -',
  TEAM_API_KEY_MANAGE: /*                */ 'x x x - - -',
  TEAM_MEMBER_ADD: /*                    */ 'x - - - - -',
  TEAM_MEMBER_EDIT: /*                   */ 'x - - - - -',
  TEAM_MEMBER_DELETE: /*                 */ 'x - - - - -',
  INGESTION_EDIT: /*                     */ 'x x x - - -',
}
const ROLES = ['Owner', 'Approver', 'Editor', 'Steward', 'Member', 'Keeper of the keys']

function callerWith(more: Partial<Caller>): Caller {
  return {
    organizationId: 'o',
    organizationName: 'O',
    vanityUrl: 'o',
    principal: 'api-key:k',
    keyId: 'k',
    userId: undefined,
    responsibleId: undefined,
    keyName: 'K',
    scope: 'user',
    team: undefined,
    readOnly: false,
    allowed: undefined,
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
  assert.equal(may(caller, 'ASSET_CHANGE_REQUEST_APPROVE', 'a'), true)
  assert.equal(may(caller, 'ASSET_DELETE', 'a'), true)
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
  DATAPRODUCT_ADD: /*                    */ '- x - -',
  DATAPRODUCT_EDIT: /*                   */ '- - x -',
  DATAPRODUCT_DELETE: /*                 */ '- - x -',
  DATAPRODUCT_TEST_RESULTS_EDIT: /*      */ '- - x -',
  DATAPRODUCT_CHANGE_REQUEST_SUBMIT: /*  */ '- - - x',
  DATAPRODUCT_CHANGE_REQUEST_APPROVE: /* */ '- - x -',
  DATAPRODUCT_PUBLISH: /*                */ '- - x -',
  DATAPRODUCT_GIT_CONNECT: /*            */ '- - x -',
  DATACONTRACT_ADD: /*                   */ '- x - -',
  DATACONTRACT_EDIT: /*                  */ '- - x -',
  DATACONTRACT_DELETE: /*                */ '- - x -',
  DATACONTRACT_TEST_RESULTS_EDIT: /*     */ '- - x -',
  DATACONTRACT_TEST_RUN: /*              */ '- - x -',
  DATACONTRACT_CHANGE_REQUEST_SUBMIT: /* */ '- - - x',
  DATACONTRACT_CHANGE_REQUEST_APPROVE: /**/ '- - x -',
  DATACONTRACT_GIT_CONNECT: /*           */ '- - x -',
  DATACONTRACT_BRANCH_ADD: /*            */ '- - x -',
  ASSET_ADD: /*                          */ '- x - -',
  ASSET_EDIT: /*                         */ '- - x -',
  ASSET_DELETE: /*                       */ '- - x -',
  ASSET_CHANGE_REQUEST_SUBMIT: /*        */ '- - - x',
  ASSET_CHANGE_REQUEST_APPROVE: /*       */ '- - x -',
  DEFINITION_ADD: /*                     */ '- x - -',
  DEFINITION_EDIT: /*                    */ '- - x -',
  DEFINITION_DELETE: /*                  */ '- - x -',
  SOURCE_SYSTEM_ADD: /*                  */ '- x - -',
  SOURCE_SYSTEM_EDIT: /*                 */ '- - x -',
  SOURCE_SYSTEM_DELETE: /*               */ '- - x -',
  MANAGED_TAG_ADD: /*                    */ '- x - -',
  MANAGED_TAG_EDIT: /*                   */ '- - x -',
  MANAGED_TAG_DELETE: /*                 */ '- - x -',
  MANAGED_TAG_CHANGE_REQUEST_SUBMIT: /*  */ '- - - x',
  MANAGED_TAG_CHANGE_REQUEST_APPROVE: /* */ '- - x -',
  SEMANTIC_NAMESPACE_ADD: /*             */ '- x - -',
  SEMANTIC_NAMESPACE_EDIT: /*            */ '- - x -',
  SEMANTIC_NAMESPACE_DELETE: /*          */ '- - x -',
  SEMANTIC_NAMESPACE_GIT_CONNECT: /*     */ '- - x -',
  SEMANTIC_NAMESPACE_BRANCH_ADD: /*      */ '- - x -',
  POLICY_CHECK_RUN: /*                   */ '- - x -',
  ACCESS_ADD: /*                         */ '- - - -',
  ACCESS_EDIT: /*                        */ '- - - -',
  ACCESS_DELETE: /*                      */ '- - - -',
  ACCESS_REQUEST: /*                     */ '- - - x',
  ACCESS_APPROVE: /*                     */ '- - x -',
  ACCESS_TERMINATE: /*                   */ '- - - -',
  TEAM_ADD: /*                           */ '- x - -',
  TEAM_EDIT: /*                          */ '- - - -',
  TEAM_DELETE: /*                        */ '- - - -',
  TEAM_API_KEY_MANAGE: /*                */ '- - x -',
  TEAM_MEMBER_ADD: /*                    */ '- - - -',
  TEAM_MEMBER_EDIT: /*                   */ '- - - -',
  TEAM_MEMBER_DELETE: /*                 */ '- - - -',
  INGESTION_EDIT: /*                     */ '- x x -',
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

const names = fc.subarray([...PERMISSIONS])
const callers = fc.record({
  readOnly: fc.boolean(),
  organizationOwner: fc.boolean(),
  roles: fc
    .array(fc.tuple(fc.constantFrom('a', 'b'), fc.subarray([...DEFAULT_ROLES, 'Own role'])))
    .map((held) => new Map(held)),
  customRoles: fc.option(
    fc
      .array(fc.tuple(fc.constantFrom(...DEFAULT_ROLES), names))
      .map((roles) => new Map(roles.map(([role, granted]) => [role, new Set(granted)]))),
    { nil: undefined },
  ),
})

test('may › with a limit is what it is without one, within the limit', () => {
  fc.assert(
    fc.property(callers, names, (facts, permissions) => {
      const free = callerWith(facts)
      const limit: ReadonlySet<string> = new Set(permissions)
      const limited = { ...free, allowed: limit }
      for (const permission of PERMISSIONS) {
        const isIn = limit.has(permission)
        for (const team of ['a', 'b', 'c', undefined]) {
          assert.equal(may(limited, permission, team), may(free, permission, team) && isIn)
        }
        assert.equal(maySomewhere(limited, permission), maySomewhere(free, permission) && isIn)
        assert.equal(mayUse(limited, permission), !facts.readOnly && isIn)
      }
      for (const team of ['a', 'b', undefined]) {
        const held = new Set<string>(listHeld(free, team))
        assert.deepEqual(new Set<string>(listHeld(limited, team)), held.intersection(limit))
        const isAll = mayEverything(free, team) && limit.size === PERMISSIONS.length
        assert.equal(mayEverything(limited, team), isAll)
      }
      assert.ok(!mayOwn(limited) && !isOwner(limited) && !isTeamOwner(limited, 'a'))
    }),
  )
})

test('isTeamOwner › Owners of a team, and owners of the organization, also if they only read', () => {
  const owner = callerWith({ roles: new Map([['a', ['Member', 'Owner']]]), readOnly: true })
  assert.deepEqual(
    ['a', 'b'].map((team) => isTeamOwner(owner, team)),
    [true, false],
  )
  assert.equal(isTeamOwner(callerWith({ organizationOwner: true }), 'b'), true)
  assert.equal(isTeamOwner(callerWith({ roles: new Map([['a', ['Editor']]]) }), 'a'), false)
})
