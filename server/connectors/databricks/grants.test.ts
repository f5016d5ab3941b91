import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { catchFailure } from '../../../test/source-reading.ts'
import {
  newTable,
  startUnitySource,
  type UnitySource,
} from '../../../test/warehouses/unity/source.ts'

const ME = 'portbook@example.com'
const HIDDEN =
  'The grants on main.sales.orders may not all be visible. Grant the account MANAGE on its catalog.'

async function start(t: TestContext): Promise<UnitySource> {
  const source = await startUnitySource(t)
  source.model.details = { main: { owner: ME } }
  return source
}

describe('grants of Unity Catalog', () => {
  test('reads the privileges on tables, and those that they inherit', async (t) => {
    const source = await start(t)
    source.model.catalogs['main'] = { sales: [newTable('orders', { owner: 'boss@example.com' })] }
    source.model.permissions = {
      main: [
        { principal: 'account users', privileges: ['USE_CATALOG', 'BROWSE'] },
        { principal: 'ann@example.com', privileges: ['SELECT'] },
      ],
      'main.sales': [
        { principal: 'ann@example.com', privileges: ['USE_SCHEMA', 'SELECT from CATALOG'] },
        { principal: 'bob@example.com', privileges: ['ALL_PRIVILEGES'] },
      ],
      'main.sales.orders': [
        { principal: 'ann@example.com', privileges: ['SELECT from CATALOG', 'USE_SCHEMA'] },
        { principal: 'bob@example.com', privileges: ['ALL_PRIVILEGES from SCHEMA'] },
        { principal: 'e56b4a9e-0d28-4a52-9e0f-9a1b3c5d7e9f', privileges: ['SELECT', 'MODIFY'] },
        { principal: 'cy@example.com', privileges: ['MANAGE'] },
      ],
    }
    const { lines, outcomes, membership } = await source.readGrants('orders')
    assert.deepEqual(lines, [
      'main public : use USE_CATALOG',
      'main user ann@example.com: read SELECT',
      `main user ${ME}: use OWNERSHIP`,
      'main/sales user ann@example.com: use USE_SCHEMA',
      'main/sales user bob@example.com: read ALL_PRIVILEGES',
      'main/sales user bob@example.com: use ALL_PRIVILEGES',
      'main/sales user bob@example.com: write ALL_PRIVILEGES',
      'main/sales/orders user boss@example.com: read OWNERSHIP with grant',
      'main/sales/orders user boss@example.com: write OWNERSHIP with grant',
      'main/sales/orders user cy@example.com: write MANAGE with grant',
      'main/sales/orders user e56b4a9e-0d28-4a52-9e0f-9a1b3c5d7e9f: read SELECT',
      'main/sales/orders user e56b4a9e-0d28-4a52-9e0f-9a1b3c5d7e9f: write MODIFY',
    ])
    assert.deepEqual(outcomes, [{ path: ['main', 'sales', 'orders'], isWhole: true }])
    assert.deepEqual(membership, {})
  })

  test('is incomplete if a group has a privilege', async (t) => {
    const source = await start(t)
    const group = [{ principal: 'analysts', privileges: ['SELECT'] }]
    for (const name of ['main', 'main.sales', 'main.sales.orders']) {
      source.model.permissions = { [name]: group }
      const { outcomes } = await source.readGrants('orders')
      assert.deepEqual(
        outcomes.map(({ isWhole, message }) => [isWhole, message]),
        [[true, 'The members of groups are not visible.']],
      )
    }
  })

  test('proves nothing if the account may see only its own grants', async (t) => {
    const source = await startUnitySource(t)
    const privileges = { principal: ME, privileges: ['SELECT'] }
    source.model.permissions = { 'main.sales.orders': [privileges] }
    const { grants, outcomes } = await source.readGrants('orders')
    assert.deepEqual(grants, [])
    assert.deepEqual(outcomes, [
      { path: ['main', 'sales', 'orders'], isWhole: false, message: HIDDEN },
    ])
  })

  for (const [name, change] of [
    ['owner of the catalog', ({ model }) => (model.details = { main: { owner: 'data' } })],
    ['owner of the schema', ({ model }) => (model.details = { 'main.sales': { owner: ME } })],
    [
      'owner of the table',
      ({ model }) => (model.catalogs['main'] = { sales: [newTable('orders', { owner: ME })] }),
    ],
    ['admin of the metastore', ({ model }) => (model.metastoreOwner = 'data')],
    [
      'manager',
      ({ model }) =>
        (model.permissions = {
          'main.sales.orders': [{ principal: 'data', privileges: ['MANAGE from CATALOG'] }],
        }),
    ],
  ] as [string, (source: UnitySource) => unknown][]) {
    test(`sees all grants as ${name}`, async (t) => {
      const source = await startUnitySource(t)
      source.model.me = { userName: ME, groups: ['data'] }
      change(source)
      const { outcomes } = await source.readGrants('orders')
      assert.deepEqual(
        outcomes.map(({ isWhole }) => isWhole),
        [true],
      )
    })
  }

  test('a table that is denied proves nothing, beside one that is not', async (t) => {
    const source = await start(t)
    source.model.catalogs['main'] = { sales: [newTable('orders'), newTable('events')] }
    source.model.denied.add('main.sales.orders')
    const { outcomes } = await source.readGrants('orders', 'events', 'gone')
    assert.deepEqual(
      outcomes.map(({ path, isWhole }) => [path.at(-1), isWhole]),
      [
        ['orders', false],
        ['events', true],
        ['gone', false],
      ],
    )
  })

  test('reads nothing of a server without accounts', async (t) => {
    const source = await start(t)
    source.model.me = undefined
    assert.equal((await catchFailure(source.readGrants('orders'))).kind, 'permission')
  })

  test('reads all pages, and requests only what the tables need', async (t) => {
    const source = await start(t)
    assert.deepEqual((await source.readGrants()).grants, [])
    source.model.permissions = {
      'main.sales.orders': Array.from({ length: 130 }, (_, at) => ({
        principal: `user${at}@example.com`,
        privileges: ['SELECT'],
      })),
    }
    const { lines } = await source.readGrants('orders')
    assert.equal(lines.filter((line) => line.endsWith(': read SELECT')).length, 130)
  })
})
