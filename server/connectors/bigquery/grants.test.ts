import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import {
  newTable,
  startBigQuerySource,
  type BigQuerySource,
} from '../../../test/warehouses/bigquery/source.ts'

const LIMIT = 'Roles on projects, folders and organizations are not visible.'
const PARTLY = 'Grants with a condition, or with an unknown role, are not compared.'
const OWNER = { role: 'OWNER', specialGroup: 'projectOwners' }

async function start(t: TestContext, access: readonly object[]): Promise<BigQuerySource> {
  const source = await startBigQuerySource(t)
  source.model.projects = { shop: { sales: [newTable('orders'), newTable('events')] } }
  source.model.details = { 'shop.sales': { access: [OWNER, ...access] } }
  return source
}

// Without the lines of the owners of the project.
function listOwn(lines: readonly string[]): string[] {
  return lines.filter((line) => !line.includes(' projectOwner:'))
}

describe('grants of BigQuery', () => {
  test('reads the access to datasets, and no views, routines and datasets', async (t) => {
    const view = { projectId: 'shop', datasetId: 'other', tableId: 'v' }
    const source = await start(t, [
      { role: 'READER', userByEmail: 'ann@example.com' },
      { role: 'WRITER', groupByEmail: 'team@example.com' },
      { role: 'roles/bigquery.dataOwner', iamMember: 'serviceAccount:job@shop.iam' },
      { role: 'READER', domain: 'example.com' },
      { role: 'READER', specialGroup: 'allAuthenticatedUsers' },
      { role: 'READER', specialGroup: 'projectReaders' },
      { role: 'READER', iamMember: 'deleted:user:gone@example.com?uid=1' },
      { role: 'roles/bigquery.metadataViewer', userByEmail: 'meta@example.com' },
      { view },
      { routine: { projectId: 'shop', datasetId: 'other', routineId: 'r' } },
      { dataset: { dataset: { projectId: 'shop', datasetId: 'other' }, targetTypes: ['VIEWS'] } },
    ])
    const { lines, outcomes, membership } = await source.readGrants(['orders'])
    assert.deepEqual(lines, [
      'shop/sales group domain:example.com: read READER',
      'shop/sales group projectOwner:shop: read OWNER with grant',
      'shop/sales group projectOwner:shop: write OWNER with grant',
      'shop/sales group projectViewer:shop: read READER',
      'shop/sales group team@example.com: read WRITER',
      'shop/sales group team@example.com: write WRITER',
      'shop/sales public : read READER',
      'shop/sales user ann@example.com: read READER',
      'shop/sales user job@shop.iam: read roles/bigquery.dataOwner with grant',
      'shop/sales user job@shop.iam: write roles/bigquery.dataOwner with grant',
    ])
    assert.deepEqual(outcomes, [
      { path: ['shop', 'sales', 'orders'], isWhole: true, message: LIMIT },
    ])
    assert.deepEqual(membership, {})
  })

  test('reads the policies of tables', async (t) => {
    const source = await start(t, [])
    source.model.policies = {
      'shop.sales.orders': [
        { role: 'roles/bigquery.dataViewer', members: ['user:ann@example.com', 'allUsers'] },
        { role: 'roles/bigquery.dataEditor', members: ['principal://iam/subject/1'] },
        { role: 'roles/bigquery.dataViewer', members: ['principalSet://iam/group/2'] },
      ],
    }
    const { lines } = await source.readGrants(['orders', 'events'])
    assert.deepEqual(listOwn(lines), [
      'shop/sales/orders group principalSet://iam/group/2: read roles/bigquery.dataViewer',
      'shop/sales/orders public : read roles/bigquery.dataViewer',
      'shop/sales/orders user ann@example.com: read roles/bigquery.dataViewer',
      'shop/sales/orders user principal://iam/subject/1: read roles/bigquery.dataEditor',
      'shop/sales/orders user principal://iam/subject/1: write roles/bigquery.dataEditor',
    ])
  })

  test('concludes nothing from conditions and custom roles', async (t) => {
    const condition = { expression: 'request.time < timestamp("2027-01-01T00:00:00Z")' }
    const source = await start(t, [])
    source.model.policies = {
      'shop.sales.orders': [
        { role: 'roles/bigquery.dataViewer', members: ['user:ann@example.com'], condition },
      ],
    }
    const read = async (): Promise<[string[], (string | undefined)[]]> => {
      const { lines, outcomes } = await source.readGrants(['orders', 'events'])
      return [listOwn(lines), outcomes.map(({ message }) => message)]
    }
    assert.deepEqual(await read(), [[], [PARTLY, LIMIT]])
    for (const access of [
      { role: 'READER', userByEmail: 'ann@example.com', condition },
      { role: 'projects/shop/roles/custom', userByEmail: 'ann@example.com' },
    ]) {
      source.model.details = { 'shop.sales': { access: [OWNER, access] } }
      assert.deepEqual(await read(), [[], [PARTLY, PARTLY]])
    }
  })

  test('a table that is denied proves nothing, beside one that is not', async (t) => {
    const source = await start(t, [])
    source.model.denied.add('shop.sales.orders')
    const { outcomes } = await source.readGrants(['orders', 'events'])
    assert.deepEqual(
      outcomes.map(({ path, isWhole }) => [path.at(-1), isWhole]),
      [
        ['orders', false],
        ['events', true],
      ],
    )
  })

  for (const [name, isDenied] of [
    ['access is hidden', false],
    ['dataset is denied', true],
  ] as const) {
    test(`proves nothing if the ${name}`, async (t) => {
      const source = await start(t, [])
      source.model.policies = {
        'shop.sales.orders': [{ role: 'roles/bigquery.dataViewer', members: ['allUsers'] }],
      }
      if (isDenied) source.model.denied.add('shop.sales')
      else source.model.details = {}
      const { grants, outcomes } = await source.readGrants(['orders'])
      assert.deepEqual(grants, [])
      assert.deepEqual(
        outcomes.map(({ isWhole }) => isWhole),
        [false],
      )
    })
  }

  test('reads the dataset of shards, which have no common policy', async (t) => {
    const source = await start(t, [{ role: 'READER', userByEmail: 'ann@example.com' }])
    const { lines, outcomes } = await source.readGrants(['events_*'])
    assert.deepEqual(listOwn(lines), ['shop/sales user ann@example.com: read READER'])
    assert.deepEqual(
      outcomes.map(({ isWhole, message }) => [isWhole, message]),
      [[true, 'The grants on single shards of a table are not read.']],
    )
  })

  test('requests only what the tables need', async (t) => {
    const source = await start(t, [])
    assert.deepEqual((await source.readGrants([])).outcomes, [])
    const names = Array.from({ length: 450 }, (_, at) => `t${at}`)
    source.model.projects = { shop: { sales: names.map((name) => newTable(name)) } }
    assert.equal((await source.readGrants(names)).outcomes.length, 450)
  })
})
