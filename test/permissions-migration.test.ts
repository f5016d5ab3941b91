/** The migration that gives each kind of resource its own permissions. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sample, subarray } from 'fast-check'
import { PERMISSIONS_WITHOUT_EFFECT } from '../formats/team/permission-names.ts'
import { DEFAULT_ROLES, listGrants, PERMISSIONS } from '../server/requests/access/permission.ts'
import { parseCustomRoles } from '../server/requests/access/team-role.ts'
import { useScratchDatabase } from './scratch-database.ts'

const MIGRATION = new URL('../server/migrations/0045_permissions_by_kind.sql', import.meta.url)

// The permissions before the migration, each with the default roles that granted it.
const FORMER: ReadonlyMap<string, readonly string[]> = new Map([
  ['RESOURCES_ADD', ['Approver', 'Editor']],
  ['RESOURCES_EDIT', ['Approver', 'Editor', 'Steward']],
  ['RESOURCES_DELETE', ['Approver', 'Editor']],
  ['CHANGE_REQUEST_SUBMIT', ['Approver', 'Editor', 'Steward', 'Member']],
  ['CHANGE_REQUEST_APPROVE', ['Approver', 'Steward']],
  ['ACCESS_ADD', ['Approver']],
  ['ACCESS_EDIT', ['Approver', 'Editor']],
  ['ACCESS_DELETE', ['Approver']],
  ['ACCESS_REQUEST', ['Approver', 'Editor', 'Steward', 'Member']],
  ['ACCESS_APPROVE', ['Approver']],
  ['ACCESS_TERMINATE', ['Approver']],
  ['TEAM_ADD', []],
  ['TEAM_EDIT', []],
  ['TEAM_DELETE', []],
  ['TEAM_MEMBER_ADD', []],
  ['TEAM_MEMBER_EDIT', []],
  ['TEAM_MEMBER_DELETE', []],
  ['INGESTION_EDIT', ['Approver', 'Editor']],
])

const WITHOUT_EFFECT: ReadonlySet<string> = new Set(PERMISSIONS_WITHOUT_EFFECT)

/** Returns the former permission for the action that a permission allows; undefined = the action is new. */
function getFormer(permission: string): string | undefined {
  if (FORMER.has(permission)) return permission
  if (permission === 'TEAM_API_KEY_MANAGE') return 'RESOURCES_DELETE'
  if (permission.endsWith('TEST_RESULTS_EDIT')) return 'RESOURCES_EDIT'
  if (WITHOUT_EFFECT.has(permission) || permission === 'DATACONTRACT_TEST_RUN') return undefined
  return permission.replace(/^.*_(ADD|EDIT|DELETE)$/, 'RESOURCES_$1')
}

const client = useScratchDatabase('permissions')

async function migrate(documents: readonly string[]): Promise<string[]> {
  await client().query('drop table if exists organization_document')
  await client().query('create table organization_document (at int, kind text, document text)')
  await client().query(
    `insert into organization_document
     select at, 'team-roles', document from unnest($1::text[]) with ordinality as sent (document, at)`,
    [documents],
  )
  await client().query(readFileSync(MIGRATION, 'utf8'))
  const { rows } = await client().query<{ document: string }>(
    'select document from organization_document order by at',
  )
  return rows.map(({ document }) => document)
}

function newDocument(permissions: readonly string[]): string {
  return JSON.stringify({ mode: 'custom-team-roles', 'team-roles': [{ name: 'One', permissions }] })
}

test('0045 › a role allows the actions that it allowed before, and no others', async () => {
  const grants = sample(subarray([...FORMER.keys()]), 200)
  const documents = await migrate(grants.map(newDocument))
  for (const [at, document] of documents.entries()) {
    const before = grants[at] ?? []
    const after = parseCustomRoles(document)?.get('One')
    for (const permission of PERMISSIONS) {
      const former = getFormer(permission)
      if (former === undefined) continue
      assert.equal(
        after?.has(permission),
        before.includes(former),
        `${permission} of ${before.join(', ')}`,
      )
    }
  }
})

test('0045 › a role that had every permission has every permission', async () => {
  const [document = ''] = await migrate([newDocument([...FORMER.keys()])])
  assert.deepEqual(parseCustomRoles(document)?.get('One'), new Set(PERMISSIONS))
})

test('0045 › everything else in a document stays, in its order', async () => {
  const text = `{"x":1.50,"team-roles":[{"permissions":["TEAM_EDIT","RESOURCES_DELETE"],"rank":1e2,"name":"B"},{"name":"A","permissions":[],"color":null}],"mode":"custom-team-roles"}`
  const [document = '', unchanged] = await migrate([text, '{"mode":"default"}'])
  const roles: [object, object] = JSON.parse(document)['team-roles']
  assert.match(document, /"x" : 1\.50.*"rank" : 1e2.*"mode"/)
  assert.deepEqual(Object.keys(roles[0]), ['permissions', 'rank', 'name'])
  assert.deepEqual(roles[1], { name: 'A', permissions: [], color: null })
  assert.equal(unchanged, '{"mode":"default"}')
})

test('the default roles › allow every action that they allowed before, and no other', () => {
  for (const role of DEFAULT_ROLES) {
    for (const permission of PERMISSIONS) {
      const former = getFormer(permission)
      if (former === undefined) continue
      const was = role === 'Owner' || (FORMER.get(former) ?? []).includes(role)
      assert.equal(listGrants(role).has(permission), was, `${role} ${permission}`)
    }
  }
})
