import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newCustomRolesReader } from './team-role.ts'

const customRoles = (name: string): string =>
  JSON.stringify({
    mode: 'custom-team-roles',
    'team-roles': [{ name, permissions: ['DATAPRODUCT_ADD'] }],
  })

test('custom roles › are parsed once until the document of the organization changes', () => {
  const read = newCustomRolesReader()
  const first = read('a', customRoles('Keeper'))
  assert.deepEqual([...(first ?? [])], [['Keeper', new Set(['DATAPRODUCT_ADD'])]])
  assert.equal(read('a', customRoles('Keeper')), first)
  assert.deepEqual([...(read('a', customRoles('Guard'))?.keys() ?? [])], ['Guard'])
  assert.equal(read('a', JSON.stringify({ mode: 'default' })), undefined)
})

test('custom roles › belong to one organization', () => {
  const read = newCustomRolesReader()
  read('a', customRoles('Keeper'))
  assert.equal(read('b', null), undefined)
  assert.deepEqual([...(read('b', customRoles('Guard'))?.keys() ?? [])], ['Guard'])
  assert.deepEqual([...(read('a', customRoles('Keeper'))?.keys() ?? [])], ['Keeper'])
})
