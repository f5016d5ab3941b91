import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { dps, expectOk, newProduct, newWorld, odcs, odps, type World } from '../../../test/world.ts'

const type = (value: string) => ({ customProperties: [{ property: 'type', value }] })

// In the order of their creation. Ids are compared by bytes: `B` < `Z` < `_b` < `a`.
const PRODUCTS: readonly Record<string, unknown>[] = [
  odps('customer_orders', {
    name: 'Customer Orders',
    description: { purpose: 'Every order since 2019, per sales.region' },
    domain: 'sales',
    tags: ['pii', 'gold'],
    ...type('source-aligned'),
  }),
  odps('Z', {
    name: 'Café Übersicht',
    team: { name: 'b' },
    domain: 'sales',
    status: 'draft',
    tags: ['gold'],
    ...type('aggregate'),
  }),
  dps('_b', {
    info: {
      title: '列車 運行',
      owner: 'a',
      description: 'wagon_mileage per day',
      domain: 'rail',
      status: 'in development',
      archetype: 'consumer-aligned',
    },
    tags: ['pii'],
  }),
  odps('B', { name: 'same', team: { name: 'c' }, domain: 'rail', tags: ["o'brien", 'a b'] }),
  odps('a', { name: 'same', team: { name: 'b' }, status: 'Ünïcode ✓', tags: ['null'] }),
]

const ALL = ['customer_orders', 'Z', '_b', 'B', 'a']

// Each query with the ids that it gives, in order.
const QUERIES: Record<string, string[]> = {
  '': ALL,
  'q=': ALL,
  'q=%20': ALL,
  'q=customer': ['customer_orders'],
  'q=orders+cust': ['customer_orders'],
  'q=ORDER': ['customer_orders'],
  'q=2019+region': ['customer_orders'],
  'q=customer_orders': ['customer_orders'],
  'q=cafe': ['Z'],
  'q=CAF%C3%89': ['Z'],
  'q=cafe%CC%81+u%CC%88bersicht': ['Z'],
  'q=%E5%88%97%E8%BB%8A': ['_b'],
  'q=mileage': ['_b'],
  'q=wagon-mileage': ['_b'],
  'q=same': ['B', 'a'],
  "q='same':*": ['B', 'a'],
  'q=%25': [],
  // A contract with the id of a product has this word.
  'q=ledger': [],
  'teamId=a': ['customer_orders', '_b'],
  'teamId=b': ['Z', 'a'],
  'teamId=a&teamId=b': ['customer_orders', 'Z', '_b', 'a'],
  'teamId=nobody': [],
  'teamId=nobody&teamId=c': ['B'],
  'teamId=': [],
  'domainId=sales': ['customer_orders', 'Z'],
  'domainId=sales&domainId=rail': ['customer_orders', 'Z', '_b', 'B'],
  'domainId=Sales': [],
  'archetype=source-aligned': ['customer_orders'],
  'archetype=consumer-aligned': ['_b'],
  'type=source-aligned': ['customer_orders'],
  'type=sourceAligned': ['customer_orders'],
  'type=consumer-aligned&status=in+development': ['_b'],
  'type=none': [],
  'status=active': ['customer_orders', 'B'],
  'status=in+development': ['_b'],
  'status=%C3%9Cn%C3%AFcode%20%E2%9C%93': ['a'],
  'status=ACTIVE': [],
  'tag=gold': ['customer_orders', 'Z'],
  "tag=o'brien": ['B'],
  'tag=a%20b': ['B'],
  'tag=null': ['a'],
  'tag=go': [],
  'teamId=a&domainId=sales&archetype=source-aligned&status=active&tag=pii&q=order': [
    'customer_orders',
  ],
  'teamId=a&domainId=sales&archetype=source-aligned&status=active&tag=pii&q=x': [],
  'teamId=b&domainId=sales&sort=-name': ['Z'],
  'owner=Team+A': ['customer_orders', '_b'],
  'owner=TEAM+a': ['customer_orders', '_b'],
  'owner=B': ['Z', 'a'],
  'owner=team+c&status=active': ['B'],
  'owner=Team': [],
  // A team of another organization has this name, and the id of one that owns products here.
  'owner=Elsewhere': [],
  'owner=': [],
  'owner=Team+A&teamId=b': [],
  'domain=SALES': ['customer_orders', 'Z'],
  'domain=Railway+Operations': ['_b', 'B'],
  'domain=Railway': [],
  'domain=sales&owner=team+b': ['Z'],
  'pageSize=2': ALL,
  'sort=name': ['Z', 'customer_orders', 'B', 'a', '_b'],
  'sort=-name': ['_b', 'B', 'a', 'customer_orders', 'Z'],
  'sort=createdAt': ALL,
  'sort=-createdAt': ALL.toReversed(),
  'sort=updatedAt': ['Z', '_b', 'B', 'a', 'customer_orders'],
  'sort=-updatedAt': ['customer_orders', 'a', 'B', '_b', 'Z'],
  'p=1': [],
  'p=00': ALL,
}

