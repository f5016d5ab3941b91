import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toMapping, toRows, toType } from './scim-mapping-rows.ts'

test('toMapping › returns what toRows read, with fields that the form does not have', () => {
  const stored = {
    note: 'kept',
    scimGroupMappings: [
      { scimGroup: 'admins', type: 'organizationOwner' as const },
      {
        scimGroup: 'eds',
        type: 'teamMemberRole' as const,
        teamId: 'a',
        teamMemberRole: 'Editor',
        note: 'kept',
      },
    ],
  }
  assert.deepEqual(toMapping(stored, toRows(stored)), stored)
})

test('toMapping › removes team and role of a group that owns the organization', () => {
  const stored = {
    scimGroupMappings: [
      { scimGroup: 'g', type: 'teamMemberRole' as const, teamId: 'a', teamMemberRole: 'Editor' },
    ],
  }
  const rows = toRows(stored).map((row) => ({ ...row, type: 'organizationOwner' as const }))
  assert.deepEqual(toMapping(stored, rows), {
    scimGroupMappings: [{ scimGroup: 'g', type: 'organizationOwner' }],
  })
})

test('toMapping › removes the role of a mapping that makes people members of a team', () => {
  const one = { scimGroup: 'g', type: 'teamMemberRole' as const, teamId: 'a', teamMemberRole: 'X' }
  const rows = toRows({ scimGroupMappings: [one] }).map((row) => ({
    ...row,
    type: 'teamMember' as const,
  }))
  assert.deepEqual(toMapping({}, rows), {
    scimGroupMappings: [{ scimGroup: 'g', type: 'teamMember', teamId: 'a' }],
  })
})

test('toType › is the role in a team for an unknown name', () => {
  const names = ['organizationOwner', 'teamMemberRole', 'teamMember', 'constructor']
  assert.deepEqual(names.map(toType), [...names.slice(0, 3), 'teamMemberRole'])
})

test('toRows › reads a document without mappings', () => {
  assert.deepEqual(toRows({}), [])
  assert.deepEqual(toRows({ scimGroupMappings: null }), [])
})
