import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMapping, NEW_ROW, toMapping, toRows } from './scim-mapping-rows.ts'

// A document with every member that the server accepts.
const ACCEPTED = {
  note: null,
  scimGroupDefaults: { defaultTeamMemberRole: 'Member', note: null },
  scimGroupMappings: [
    { scimGroup: 'admins', type: 'organizationOwner' as const },
    {
      scimGroup: 'eds',
      type: 'teamMemberRole' as const,
      teamId: 'a',
      teamMemberRole: 'Editor',
      note: null,
    },
  ],
}

test('toMapping › returns what toRows read, with fields that the form does not have', () => {
  assert.deepEqual(toMapping(ACCEPTED, toRows(ACCEPTED)), ACCEPTED)
})

test('toMapping › leaves out members that the server does not accept, at every level', () => {
  const { scimGroupDefaults, scimGroupMappings } = ACCEPTED
  const stored = {
    ...ACCEPTED,
    other: true,
    scimGroupDefaults: { ...scimGroupDefaults, other: '' },
    scimGroupMappings: scimGroupMappings.map((mapping) => ({ ...mapping, other: 0 })),
  }
  assert.deepEqual(toMapping(stored, toRows(stored)), ACCEPTED)
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

test('toRows › reads a document without mappings', () => {
  assert.deepEqual(toRows({}), [])
  assert.deepEqual(toRows({ scimGroupMappings: null }), [])
})

test('describes the people of a stored group, and a team that does not exist', () => {
  const mapped = [
    { group: 'crew', people: 2, isTeamKnown: true },
    { group: 'all', people: 0, isTeamKnown: true },
  ]
  const row = { ...NEW_ROW, scimGroup: 'crew', teamId: 'a' }
  assert.deepEqual(describeMapping(row, { mapped, teamIds: ['a'] }), [
    '2 people are in this group.',
  ])
  assert.deepEqual(describeMapping({ ...row, scimGroup: 'all' }, { mapped, teamIds: [] }), [
    'No one is in this group.',
    'The team "a" does not exist yet.',
  ])
  assert.deepEqual(
    describeMapping({ ...row, scimGroup: 'new' }, { mapped, teamIds: undefined }),
    [],
  )
})
