import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describePermission } from './permission-words.ts'

const describeRoles = (...roles: string[]): string =>
  describePermission('TEAM_EDIT', 'Fleet', roles)

test('describePermission › names the custom roles that grant the permission', () => {
  assert.match(describeRoles('A', 'B'), /members of Fleet with the role "A" or "B" can /)
  assert.match(describeRoles('A', 'B', 'C'), /the role "A", "B" or "C" can /)
})

test('describePermission › names three roles, and mentions further ones', () => {
  assert.match(describeRoles('A', 'B', 'C', 'D'), /the role "A", "B", "C" or another role can /)
})

test('describePermission › owners of the organization have it if no role grants it', () => {
  assert.match(describeRoles(), /^Only owners of the organization can /)
})
