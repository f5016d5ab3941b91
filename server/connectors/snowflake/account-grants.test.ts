import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { catchFailure } from '../../../test/source-reading.ts'
import type { ModelGrant } from '../../../test/warehouses/snowflake/model.ts'
import { newTable, startSnowflake } from '../../../test/warehouses/snowflake/source.ts'

const ORDERS = {
  granted_on: 'TABLE',
  name: 'ORDERS',
  table_catalog: 'SHOP',
  table_schema: 'SALES',
}

function newGrant(privilege: string, grantee_name: string, more: ModelGrant = {}): ModelGrant {
  return { privilege, granted_to: 'ROLE', grantee_name, grant_option: 'false', ...ORDERS, ...more }
}

function newMembership(name: string, grantee_name: string, more: ModelGrant = {}): ModelGrant {
  const on = { granted_on: 'ROLE', name, table_catalog: null, table_schema: null }
  return newGrant('USAGE', grantee_name, { ...on, ...more })
}

describe('grants of Snowflake', () => {
  test('reads privileges on tables, views, schemas and databases', async (t) => {
    const source = await startSnowflake(t)
    source.model.grantsToRoles = [
      newGrant('USAGE', 'READER', { granted_on: 'DATABASE', name: 'SHOP', table_catalog: null }),
      newGrant('MONITOR', 'READER', { granted_on: 'SCHEMA', name: 'SALES', table_schema: null }),
      newGrant('SELECT', 'READER', { grant_option: 'true' }),
      newGrant('SELECT', 'PUBLIC', { granted_on: 'MATERIALIZED VIEW', name: 'DAILY' }),
      newGrant('SELECT', 'it’s "x"', { granted_to: 'ACCOUNT ROLE' }),
      newGrant('TRUNCATE', 'LOADER'),
      newGrant('OWNERSHIP', 'OWNER', { granted_on: 'ICEBERG_TABLE' }),
      newGrant('REFERENCES', 'PORTBOOK'),
      newGrant('SELECT', 'IN_DATABASE', { granted_to: 'DATABASE_ROLE' }),
      newGrant('SELECT', 'ALICE', { granted_to: 'USER' }),
      newGrant('SELECT', 'NATIVE_APP', { granted_to: 'APPLICATION' }),
      newGrant('SELECT', 'FORMER', { deleted_on: '1' }),
      newGrant('SELECT', 'STRANGER', { table_catalog: 'OTHER' }),
      newGrant('USAGE', 'STRANGER', { granted_on: 'STAGE' }),
    ]
    const { lines, outcomes, membership, administrators } = await source.readGrants()
    assert.deepEqual(lines, [
      'SHOP role READER: use USAGE',
      'SHOP/SALES role READER: use MONITOR',
      'SHOP/SALES/DAILY public : read SELECT',
      'SHOP/SALES/ORDERS role LOADER: write TRUNCATE',
      'SHOP/SALES/ORDERS role OWNER: read OWNERSHIP',
      'SHOP/SALES/ORDERS role OWNER: write OWNERSHIP',
      'SHOP/SALES/ORDERS role READER: read SELECT with grant',
      'SHOP/SALES/ORDERS role SHOP.IN_DATABASE: read SELECT',
      'SHOP/SALES/ORDERS role it’s "x": read SELECT',
      'SHOP/SALES/ORDERS user ALICE: read SELECT',
    ])
    assert.deepEqual(outcomes, [{ path: ['SHOP', 'SALES'], isWhole: true }])
    assert.deepEqual(membership, {})
    assert.deepEqual(administrators, [{ kind: 'role', name: 'ACCOUNTADMIN' }])
  })

  test('reads roles of roles, of users and of databases', async (t) => {
    const source = await startSnowflake(t)
    const ofDatabase = { granted_on: 'DATABASE_ROLE', table_catalog: 'SHOP' }
    source.model.grantsToRoles = [
      newMembership('READER', 'ANALYST'),
      newMembership('IN_DATABASE', 'ANALYST', ofDatabase),
      newMembership('IN_DATABASE', 'OUTER', { ...ofDatabase, granted_to: 'DATABASE_ROLE' }),
      newMembership('READER', 'FORMER', { deleted_on: '1' }),
      newMembership('READER', 'OWNER', { privilege: 'OWNERSHIP' }),
    ]
    source.model.grantsToUsers = [
      { role: 'ANALYST', grantee_name: 'ALICE' },
      { role: 'ANALYST', grantee_name: 'BOB', deleted_on: '1' },
    ]
    const { members } = await source.readGrants()
    assert.deepEqual(
      members.map(({ role, member, ...how }) => [
        `${member.kind} ${member.name} in ${role.kind} ${role.name}`,
        how,
      ]),
      [
        ['role ANALYST in role READER', { isInherited: true, isSettable: true }],
        ['role ANALYST in role SHOP.IN_DATABASE', { isInherited: true, isSettable: false }],
        ['role SHOP.OUTER in role SHOP.IN_DATABASE', { isInherited: true, isSettable: false }],
        ['user ALICE in role ANALYST', { isInherited: true, isSettable: true }],
      ],
    )
  })

  test('is incomplete in the database of a share', async (t) => {
    const source = await startSnowflake(t)
    source.model.databases['SHARED'] = {
      origin: 'PARTNER.SHARE',
      schemas: { S: { tables: { T: newTable() } } },
    }
    const filters = { include: { database: ['SHARED', 'SHOP'] }, exclude: {} }
    const { outcomes } = await source.readGrants({ filters })
    assert.deepEqual(
      outcomes.map(({ path, message }) => [path[0], message]),
      [
        ['SHARED', 'The grants inside a database of a share are not recorded.'],
        ['SHOP', undefined],
      ],
    )
  })

  test('fails without the right to read ACCOUNT_USAGE', async (t) => {
    const source = await startSnowflake(t)
    source.model.errors['grants_to_users'] = {
      code: '002003',
      sqlState: '42S02',
      message: 'does not exist or not authorized',
    }
    assert.equal((await catchFailure(source.readGrants())).kind, 'permission')
  })

  test('reads many grants over several partitions, with a statement for each database', async (t) => {
    const source = await startSnowflake(t)
    source.model.grantsToRoles = Array.from({ length: 3500 }, (_, at) =>
      newGrant('SELECT', `ROLE_${at}`),
    )
    assert.equal((await source.readGrants()).grants.length, 3500)
    const sent = source.model.statements.filter((sql) => sql.includes('.grants_to_'))
    assert.equal(sent.length, 3)
  })
})