// Texts that search answers with typing errors, left-out words and owners. Former versions only match
// words of id, name and description.
const SEARCHED: Record<string, { now: string[]; asOf: string[] }> = {
  'q=ustomer': { now: ['customer_orders'], asOf: [] },
  'q=customer+nowhere': { now: ['customer_orders'], asOf: [] },
  'q=b': { now: ['Z', '_b', 'B', 'a'], asOf: ['_b', 'B'] },
  "q=sa'%20%26%20!x:*%20%7C%20(": { now: ['customer_orders', 'Z', 'B', 'a'], asOf: [] },
}

// Only current versions are found by their custom fields.
const CUSTOM: Record<string, string[]> = {
  'custom=type%3Daggregate&custom=type%3Dsource-aligned': ['customer_orders', 'Z'],
  'custom=type%3Daggregate&tag=pii': [],
  'custom=type%3Daggregate&custom=size%3Dlarge': [],
  "custom=type%3D'%20or%20true": [],
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
    const body = { id: 'c', name: 'Team C' }
    await expectOk(world.as('O', 'PUT', '/api/teams/c', { body }))
    const domain = { id: 'rail', name: 'Railway operations', type: 'Domain' }
    await expectOk(world.as('O', 'PUT', '/api/teams/rail', { body: domain }))
    for (const document of PRODUCTS) {
      const path = `/api/dataproducts/${String(document['id'])}`
      await expectOk(world.as('O', 'PUT', path, { body: document }))
    }
    // The first one is changed last, and another one comes and goes.
    const [first] = PRODUCTS
    const changed = { ...first, version: '2' }
    await expectOk(world.as('O', 'PUT', '/api/dataproducts/customer_orders', { body: changed }))
    await expectOk(world.as('O', 'PUT', '/api/dataproducts/gone', { body: odps('gone') }))
    await expectOk(world.as('O', 'DELETE', '/api/dataproducts/gone'))
    await expectOk(
      world.as('O', 'PUT', '/api/datacontracts/B', { body: odcs('B', { name: 'Ledger' }) }),
    )
    // Another organization has the same.
    const other = await newWorld(newProduct(store()))
    const elsewhere = { body: { id: 'b', name: 'Elsewhere' } }
    await expectOk(other.as('O', 'PUT', '/api/teams/b', elsewhere))
    const copy = { body: odps('customer_orders', { name: 'Customer Orders' }) }
    await expectOk(other.as('O', 'PUT', '/api/dataproducts/customer_orders', copy))
  })

  const getIds = async (query: string): Promise<string[]> => {
    const list = await readJson<{ id: string }[]>(
      world.as('Tr', 'GET', `/api/dataproducts?${query}`),
    )
    return list.map(({ id }) => id)
  }

  for (const [query, ids] of Object.entries(QUERIES)) {
    test(`GET /api/dataproducts?${query} › ${ids.join(', ') || 'none'}`, async () => {
      assert.deepEqual(await getIds(query), ids)
    })
    test(`GET /api/dataproducts?asOf=…&${query} › the same of a later instant`, async () => {
      assert.deepEqual(await getIds(`asOf=2999-01-01T00:00:00Z&${query}`), ids)
    })
  }

  for (const [query, ids] of Object.entries(CUSTOM)) {
    test(`GET /api/dataproducts?${query} › ${ids.join(', ') || 'none'}`, async () => {
      assert.deepEqual(await getIds(query), ids)
    })
  }

  for (const [query, { now, asOf }] of Object.entries(SEARCHED)) {
    test(`GET /api/dataproducts?${query} › what search finds`, async () => {
      const path = `/api/search?resourceType=DATA_PRODUCT&${query.replace(/^q/, 'query')}`
      const { results } = await readJson<{ results: { id: string }[] }>(world.as('Tr', 'GET', path))
      assert.deepEqual(results.map(({ id }) => id).toSorted(), now.toSorted())
      assert.deepEqual(await getIds(query), now)
      assert.deepEqual(await getIds(`asOf=2999-01-01T00:00:00Z&${query}`), asOf)
    })
  }

  test('GET /api/dataproducts › items are full documents', async () => {
    const [, ...unchanged] = PRODUCTS
    const texts = unchanged.map((document) => JSON.stringify(document)).join(',')
    const text = await readText(world.as('Tr', 'GET', '/api/dataproducts'))
    assert.ok(text.endsWith(`,${texts}]`))
  })

  test('GET /api/dataproducts › an item has its id, also if the document does not', async () => {
    const own = await newWorld(newProduct(store()))
    const { id: _, ...document } = odps('p')
    await expectOk(own.as('O', 'PUT', '/api/dataproducts/p', { body: document }))
    assert.deepEqual(await readJson(own.as('O', 'GET', '/api/dataproducts')), [
      { id: 'p', ...document },
    ])
    assert.deepEqual(await readJson(own.as('O', 'GET', '/api/dataproducts/p')), document)
  })

  for (const [query, field] of Object.entries({
    'sort=colour': 'sort',
    'sort=': 'sort',
    'sort=Name': 'sort',
    'sort=name&sort=-name': 'sort',
    'status=a&status=b': 'status',
    'asOf=yesterday': 'asOf',
    'asOf=': 'asOf',
    'asOf=2026-02-30T00:00:00Z': 'asOf',
    'asOf=2026-01-01': 'asOf',
    'asOf=2026-01-01T00:00:00': 'asOf',
    'asOf=%2B275760-09-13T00:00:00Z': 'asOf',
    'p=-1': 'p',
    'p=1.5': 'p',
    'p=': 'p',
    'p=x': 'p',
    'p=1e3': 'p',
    'p=%D9%A1': 'p',
    'p=0&p=1': 'p',
    'unknown=parameter': 'unknown',
    'teamid=a': 'teamid',
    'owner=a&owner=b': 'owner',
    'type=aggregate&archetype=aggregate': 'archetype',
    'custom=type': 'custom',
    'custom=type%3Da&asOf=2999-01-01T00:00:00Z': 'custom',
  })) {
    test(`GET /api/dataproducts?${query} › 400 naming ${field}`, async () => {
      const problem = await expectProblem(world.as('Tr', 'GET', `/api/dataproducts?${query}`), 400)
      assert.equal(problem.violations?.[0]?.field, field)
      assert.match(problem.detail, new RegExp(`query parameter ${field} `))
    })
  }

  for (const name of [
    'q',
    'teamId',
    'domainId',
    'owner',
    'domain',
    'archetype',
    'type',
    'status',
    'tag',
    'sort',
    'asOf',
    'p',
  ]) {
    test(`GET /api/dataproducts?${name}=%00 › 400 for a NUL`, async () => {
      for (const value of ['%00', 'a%00b', 'a%00&teamId=a']) {
        const path = `/api/dataproducts?${name}=${value}`
        const problem = await expectProblem(world.as('Tr', 'GET', path), 400)
        assert.equal(problem.violations?.[0]?.field, name)
      }
    })
  }

  for (const name of [
    'q',
    'teamId',
    'domainId',
    'owner',
    'domain',
    'archetype',
    'type',
    'status',
    'tag',
  ]) {
    test(`GET /api/dataproducts?${name}= › an overlong value finds nothing`, async () => {
      for (const value of ['x'.repeat(15_000), '%F0%9F%98%80'.repeat(1000), 'x+'.repeat(7000)]) {
        assert.deepEqual(await getIds(`${name}=${value}&asOf=2999-01-01T00:00:00Z`), [])
        if (name !== 'q' || !value.startsWith('%')) {
          assert.deepEqual(await getIds(`${name}=${value}`), [])
        }
      }
    })
  }

  test('GET /api/dataproducts › a value that is not UTF-8 finds nothing', async () => {
    for (const query of ['tag=%FF', 'status=%ED%A0%80', 'teamId=%C3', 'tag=%zz']) {
      assert.deepEqual(await getIds(query), [])
    }
  })
})
