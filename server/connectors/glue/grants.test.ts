import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { catchFailure } from '../../../test/source-reading.ts'
import type { GluePermission } from '../../../test/warehouses/glue/server.ts'
import { newTable, startGlueSource, type GlueSource } from '../../../test/warehouses/glue/source.ts'

const ROLE = 'arn:aws:iam::123456789012:role/data/reader'
const LIMIT = 'Access by policies of IAM and of the storage is not visible.'

async function start(
  t: TestContext,
  permissions: Record<string, readonly GluePermission[]>,
): Promise<GlueSource> {
  const source = await startGlueSource(t)
  source.model.databases = { sales: [newTable('orders'), newTable('events')] }
  source.model.permissions = permissions
  return source
}

function newSelect(principal: string, resource?: Record<string, unknown>): GluePermission {
  return { principal, permissions: ['SELECT'], ...(resource && { resource }) }
}

describe('grants of Lake Formation', () => {
  test('reads permissions on tables, columns, filters, tags and all tables', async (t) => {
    const columns = { DatabaseName: 'sales', Name: 'orders', ColumnNames: ['id', 'day'] }
    const except = { ColumnWildcard: { ExcludedColumnNames: ['name'] } }
    const all = { Name: 'ALL_TABLES', ColumnWildcard: {} }
    const source = await start(t, {
      'sales.*': [newSelect('arn:aws:iam::123456789012:user/ann', { TableWithColumns: all })],
      'sales.orders': [
        newSelect(ROLE, { TableWithColumns: { Name: 'orders', ColumnWildcard: {} } }),
        { principal: ROLE, permissions: ['DESCRIBE', 'INSERT'], grantable: ['INSERT'] },
        newSelect(`${ROLE}-columns`, { TableWithColumns: columns }),
        newSelect(`${ROLE}-except`, { TableWithColumns: { Name: 'orders', ...except } }),
        newSelect(`${ROLE}-rows`, { DataCellsFilter: { TableName: 'orders', Name: 'germany' } }),
        newSelect(`${ROLE}-tags`, { LFTagPolicy: { ResourceType: 'TABLE', Expression: [] } }),
        { principal: 'arn:aws:identitystore:::group/1-2', permissions: ['ALL'] },
        newSelect('arn:aws:iam::123456789012:saml-provider/idp:user/bob'),
        newSelect('123456789012:IAMPrincipals'),
        newSelect('210987654321'),
        newSelect('arn:aws:organizations::1:organization/o-1'),
      ],
    })
    const { lines, outcomes, membership } = await source.readGrants(['orders'])
    assert.deepEqual(lines, [
      'sales user arn:aws:iam::123456789012:user/ann: read SELECT',
      'sales/orders group arn:aws:identitystore:::group/1-2: read ALL',
      'sales/orders group arn:aws:identitystore:::group/1-2: write ALL',
      'sales/orders public : read SELECT',
      `sales/orders role ${ROLE}-columns: read SELECT (id, day)`,
      `sales/orders role ${ROLE}-except: read SELECT ()`,
      `sales/orders role ${ROLE}-rows: read SELECT ()`,
      `sales/orders role ${ROLE}-tags: read SELECT from LF-tags`,
      `sales/orders role ${ROLE}: read SELECT`,
      `sales/orders role ${ROLE}: write INSERT with grant`,
      'sales/orders user arn:aws:iam::123456789012:saml-provider/idp:user/bob: read SELECT',
    ])
    assert.deepEqual(outcomes, [{ path: ['sales', 'orders'], isWhole: true, message: LIMIT }])
    assert.deepEqual(membership, {})
  })

  test('concludes nothing where IAM decides, and from conditions', async (t) => {
    const source = await start(t, {
      'sales.orders': [{ principal: 'IAM_ALLOWED_PRINCIPALS', permissions: ['ALL'] }],
      'sales.events': [{ ...newSelect(ROLE), condition: 'context.date' }],
    })
    const { grants, outcomes } = await source.readGrants(['orders', 'events'])
    assert.deepEqual(grants, [])
    assert.deepEqual(
      outcomes.map(({ isWhole, message }) => [isWhole, message]),
      [
        [true, 'Policies of IAM decide about this table (IAMAllowedPrincipals).'],
        [true, 'Grants with a condition are not compared.'],
      ],
    )
  })

  test('reads nothing as an account that does not administer the data lake', async (t) => {
    const source = await start(t, { 'sales.orders': [newSelect(ROLE)] })
    source.model.administrators = { full: [ROLE], readOnly: [] }
    const failure = await catchFailure(source.readGrants(['orders']))
    assert.equal(failure.kind, 'permission')
    assert.match(failure.message, /read-only administrator\.$/)
  })

  test('recognizes itself as the session of a role, and names administrators', async (t) => {
    const source = await start(t, {})
    source.model.callerArn = 'arn:aws:sts::123456789012:assumed-role/reader/session'
    source.model.administrators = { full: [ROLE], readOnly: [] }
    const { administrators, outcomes } = await source.readGrants(['orders'])
    assert.deepEqual(administrators, [{ kind: 'role', name: ROLE }])
    assert.equal(outcomes.length, 1)
    source.model.callerArn = 'arn:aws:sts::123456789012:assumed-role/other/session'
    assert.equal((await catchFailure(source.readGrants(['orders']))).kind, 'permission')
  })

  test('a table or database that is denied proves nothing', async (t) => {
    const source = await start(t, {})
    source.model.denied.add('sales.orders')
    const read = async (): Promise<unknown> => {
      const { outcomes } = await source.readGrants(['orders', 'events'])
      return outcomes.map(({ path, isWhole }) => [path[1], isWhole])
    }
    assert.deepEqual(await read(), [
      ['orders', false],
      ['events', true],
    ])
    source.model.denied.add('sales.*')
    assert.deepEqual(await read(), [
      ['orders', false],
      ['events', false],
    ])
  })

  test('reads all pages, and requests nothing without tables', async (t) => {
    const source = await start(t, {
      'sales.orders': Array.from({ length: 250 }, (_, at) => newSelect(`${ROLE}${at}`)),
    })
    assert.deepEqual((await source.readGrants([])).outcomes, [])
    assert.ok(!source.listOperations().some((name) => name.includes('ListPermissions')))
    assert.equal((await source.readGrants(['orders'])).grants.length, 250)
  })
})
