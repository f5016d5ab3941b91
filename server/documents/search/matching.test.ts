import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  getResult,
  newSearchWorld,
  withColumns,
  withPort,
  withSchema,
  type SearchWorld,
} from '../../../test/search/search-world.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, type Product } from '../../../test/world.ts'

onStore((store) => {
  let product: Product
  before(() => {
    product = newProduct(store())
  })
  const newOrganization = (): Promise<SearchWorld> => newSearchWorld(product)

  describe('ranking', () => {
    test('GET /api/search › ranks exact names and ids first, then prefixes, then words of names, facts and texts', async () => {
      const world = await newOrganization()
      await world.product('p-text', { name: 'Zeta', description: { purpose: 'All about trams' } })
      await world.product('p-tag', { name: 'Eta', tags: ['trams'] })
      await world.product('p-words', { name: 'Night Trams' })
      await world.product('p-begins', { name: 'Trams by Night' })
      await world.product('p-name', { name: 'Trams' })
      await world.asset('trams', { name: 'x17', type: 'postgres_table' })
      const found = ['p-name', 'trams', 'p-begins', 'p-words', 'p-tag', 'p-text']
      assert.deepEqual(await world.ids('trams'), found)
      assert.deepEqual(await world.ids('TRAMS'), found)
    })

    test('GET /api/search › ranks active before ended resources, and products before contracts, teams and assets', async () => {
      const world = await newOrganization()
      const name = 'Ferry'
      await world.asset('f-asset', { name, type: 'postgres_table' })
      await world.team('f-team', name)
      await world.contract('f-contract', { name })
      await world.product('f-old', { name, status: 'deprecated' })
      await world.product('f-retired', { name, status: 'retired' })
      await world.product('f-product', { name })
      assert.deepEqual(await world.ids('ferry'), [
        'f-product',
        'f-contract',
        'f-team',
        'f-asset',
        'f-old',
        'f-retired',
      ])
    })

    test('GET /api/search › ranks a whole column name before a prefix', async () => {
      const world = await newOrganization()
      await world.asset('a', { name: 'aa', type: 't' }, withColumns('hull_no_old'))
      await world.asset('b', { name: 'bb', type: 't' }, withColumns('hull_no'))
      assert.deepEqual(await world.ids('hull_no'), ['b', 'a'])
      assert.deepEqual(await world.ids('hull'), ['a', 'b'])
    })
  })

  describe('spelling of names', () => {
    const spellings = [
      'customer_orders',
      'customerOrders',
      'CustomerOrders',
      'customer-orders',
      'Customer Orders',
      'CUSTOMER_ORDERS',
      'customerorders',
      'customer.orders',
      'orders customer',
      'custom ord',
    ]
    test('GET /api/search › every spelling of a name finds all others', async () => {
      const world = await newOrganization()
      const named = spellings.slice(0, 6)
      for (const [at, name] of named.entries()) await world.product(`s${at}`, { name })
      for (const query of spellings) {
        const found = await world.ids(query)
        assert.deepEqual(found.toSorted(), ['s0', 's1', 's2', 's3', 's4', 's5'], query)
      }
    })

    test('GET /api/search › prefers adjacent words for a name of several words', async () => {
      const world = await newOrganization()
      await world.asset('apart', { name: 'one', type: 't' }, withColumns('berth_no', 'quay_id'))
      assert.deepEqual(await world.ids('berth_id'), ['apart'])
      await world.asset('together', { name: 'two', type: 't' }, withColumns('old_berth_id'))
      assert.deepEqual(await world.ids('berth_id'), ['together'])
      assert.deepEqual((await world.ids('berth id')).toSorted(), ['apart', 'together'])
    })

    test('GET /api/search › folds accents and special letters in names and queries', async () => {
      const world = await newOrganization()
      const names = ['Müller Straße', 'Łódź Ærø', 'Crème brûlée', 'Ελλάδα', '東京 倉庫']
      for (const [at, name] of names.entries()) await world.product(`x${'abcde'[at]}`, { name })
      const found = {
        'muller strasse': 'xa',
        lodz: 'xb',
        aero: 'xb',
        'CREME BRULEE': 'xc',
        ελλαδα: 'xd',
        東京: 'xe',
      }
      for (const [query, id] of Object.entries(found))
        assert.deepEqual(await world.ids(query), [id], query)
      assert.deepEqual(await world.ids('Müller'.normalize('NFD')), ['xa'])
      await world.product('plain', { name: 'Muller depot' })
      assert.deepEqual((await world.ids('Müller')).toSorted(), ['plain', 'xa'])
    })

    test('GET /api/search › finds parts of ids, and ids with dots, colons and slashes', async () => {
      const world = await newOrganization()
      await world.product('urn:dp:harbour.crane-moves', { name: 'Cranes' })
      for (const query of [
        'urn:dp:harbour.crane-moves',
        'harbour.crane',
        'crane-moves',
        'urn:dp',
      ]) {
        assert.deepEqual(await world.ids(query), ['urn:dp:harbour.crane-moves'], query)
      }
      const { why } = getResult(
        await world.find('urn:dp:harbour.crane-moves'),
        'urn:dp:harbour.crane-moves',
      )
      assert.deepEqual(
        why.find(({ field }) => field === 'id'),
        { field: 'id', how: 'exact', path: null },
      )
    })
  })

  const cases: [
    title: string,
    products: Record<string, object>,
    queries: Record<string, string[]>,
  ][] = [
    [
      'words that other searches ignore',
      {
        who: { name: 'To be or not' },
        other: { name: 'Something else', description: { purpose: 'x' } },
      },
      { 'to be': ['who'], 'or not': ['who'], not: ['who'] },
    ],
    [
      'singular names by their plural',
      { one: { name: 'Locomotive inquiry' } },
      { locomotives: ['one'], inquiries: ['one'] },
    ],
    [
      'all but one of the words if nothing contains all',
      { kept: { name: 'Pilot roster harbour' }, left: { name: 'Pilot whales' } },
      { 'pilot roster zzzz': ['kept'] },
    ],
    [
      'only documents with all words if one has them in its name',
      { north: { name: 'Tug roster north' }, south: { name: 'Tug roster south' } },
      { 'tug roster north': ['north'], 'tug rostre south': ['south'] },
    ],
  ]
  for (const [title, products, queries] of cases) {
    test(`GET /api/search › finds ${title}`, async () => {
      const world = await newOrganization()
      for (const [id, more] of Object.entries(products)) await world.product(id, more)
      for (const [query, ids] of Object.entries(queries)) {
        assert.deepEqual(await world.ids(query), ids, query)
      }
    })
  }

  test('GET /api/search › corrects one wrong letter and reports it', async () => {
    const world = await newOrganization()
    await world.product('lh', {
      name: 'Lighthouse keepers',
      description: { purpose: 'Foghorn maintenance' },
    })
    const typos = 'lighthuose lighthose lighthousee lighthoase ighthouse lighthouze foghron'
    for (const query of typos.split(' ')) {
      const { why } = getResult(await world.find(query), 'lh')
      assert.ok(
        why.some(({ how }) => how === 'typo'),
        `${query} ${JSON.stringify(why)}`,
      )
    }
    const { highlights } = getResult(await world.find('keepers lighthosue'), 'lh')
    assert.deepEqual(highlights[0]?.ranges, [
      [0, 10],
      [11, 18],
    ])
    assert.deepEqual(await world.ids('lghthose'), [])
    // An exact match hides corrected ones.
    await world.product('kp', { name: 'Lighthose' })
    assert.deepEqual(await world.ids('lighthose'), ['kp'])
  })

  test('GET /api/search › lists a product before its contract and its assets, except exact names', async () => {
    const world = await newOrganization()
    await world.asset('lake.emission_s', { name: 'emission_statement', type: 't' }, {})
    await world.contract('emission-terms', { name: 'Emission statements' })
    await world.product('shipment-emissions', { name: 'Shipment Emissions' })
    const inOrder = ['shipment-emissions', 'emission-terms', 'lake.emission_s']
    for (const query of ['emissions', 'emission', 'Emission']) {
      assert.deepEqual(await world.ids(query), inOrder, query)
    }
    const [exact] = await world.ids('emission statement')
    assert.equal(exact, 'lake.emission_s')
  })

  describe('columns', () => {
    test('GET /api/search › finds the product, contract and asset of a column, with its path', async () => {
      const world = await newOrganization()
      await world.product('product', { name: 'A', ...withPort('contract') })
      await world.contract('contract', { name: 'B', ...withSchema('orders', 'id', 'buyer_iban') })
      await world.asset('asset', { name: 'raw', type: 't' }, withColumns('buyerIban'))
      for (const query of ['buyer_iban', 'buyerIban', 'BUYER-IBAN']) {
        const found = await world.find(query)
        assert.deepEqual(
          found.results.map(({ id }) => id),
          ['product', 'contract', 'asset'],
          query,
        )
        const reason = { field: 'column', how: 'exact', path: 'orders.buyer_iban' }
        for (const id of ['product', 'contract'])
          assert.deepEqual(getResult(found, id).why[0], reason)
        assert.deepEqual(getResult(found, 'asset').why[0], { ...reason, path: 'raw.buyerIban' })
      }
    })

    test('GET /api/search › shows the complete path of nested columns', async () => {
      const world = await newOrganization()
      const city = { name: 'post_town', type: 'x' }
      const items = { type: 'struct', properties: [city] }
      const nested = { columns: [{ name: 'addresses', type: 'array', items }] }
      await world.asset('deep', { name: 't', type: 't' }, nested)
      const { why } = getResult(await world.find('post_town'), 'deep')
      assert.equal(why[0]?.path, 't.addresses.post_town')
    })

    test('GET /api/search › finds a product by its contract, as long as both exist', async () => {
      const world = await newOrganization()
      await world.product('p', { name: 'A', ...withPort('later') })
      assert.deepEqual(await world.ids('tide_mark'), [])
      await world.contract('later', { name: 'B', ...withSchema('t', 'tide_mark') })
      assert.deepEqual(await world.ids('tide_mark'), ['p', 'later'])
      await world.contract('later', { name: 'B', ...withSchema('t', 'ebb_mark') })
      assert.deepEqual(await world.ids('tide_mark'), [])
      await world.product('p', { name: 'A', ...withPort('other') })
      assert.deepEqual(await world.ids('ebb_mark'), ['later'])
    })
  })
})
