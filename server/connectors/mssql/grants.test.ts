import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import type { AccessModel } from '../../../test/warehouses/mssql/access.ts'
import {
  newDatabase,
  newTable,
  startMssqlSource,
  type MssqlSource,
} from '../../../test/warehouses/mssql/source.ts'
import { readSourceGrants, type GrantsOfSource } from '../../../test/source-reading.ts'
import { mssql } from './connector.ts'

const ALICE = { id: 5, name: 'alice', sid: '0xA1' }
const READER = { id: 6, name: 'dp_orders_reader', type: 'R' }
const ON_ORDERS = { schema: 'dbo', object: 'orders' }

async function start(t: TestContext, access: AccessModel): Promise<MssqlSource> {
  const source = await startMssqlSource(t)
  source.model.databases['shop'] = newDatabase([newTable('orders')], { access })
  source.model.administrators = [['sa', 'S', '0x01']]
  return source
}

async function read(source: MssqlSource): Promise<GrantsOfSource> {
  const result = await readSourceGrants(mssql, source.setup())
  // Those of fixed roles are the same in every database.
  return {
    ...result,
    lines: result.lines.filter((line) => !/ role (?:\[\w+\]\.\[)?db_/.test(line)),
  }
}

const toLine = (where: string, name: string): string =>
  `${where}: ${name === 'SELECT' ? 'deny' : 'deny_write'} ${name}`

describe('grants of SQL Server', () => {
  test('reads permissions on tables, columns, schemas and the database', async (t) => {
    const source = await start(t, {
      principals: [ALICE, READER],
      permissions: [
        { grantee: 5, permission: 'CONNECT' },
        { grantee: 5, permission: 'SELECT' },
        { grantee: 6, permission: 'SELECT', state: 'W', ...ON_ORDERS },
        { grantee: 6, permission: 'CONTROL', schema: 'dbo' },
        { grantee: 5, permission: 'UPDATE', ...ON_ORDERS, column: 'a' },
        { grantee: 5, permission: 'UPDATE', ...ON_ORDERS, column: 'b' },
        { grantee: 0, permission: 'SELECT', ...ON_ORDERS },
        { grantee: 5, permission: 'SELECT', schema: 'hidden', object: 'x' },
        { grantee: 5, permission: 'SELECT', state: 'R', ...ON_ORDERS, column: 'a' },
        { grantee: 5, permission: 'REFERENCES', ...ON_ORDERS },
      ],
      owners: [
        { id: 1, schema: 'dbo' },
        { id: 5, ...ON_ORDERS },
      ],
    })
    const { lines, outcomes, membership, administrators } = await read(source)
    assert.deepEqual(lines, [
      'shop user alice: read SELECT',
      'shop/dbo role dp_orders_reader: read CONTROL',
      'shop/dbo role dp_orders_reader: write CONTROL',
      'shop/dbo/orders public : read SELECT',
      'shop/dbo/orders role dp_orders_reader: read SELECT with grant',
      'shop/dbo/orders user alice: read OWNERSHIP',
      'shop/dbo/orders user alice: write OWNERSHIP',
      'shop/dbo/orders user alice: write UPDATE (a, b)',
    ])
    assert.deepEqual(outcomes, [{ path: ['shop', 'dbo'], isWhole: true }])
    assert.deepEqual(membership, {})
    assert.deepEqual(administrators, [
      { kind: 'user', name: 'dbo' },
      { kind: 'user', name: 'dbo' },
      { kind: 'user', name: 'sa' },
    ])
  })

  test('reports denials of reading and of each privilege to write', async (t) => {
    const source = await start(t, {
      principals: [ALICE, READER, { id: 7, name: 'shut' }],
      permissions: [
        { grantee: 5, permission: 'SELECT', state: 'D', ...ON_ORDERS },
        { grantee: 6, permission: 'CONTROL', state: 'D', schema: 'dbo' },
        { grantee: 7, permission: 'CONNECT', state: 'D' },
        { grantee: 6, permission: 'SELECT', state: 'D', ...ON_ORDERS, column: 'a' },
      ],
    })
    const { lines } = await read(source)
    const controlled = ['SELECT', 'ALTER', 'CONTROL', 'DELETE', 'INSERT', 'UPDATE']
    assert.deepEqual(
      lines,
      [
        ...controlled.map((name) => toLine('shop/dbo role dp_orders_reader', name)),
        'shop/dbo/orders role dp_orders_reader: deny SELECT (a)',
        'shop/dbo/orders user alice: deny SELECT',
        ...controlled
          .toSpliced(4, 1, 'INSERT', 'OWNERSHIP')
          .map((name) => toLine('shop user shut', name)),
      ].toSorted(),
    )
  })

  test('a permission for a column wins over the denial for its table', async (t) => {
    const source = await start(t, {
      principals: [ALICE],
      permissions: [
        { grantee: 5, permission: 'SELECT', state: 'D', ...ON_ORDERS },
        { grantee: 5, permission: 'SELECT', ...ON_ORDERS, column: 'id' },
      ],
    })
    assert.deepEqual((await read(source)).lines, ['shop/dbo/orders user alice: read SELECT (id)'])
  })

  test('gives fixed roles their rights, and their members', async (t) => {
    const source = await start(t, {
      principals: [ALICE, READER],
      members: [
        [16_390, 5],
        [6, 5],
        [16_392, 6],
      ],
    })
    const { lines, members } = await readSourceGrants(mssql, source.setup())
    assert.deepEqual(lines, [
      'shop role db_datareader: read SELECT',
      'shop role db_datawriter: write DELETE',
      'shop role db_datawriter: write INSERT',
      'shop role db_datawriter: write UPDATE',
      'shop role db_denydatareader: deny SELECT',
      'shop role db_denydatawriter: deny_write DELETE',
      'shop role db_denydatawriter: deny_write INSERT',
      'shop role db_denydatawriter: deny_write UPDATE',
      'shop role db_owner: read CONTROL',
      'shop role db_owner: write CONTROL',
    ])
    assert.deepEqual(
      members.map(({ role, member, ...how }) => [role.name, member.name, how]),
      [
        ['db_datareader', 'alice', { isInherited: true, isSettable: false }],
        ['dp_orders_reader', 'alice', { isInherited: true, isSettable: false }],
        ['db_denydatareader', 'dp_orders_reader', { isInherited: true, isSettable: false }],
      ],
    )
  })

  test('distinguishes roles of one name in two databases, and users of two logins', async (t) => {
    const source = await start(t, {
      principals: [ALICE, READER, { id: 8, name: 'bob', sid: '0xB1' }],
      members: [[6, 5]],
      permissions: [
        { grantee: 6, permission: 'SELECT', ...ON_ORDERS },
        { grantee: 8, permission: 'SELECT', ...ON_ORDERS },
      ],
    })
    source.model.databases['other'] = newDatabase([newTable('orders')], {
      access: {
        principals: [
          { ...ALICE, id: 9 },
          { ...READER, id: 10 },
          { id: 11, name: 'bob', sid: '0xB2' },
        ],
        members: [[10, 11]],
        permissions: [{ grantee: 10, permission: 'SELECT', ...ON_ORDERS }],
      },
    })
    const { lines, members } = await read(source)
    assert.deepEqual(lines, [
      'other/dbo/orders role [other].[dp_orders_reader]: read SELECT',
      'other/dbo/orders role dp_orders_reader: read SELECT',
      'shop/dbo/orders role [shop].[dp_orders_reader]: read SELECT',
      'shop/dbo/orders role dp_orders_reader: read SELECT',
      'shop/dbo/orders user [shop].[bob]: read SELECT',
    ])
    assert.deepEqual(
      members.map(({ role, member }) => [role.name, member.name]),
      [
        ['[shop].[dp_orders_reader]', 'alice'],
        ['[other].[dp_orders_reader]', '[other].[bob]'],
      ],
    )
  })

  test('names members of the server roles as administrators, by login and by user', async (t) => {
    const source = await start(t, { principals: [{ id: 5, name: 'boss', sid: '0xA1' }] })
    source.model.administrators = [
      ['CORP\\boss', 'U', '0xA1'],
      ['CORP\\dba', 'G', '0xA2'],
    ]
    const { administrators } = await read(source)
    assert.deepEqual(
      administrators.map(({ kind, name }) => `${kind} ${name}`),
      ['user dbo', 'user boss', 'user CORP\\boss', 'group CORP\\dba'],
    )
  })

  test('is incomplete with groups, or if the roles of the server are hidden', async (t) => {
    const source = await start(t, { principals: [{ id: 5, name: 'CORP\\sales', type: 'G' }] })
    const getMessage = async (): Promise<string | undefined> =>
      (await read(source)).outcomes[0]?.message
    assert.equal(await getMessage(), 'The members of Windows and Entra groups are not visible.')
    delete source.model.administrators
    assert.equal(await getMessage(), 'The roles of the server are not visible to the account.')
    source.model.edition = 11
    assert.equal(
      (await readSourceGrants(mssql, source.setup({ configuration: { database: 'shop' } })))
        .outcomes[0]?.message,
      'Roles of the workspace are not visible.',
    )
  })

  for (const [name, access] of [
    ['hides permissions', { isVisible: false }],
    ['denies their definition for an object', { denials: 1 }],
  ] as const) {
    test(`proves nothing in a database that ${name}, and reads the others`, async (t) => {
      const source = await start(t, { principals: [ALICE] })
      source.model.databases['hr'] = newDatabase([newTable('people')], { access })
      const { outcomes, membership } = await read(source)
      assert.deepEqual(
        outcomes.map(({ path, isWhole, message }) => [path.join('.'), isWhole, message]),
        [
          [
            'hr.dbo',
            false,
            'The permissions of hr are not all visible. Grant VIEW DEFINITION on the database.',
          ],
          ['shop.dbo', true, undefined],
        ],
      )
      assert.equal(membership, undefined)
    })
  }

  test('proves nothing where the product cannot check its own rights', async (t) => {
    const source = await start(t, {})
    source.model.edition = 6
    const setup = source.setup({ configuration: { database: 'shop' } })
    const { outcomes, grants } = await readSourceGrants(mssql, setup)
    assert.deepEqual(
      outcomes.map(({ isWhole }) => isWhole),
      [false],
    )
    assert.deepEqual(grants, [])
  })

  test('reads names with quotes, and many permissions in batches', async (t) => {
    const principals = Array.from({ length: 2500 }, (_, at) => ({
      id: 100 + at,
      name: `it's ] ${at}`,
    }))
    const source = await start(t, {
      principals,
      permissions: principals.map(({ id }) => ({
        grantee: id,
        permission: 'SELECT',
        ...ON_ORDERS,
      })),
    })
    const { lines } = await read(source)
    assert.equal(lines.length, 2500)
    assert.ok(lines.includes(`shop/dbo/orders user it's ] 7: read SELECT`))
  })
})
