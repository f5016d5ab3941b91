import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SourceDatabase } from '../../../test/postgres-source.ts'
import {
  catchFailure,
  readSourceGrants,
  type GrantsOfSource,
} from '../../../test/source-reading.ts'
import {
  startRewritingProxy,
  type RewritingProxy,
} from '../../../test/warehouses/postgres-wire/proxy.ts'
import { asRedshift, failWith } from '../../../test/warehouses/postgres-wire/redshift.ts'
import { uniqueId } from '../../../test/world.ts'
import { postgres } from './connector.ts'

describe('grants of Amazon Redshift', () => {
  const suffix = uniqueId()
  const name = (role: string): string => `${role}_${suffix}`
  let database: SourceDatabase
  let proxy: RewritingProxy
  before(async () => {
    const url = process.env['PORTBOOK_TEST_POSTGRES'] ?? ''
    database = await SourceDatabase.create(
      url,
      `
      create role ${name('analyst')} login;
      create role ${name('reader')};
      create role ${name('outer')};
      create role ${name('group_sales')};
      create role ${name('root')} login superuser;
      grant ${name('reader')} to ${name('outer')};
      grant ${name('outer')}, ${name('group_sales')} to ${name('analyst')};
      create schema sales; create schema scoped; create schema spectrum;
      grant usage on schema spectrum, scoped to public;
      grant usage on schema sales to ${name('reader')}, ${name('group_sales')};
      create table sales.orders (id int, amount int);
      create table sales.open (id int);
      grant select, update on sales.orders to ${name('reader')};
      grant select (id, amount) on sales.orders to ${name('group_sales')};
      grant select on sales.open to public;
      grant select on sales.open to ${name('analyst')} with grant option`,
    )
    await database.execute(
      `do $$ begin create role catalog_reader; exception when duplicate_object then null; end $$`,
    )
    await database.execute(
      `grant usage on schema sales to ${database.user}; grant catalog_reader to ${database.user}`,
    )
    proxy = await startRewritingProxy(database.url, asRedshift)
  })
  after(async () => {
    await proxy.close()
    await database.drop()
  })

  const read = async (): Promise<GrantsOfSource> =>
    await readSourceGrants(postgres, database.setup({ configuration: { port: proxy.port } }))
  // Without what the owner of everything has.
  const listLines = (lines: readonly string[]): string[] =>
    lines
      .filter((line) => !/ user postgres:| (?:USAGE|OWNERSHIP).* user | user user_/.test(line))
      .map((line) => line.replaceAll(`_${suffix}`, '').replaceAll(database.name, 'db'))

  test('reads grants on tables, columns, schemas and scopes, of users, groups, roles and everyone', async () => {
    const { lines, outcomes, membership } = await read()
    const own = listLines(lines).filter((line) => !/ user [^a]/.test(line))
    assert.deepEqual(own, [
      'db public : use CONNECT',
      'db role wide_reader: read SELECT',
      'db/public public : use USAGE',
      'db/public role pg_database_owner: use USAGE',
      'db/public role wide_reader: use USAGE from db',
      'db/sales group group_sales: use USAGE',
      'db/sales role reader: use USAGE',
      'db/sales role wide_reader: use USAGE from db',
      'db/sales/open public : read SELECT',
      'db/sales/open user analyst: read SELECT with grant',
      'db/sales/orders group group_sales: read SELECT (amount, id)',
      'db/sales/orders role reader: read SELECT',
      'db/sales/orders role reader: write UPDATE',
      'db/scoped public : use USAGE',
      'db/scoped role scoped_reader: read SELECT',
      'db/scoped role wide_reader: use USAGE from db',
      'db/spectrum public : use USAGE',
      'db/spectrum role wide_reader: use USAGE from db',
    ])
    assert.deepEqual(
      outcomes.map(({ path, isWhole, message }) => [path[1], isWhole, message]),
      [
        ['public', true, undefined],
        ['sales', true, undefined],
        ['scoped', true, undefined],
        ['spectrum', true, 'Access to an external schema also depends on IAM and Lake Formation.'],
      ],
    )
    assert.deepEqual(membership, {})
  })

  test('gives owners all privileges on their tables, and the use of their schemas', async () => {
    const { lines } = await read()
    const own = lines.filter((line) => line.startsWith(`${database.name}/sales`))
    for (const end of [': use USAGE', ': read OWNERSHIP', ': write OWNERSHIP']) {
      assert.ok(
        own.some((line) => / user /.test(line) && line.endsWith(end)),
        end,
      )
    }
  })

  test('reads members of roles and groups, and superusers', async () => {
    const { members, administrators } = await read()
    const own = members
      .map(({ role, member }) => `${member.kind} ${member.name} in ${role.kind} ${role.name}`)
      .filter((line) => line.includes(suffix))
    assert.deepEqual(own.map((line) => line.replaceAll(`_${suffix}`, '')).toSorted(), [
      'role outer in role reader',
      'user analyst in group group_sales',
      'user analyst in role outer',
    ])
    const names = administrators.map((one) => `${one.kind} ${one.name}`)
    assert.ok(names.includes(`user ${name('root')}`))
    assert.ok(names.includes('role sys:superuser'))
    assert.ok(!names.includes(`user ${name('analyst')}`))
  })

  test('a database whose grants cannot be read proves nothing, and memberships are read', async () => {
    const isOfTables = /svv_relation_privileges r/
    proxy.use((text) => (isOfTables.test(text) ? failWith('42501') : asRedshift(text)))
    try {
      const { outcomes, membership, members } = await read()
      assert.equal(outcomes.length, 4)
      assert.ok(outcomes.every(({ isWhole, message }) => !isWhole && message !== undefined))
      assert.deepEqual(membership, {})
      assert.ok(members.length > 0)
    } finally {
      proxy.use(asRedshift)
    }
  })

  test('reads nothing without the right to see the privileges of others', async () => {
    await database.execute(`revoke catalog_reader from ${database.user}`)
    try {
      const { kind, message } = await catchFailure(read())
      assert.equal(kind, 'permission')
      assert.match(message, /does not see the privileges of others/)
    } finally {
      await database.execute(`grant catalog_reader to ${database.user}`)
    }
  })
})
