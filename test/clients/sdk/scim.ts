/** The calls of the Python SDK that provision people and groups. */

import type { SdkRow } from './sdk-row.ts'

const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
const EMAIL = 'sdk-person@example.test'
const USER = {
  userName: EMAIL,
  externalId: 'sdk-1',
  displayName: 'Ada Byron',
  emails: [{ value: EMAIL, type: 'work', primary: true }],
}
const ONE_PAGE = { start_index: 1, count: 1000 }

/** A PATCH as the SDK writes it: `operations` in lower case. */
function patch(operations: readonly object[]): object {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], operations }
}

/** The rows, in their order. */
export const SCIM_ROWS: readonly SdkRow[] = [
  { call: 'scim.create_user', args: [USER], gives: USER, keeps: { person: ['id'] } },
  { call: 'scim.create_user', args: [USER], fails: [409, 'uniqueness'] },
  { call: 'scim.get_user', args: ['$person'], gives: { id: '$person', active: true } },
  {
    call: 'scim.list_users',
    options: { ...ONE_PAGE, filter: `userName eq "${EMAIL}"` },
    gives: { totalResults: 1, resources: [{ id: '$person' }] },
  },
  {
    call: 'scim.replace_user',
    args: ['$person', { ...USER, displayName: 'Ada' }],
    gives: { displayName: 'Ada', active: true },
  },
  {
    call: 'scim.update_user',
    args: ['$person', patch([{ op: 'replace', value: { active: false } }])],
    gives: { active: false },
  },
  {
    call: 'scim.update_user',
    args: ['$person', patch([{ op: 'replace', path: 'active', value: true }])],
    gives: { active: true },
  },
  {
    call: 'scim.create_group',
    args: [{ displayName: 'SDK', members: [{ value: '$person' }] }],
    gives: { displayName: 'SDK', members: [{ value: '$person', type: 'User' }] },
    keeps: { group: ['id'] },
  },
  { call: 'scim.get_group', args: ['$group'], gives: { members: [{ value: '$person' }] } },
  {
    call: 'scim.list_groups',
    options: { ...ONE_PAGE, filter: 'members[value eq "$person"]' },
    gives: { resources: [{ id: '$group' }] },
  },
  {
    call: 'scim.update_group',
    args: ['$group', patch([{ op: 'remove', path: 'members[value eq "$person"]' }])],
    gives: { members: [] },
  },
  {
    call: 'scim.update_group',
    args: ['$group', patch([{ op: 'add', path: 'members', value: { value: '$person' } }])],
    gives: { members: [{ value: '$person' }] },
  },
  {
    call: 'scim.replace_group',
    args: ['$group', { displayName: 'SDK 2', members: [] }],
    gives: { displayName: 'SDK 2', members: [] },
  },
  { call: 'scim.delete_group', args: ['$group'] },
  { call: 'scim.get_group', args: ['$group'], fails: [404, ''] },
  { call: 'scim.delete_user', args: ['$person'] },
  { call: 'scim.get_user', args: ['$person'], fails: [404, ''] },
  { call: 'scim.get_service_provider_config', gives: { patch: { supported: true } } },
  { call: 'scim.list_resource_types', gives: { totalResults: 2 } },
  { call: 'scim.get_resource_type', args: ['User'], gives: { schema: USER_SCHEMA } },
  { call: 'scim.list_schemas', gives: { totalResults: 2 } },
  { call: 'scim.get_schema', args: [USER_SCHEMA], gives: { name: 'User' } },
]
