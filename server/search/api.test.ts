import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { expectProblem, readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, odps, uniqueId } from '../../test/world.ts'
import type { Product, World } from '../../test/world.ts'
import type { SearchAnswer, SearchResult } from './search.ts'

/** A world with ways to write and to search. */
interface SearchWorld extends World {
  find(query: string, more?: string): Promise<SearchAnswer>
  /** The ids that are found, in their order. */
  ids(query: string, more?: string): Promise<string[]>
  product(id: string, more?: object): Promise<void>
  contract(id: string, more?: object): Promise<void>
  asset(id: string, info: object, more?: object): Promise<void>
  team(id: string, name: string, more?: object): Promise<void>
  remove(path: string): Promise<void>
}

async function newSearchWorld(product: Product): Promise<SearchWorld> {
  const world = await newWorld(product)
  const put = async (path: string, body: object): Promise<void> => {
    await expectOk(world.as('O', 'PUT', path, { body }))
  }
  const find = async (query: string, more = ''): Promise<SearchAnswer> => {
    const path = `/api/search?query=${encodeURIComponent(query)}${more}`
    return await readJson<SearchAnswer>(world.as('Um', 'GET', path))
  }
  return {
    ...world,
    find,
    ids: async (query, more) => (await find(query, more)).results.map(({ id }) => id),
    product: (id, more = {}) => put(`/api/dataproducts/${id}`, odps(id, more)),
    contract: (id, more = {}) => put(`/api/datacontracts/${id}`, odcs(id, more)),
    asset: (id, info, more = {}) => put(`/api/assets/${id}`, { info, ...more }),
    team: (id, name, more = {}) => put(`/api/teams/${id}`, { name, ...more }),
    remove: async (path) => {
      await expectOk(world.as('O', 'DELETE', path))
    },
  }
}

function schemaOf(table: string, ...columns: string[]): object {
  const properties = columns.map((name) => ({ name, logicalType: 'string' }))
  return { schema: [{ name: table, properties }] }
}

function columns(...names: string[]): object {
  return { columns: names.map((name) => ({ name, type: 'x' })) }
}

function port(contractId: string): object {
  return { outputPorts: [{ name: 'main', version: '1', contractId }] }
}

function only(answer: SearchAnswer, id: string): SearchResult {
  return answer.results.find((one) => one.id === id) ?? assert.fail(`${id} was not found`)
}

onStore((store) => {
  let product: Product
  before(() => {
    product = newProduct(store())
  })
  const newOne = (): Promise<SearchWorld> => newSearchWorld(product)

  describe('what comes first', () => {
    test('GET /api/search › exact name and id, then what begins with it, then words of names, facts, texts', async () => {
      const world = await newOne()
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

    test('GET /api/search › live before ended, products before contracts before teams before assets', async () => {
      const world = await newOne()
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

    test('GET /api/search › a whole column before one that only begins so', async () => {
      const world = await newOne()
      await world.asset(
        'a',
        { name: 'aa', type: 't' },
        { columns: [{ name: 'hull_no_old', type: 'x' }] },
      )
      await world.asset(
        'b',
        { name: 'bb', type: 't' },
        { columns: [{ name: 'hull_no', type: 'x' }] },
      )
      assert.deepEqual(await world.ids('hull_no'), ['b', 'a'])
      assert.deepEqual(await world.ids('hull'), ['a', 'b'])
    })
  })

  describe('how names are written', () => {
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
    test('GET /api/search › each way to write a name finds each other', async () => {
      const world = await newOne()
      const named = spellings.slice(0, 6)
      for (const [at, name] of named.entries()) await world.product(`s${at}`, { name })
      for (const query of spellings) {
        const found = await world.ids(query)
        assert.deepEqual(found.toSorted(), ['s0', 's1', 's2', 's3', 's4', 's5'], query)
      }
    })

    test('GET /api/search › a name of several words prefers adjacent words', async () => {
      const world = await newOne()
      await world.asset('apart', { name: 'one', type: 't' }, columns('berth_no', 'quay_id'))
      assert.deepEqual(await world.ids('berth_id'), ['apart'])
      await world.asset('together', { name: 'two', type: 't' }, columns('old_berth_id'))
      assert.deepEqual(await world.ids('berth_id'), ['together'])
      assert.deepEqual((await world.ids('berth id')).toSorted(), ['apart', 'together'])
    })

    test('GET /api/search › accents are folded on both sides, and letters of their own', async () => {
      const world = await newOne()
      const names = {
        a: 'Müller Straße',
        b: 'Łódź Ærø',
        c: 'Crème brûlée',
        d: 'Ελλάδα',
        e: '東京 倉庫',
      }
      for (const [id, name] of Object.entries(names)) await world.product(`x${id}`, { name })
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

    test('GET /api/search › words that other searches leave out are words here', async () => {
      const world = await newOne()
      await world.product('who', { name: 'To be or not' })
      await world.product('other', { name: 'Something else', description: { purpose: 'x' } })
      for (const query of ['to be', 'or not', 'not'])
        assert.deepEqual(await world.ids(query), ['who'])
    })

    test('GET /api/search › plurals find what is called in the singular', async () => {
      const world = await newOne()
      await world.product('one', { name: 'Locomotive inquiry' })
      assert.deepEqual(await world.ids('locomotives'), ['one'])
      assert.deepEqual(await world.ids('inquiries'), ['one'])
    })

    test('GET /api/search › parts of ids, and ids with dots, colons and slashes', async () => {
      const world = await newOne()
      await world.product('urn:dp:harbour.crane-moves', { name: 'Cranes' })
      for (const query of [
        'urn:dp:harbour.crane-moves',
        'harbour.crane',
        'crane-moves',
        'urn:dp',
      ]) {
        assert.deepEqual(await world.ids(query), ['urn:dp:harbour.crane-moves'], query)
      }
      const { why } = only(
        await world.find('urn:dp:harbour.crane-moves'),
        'urn:dp:harbour.crane-moves',
      )
      assert.deepEqual(
        why.find(({ field }) => field === 'id'),
        { field: 'id', how: 'exact', path: null },
      )
    })
  })

  test('GET /api/search › corrects one wrong letter and reports it', async () => {
    const world = await newOne()
    await world.product('lh', {
      name: 'Lighthouse keepers',
      description: { purpose: 'Foghorn maintenance' },
    })
    const typos = [
      'lighthuose',
      'lighthose',
      'lighthousee',
      'lighthoase',
      'ighthouse',
      'lighthouze',
      'foghron',
    ]
    for (const query of typos) {
      const { why } = only(await world.find(query), 'lh')
      assert.ok(
        why.some(({ how }) => how === 'typo'),
        `${query} ${JSON.stringify(why)}`,
      )
    }
    const { highlights } = only(await world.find('keepers lighthosue'), 'lh')
    assert.deepEqual(highlights[0]?.ranges, [
      [0, 10],
      [11, 18],
    ])
    assert.deepEqual(await world.ids('lghthose'), [])
    // What is there as it was typed is not drowned.
    await world.product('kp', { name: 'Lighthose' })
    assert.deepEqual(await world.ids('lighthose'), ['kp'])
  })

  test('GET /api/search › when nothing has all the words, what has all but one', async () => {
    const world = await newOne()
    await world.product('kept', { name: 'Pilot roster harbour' })
    await world.product('left', { name: 'Pilot whales' })
    assert.deepEqual(await world.ids('pilot roster zzzz'), ['kept'])
  })

  describe('columns', () => {
    test('GET /api/search › a column finds its product, contract and asset, with its path', async () => {
      const world = await newOne()
      await world.product('product', { name: 'A', ...port('contract') })
      await world.contract('contract', { name: 'B', ...schemaOf('orders', 'id', 'buyer_iban') })
      await world.asset(
        'asset',
        { name: 'raw', type: 't' },
        { columns: [{ name: 'buyerIban', type: 'x' }] },
      )
      for (const query of ['buyer_iban', 'buyerIban', 'BUYER-IBAN']) {
        const found = await world.find(query)
        assert.deepEqual(
          found.results.map(({ id }) => id),
          ['product', 'contract', 'asset'],
          query,
        )
        const reason = { field: 'column', how: 'exact', path: 'orders.buyer_iban' }
        for (const id of ['product', 'contract']) assert.deepEqual(only(found, id).why[0], reason)
        assert.deepEqual(only(found, 'asset').why[0], { ...reason, path: 'raw.buyerIban' })
      }
    })

    test('GET /api/search › columns within columns have their whole path', async () => {
      const world = await newOne()
      const city = { name: 'post_town', type: 'x' }
      const items = { type: 'struct', properties: [city] }
      await world.asset(
        'deep',
        { name: 't', type: 't' },
        { columns: [{ name: 'addresses', type: 'array', items }] },
      )
      const { why } = only(await world.find('post_town'), 'deep')
      assert.equal(why[0]?.path, 't.addresses.post_town')
    })

    test('GET /api/search › a product is found by its contract as soon as that is there, and no longer', async () => {
      const world = await newOne()
      await world.product('p', { name: 'A', ...port('later') })
      assert.deepEqual(await world.ids('tide_mark'), [])
      await world.contract('later', { name: 'B', ...schemaOf('t', 'tide_mark') })
      assert.deepEqual(await world.ids('tide_mark'), ['p', 'later'])
      await world.contract('later', { name: 'B', ...schemaOf('t', 'ebb_mark') })
      assert.deepEqual(await world.ids('tide_mark'), [])
      await world.product('p', { name: 'A', ...port('other') })
      assert.deepEqual(await world.ids('ebb_mark'), ['later'])
    })
  })

  describe('facets and filters', () => {
    test('GET /api/search › what no team owns is a value of the facet team, and a filter', async () => {
      const mine = await newSearchWorld(newProduct(store()))
      await mine.contract('unowned', { team: undefined })
      await mine.asset('loose', { name: 'loose', type: 't' })
      await mine.contract('owned')
      await mine.product('product')
      const { facets } = await mine.find('', '&resourceType=DATA_CONTRACT&resourceType=DATA_ASSET')
      assert.deepEqual(facets?.team, [
        { value: '', label: 'No owner', count: 2 },
        { value: 'a', label: 'Team A', count: 1 },
      ])
      assert.deepEqual(await mine.ids('', '&teamId='), ['unowned', 'loose'])
      assert.deepEqual(await mine.ids('', '&teamId=&resourceType=DATA_CONTRACT'), ['unowned'])
      const filtered = await mine.find('owned', '&teamId=')
      assert.deepEqual([filtered.total, filtered.results[0]?.ownerId], [0, undefined])
      const chosen = filtered.facets?.team.find(({ value }) => value === '')
      assert.deepEqual(chosen, { value: '', label: 'No owner', count: 0 })
    })

    test('GET /api/search › each facet counts under the filters of the others, active filters are always listed', async () => {
      const world = await newOne()
      await world.product('g1', { name: 'Grain one', domain: 'sales', tags: ['x', 'y'] })
      await world.product('g2', {
        name: 'Grain two',
        domain: 'risk',
        tags: ['x'],
        team: { name: 'b' },
      })
      await world.contract('g3', { name: 'Grain three', domain: 'sales', status: 'draft' })
      await world.asset('g4', { name: 'grain', type: 'postgres_table', source: 'postgres' })
      await world.product('other', { name: 'Coal', domain: 'sales' })
      const all = await world.find('grain')
      assert.equal(all.total, 4)
      assert.deepEqual(all.facets, {
        resourceType: [
          { value: 'DATA_PRODUCT', label: 'Data products', count: 2 },
          { value: 'DATA_ASSET', label: 'Assets', count: 1 },
          { value: 'DATA_CONTRACT', label: 'Data contracts', count: 1 },
        ],
        team: [
          { value: 'a', label: 'Team A', count: 2 },
          { value: '', label: 'No owner', count: 1 },
          { value: 'b', label: 'Team B', count: 1 },
        ],
        domain: [
          { value: 'sales', label: 'sales', count: 2 },
          { value: 'risk', label: 'risk', count: 1 },
        ],
        status: [
          { value: 'active', label: 'active', count: 2 },
          { value: 'draft', label: 'draft', count: 1 },
        ],
        tag: [
          { value: 'x', label: 'x', count: 2 },
          { value: 'y', label: 'y', count: 1 },
        ],
        source: [{ value: 'postgres', label: 'postgres', count: 1 }],
        format: [
          { value: 'odps', label: 'ODPS', count: 2 },
          { value: 'odcs', label: 'ODCS', count: 1 },
        ],
        classification: [],
      })
      const { total, facets } = await world.find('grain', '&domain=sales&domain=nowhere&teamId=a')
      assert.equal(total, 2)
      assert.deepEqual(
        facets?.domain.map(({ value, count }) => [value, count]),
        [
          ['sales', 2],
          ['nowhere', 0],
        ],
      )
      assert.deepEqual(
        facets?.team.map(({ value, count }) => [value, count]),
        [['a', 2]],
      )
      assert.deepEqual(
        facets?.tag.map(({ value, count }) => [value, count]),
        [
          ['x', 1],
          ['y', 1],
        ],
      )
    })

    test('GET /api/search › every filter narrows, its values are alternatives', async () => {
      const world = await newOne()
      await world.product('f1', { name: 'F one', domain: 'sales', tags: ['t1'], status: 'draft' })
      await world.product('f2', { name: 'F two', domain: 'risk', tags: ['t2'] })
      await world.asset('f3', { name: 'F three', type: 'x', source: 'kafka' })
      const cases: [string, string[]][] = [
        ['&resourceType=DATA_ASSET', ['f3']],
        ['&resourceType=DATA_ASSET&resourceType=DATA_PRODUCT', ['f1', 'f2', 'f3']],
        ['&teamId=a', ['f1', 'f2']],
        ['&domain=sales&domain=risk', ['f1', 'f2']],
        ['&status=draft', ['f1']],
        ['&tag=t2', ['f2']],
        ['&source=kafka', ['f3']],
        ['&domain=sales&tag=t2', []],
        ['&tag=', []],
      ]
      for (const [more, ids] of cases) {
        assert.deepEqual((await world.ids('f', more)).toSorted(), ids, more)
        const without = await world.find('f', `${more}&facets=false`)
        assert.deepEqual([without.facets, without.total], [null, ids.length])
      }
      assert.deepEqual(await world.ids('', '&resourceType=TEAM'), ['a', 'b'])
    })

    test('GET /api/search › filters that leave nothing do not make it look for other words', async () => {
      const world = await newOne()
      await world.product('real', { name: 'Granary' })
      await world.product('near', { name: 'Granery', domain: 'd' })
      for (const more of ['&domain=d', '&domain=d&facets=false']) {
        assert.deepEqual(await world.ids('granary', more), [], more)
      }
    })
  })

  test('GET /api/search › pages follow each other without a gap, in one order', async () => {
    const world = await newOne()
    for (let at = 0; at < 7; at += 1) await world.product(`same-${at}`, { name: 'Same' })
    const seen: string[] = []
    let path: string | undefined = '/api/search?q=same&limit=3&facets=false'
    while (path !== undefined) {
      const response: Response = await world.as('Um', 'GET', path)
      const { results, total } = (await response.json()) as SearchAnswer
      assert.equal(total, 7)
      seen.push(...results.map(({ id }) => id))
      path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
    }
    assert.deepEqual(seen, ['same-0', 'same-1', 'same-2', 'same-3', 'same-4', 'same-5', 'same-6'])
    assert.deepEqual(await world.ids('same', '&p=9999999999'), [])
  })

  describe('when it is found', () => {
    test('GET /api/search › in the moment in which a PUT or a DELETE is answered', async () => {
      const world = await newOne()
      await world.product('m', { name: 'Mercury' })
      assert.deepEqual(await world.ids('mercury'), ['m'])
      await world.product('m', { name: 'Venus' })
      assert.deepEqual([await world.ids('mercury'), await world.ids('venus')], [[], ['m']])
      await world.remove('/api/dataproducts/m')
      assert.deepEqual(await world.ids('venus'), [])
      await world.contract('c', { name: 'Saturn' })
      await world.asset('as', { name: 'Saturn', type: 't' })
      await world.team('te', 'Saturn')
      assert.deepEqual(await world.ids('saturn'), ['c', 'te', 'as'])
      for (const path of ['datacontracts/c', 'assets/as', 'teams/te'])
        await world.remove(`/api/${path}`)
      assert.deepEqual(await world.ids('saturn'), [])
    })

    test('GET /api/search › not after a dry run, nor a rejected request', async () => {
      const world = await newOne()
      const put = (more: string, team: string): Promise<Response> => {
        const body = odps('dry', { name: 'Pluto', team: { name: team } })
        return world.as('O', 'PUT', `/api/dataproducts/dry${more}`, { body })
      }
      assert.equal((await put('?dryRun=true', 'a')).status, 200)
      assert.equal((await put('', 'nobody')).status, 422)
      assert.deepEqual(await world.ids('pluto'), [])
    })

    test('GET /api/search › a new name of a team is found at once, on all that it owns', async () => {
      const world = await newOne()
      await world.team('crew', 'Petrel')
      await world.product('owned', { name: 'P', team: { name: 'crew' } })
      await world.asset('owned-too', { name: 'A', type: 't', owner: 'crew' })
      const found = await world.find('petrel')
      assert.deepEqual(
        found.results.map(({ id }) => id),
        ['crew', 'owned', 'owned-too'],
      )
      assert.deepEqual(only(found, 'owned').why, [{ field: 'owner', how: 'exact', path: null }])
      assert.equal(only(found, 'owned').ownerName, 'Petrel')
      await world.team('crew', 'Gannet')
      assert.deepEqual(await world.ids('petrel'), [])
      assert.deepEqual(await world.ids('gannet'), ['crew', 'owned', 'owned-too'])
    })
  })

  test('GET /api/search › nothing of another organization is found, counted or guessed', async () => {
    const [mine, other] = [await newOne(), await newOne()]
    const word = `wharf${uniqueId().replaceAll(/\d/g, 'q')}`
    await other.team('secret', word)
    await other.product(word, { name: word, team: { name: 'secret' }, tags: [word], ...port(word) })
    await other.contract(word, { name: word, ...schemaOf(word, word) })
    await other.asset(word, { name: word, type: 't', source: word })
    assert.equal((await other.find(word)).total, 4)
    for (const query of [word, `${word}x`, word.slice(0, 8)]) {
      const { total, facets, results } = await mine.find(query)
      assert.deepEqual([total, results], [0, []])
      assert.deepEqual(Object.values(facets ?? {}).flat(), [])
    }
    const everything = await mine.find('', `&teamId=secret&tag=${word}`)
    assert.equal(everything.total, 0)
    assert.ok(!JSON.stringify((await mine.find('')).facets).includes(word))
  })

  describe('its description', () => {
    test('GET /api/search › highlights are the words that match, in any text', async () => {
      const world = await newOne()
      const text = `<b>🚢 ${'x '.repeat(300)}Über-Kräne</b> ${'y '.repeat(300)}`
      await world.product('h', {
        name: '<script>Kräne</script>\u202e',
        description: { purpose: text },
      })
      const { highlights, description } = only(await world.find('krane'), 'h')
      assert.equal(description, text)
      for (const { text: shown, ranges } of highlights) {
        assert.ok(shown.length <= 240 && shown.isWellFormed() && ranges.length > 0)
        for (const [from, to] of ranges) assert.equal(shown.slice(from, to), 'Kräne')
      }
      assert.deepEqual(
        highlights.map(({ field }) => field),
        ['name', 'description'],
      )
    })

    test('GET /api/search › the fields that clients read, and ours', async () => {
      const world = await newOne()
      await world.product('shape', {
        name: 'Shape',
        domain: 'd',
        description: { purpose: 'D' },
        tags: ['t'],
      })
      const { query, answer, results } = await world.find('shape')
      assert.deepEqual([query, answer], ['shape', null])
      const { updatedAt, ...result } = results.find(({ id }) => id === 'shape') ?? assert.fail()
      assert.match(updatedAt, /^\d{4}-\d\d-\d\dT.*Z$/)
      assert.deepEqual(result, {
        id: 'shape',
        url: 'http://portbook.test/data-products/shape',
        ownerId: 'a',
        ownerName: 'Team A',
        name: 'Shape',
        resourceType: 'DATA_PRODUCT',
        description: 'D',
        status: 'active',
        domain: 'd',
        tags: ['t'],
        source: null,
        type: 'odps',
        why: [
          { field: 'name', how: 'exact', path: null },
          { field: 'id', how: 'exact', path: null },
        ],
        highlights: [
          { field: 'name', text: 'Shape', ranges: [[0, 5]] },
          { field: 'id', text: 'shape', ranges: [[0, 5]] },
        ],
      })
    })

    test('GET /api/search › query goes before q, and nothing asks for everything', async () => {
      const world = await newOne()
      await world.product('one', { name: 'One' })
      const found = async (search: string): Promise<string[]> => {
        const answer = await readJson<SearchAnswer>(world.as('Um', 'GET', `/api/search${search}`))
        return answer.results.map(({ id }) => id)
      }
      assert.deepEqual(await found('?q=one'), ['one'])
      assert.deepEqual(await found('?q=nothing&query=one'), ['one'])
      for (const search of ['', '?query=', '?q=%20', '?query=&q=zzz']) {
        assert.deepEqual(await found(search), ['one', 'a', 'b'], search)
      }
    })
  })

  test('GET /api/search › 400 for what a parameter cannot be', async () => {
    const world = await newOne()
    for (const search of [
      'resourceType=TABLE',
      'limit=0',
      'limit=101',
      'limit=x',
      'p=-1',
      'facets=1',
    ]) {
      await expectProblem(world.as('Um', 'GET', `/api/search?${search}`), 400)
    }
  })

  test('GET /api/search › any text gets an answer', async () => {
    const world = await newOne()
    await world.product('sane', { name: 'Sane' })
    const queries = [
      '???',
      "'",
      "':* | !",
      '\\',
      '"',
      '&',
      '(',
      'a',
      '\u202e',
      '\ud800',
      '🚂',
      '½',
      'ﷺ',
      'e\u0301'.repeat(300),
      'a'.repeat(10_000),
      'ab '.repeat(1000),
      'a_'.repeat(500),
      Array.from({ length: 1000 }, (_, at) => `w${at}`).join(' '),
      'AbCdEfGh'.repeat(50),
      '1e400',
      '%',
      '_',
    ]
    for (const query of queries) {
      const path = `/api/search?query=${encodeURIComponent(query.toWellFormed())}`
      const response = await world.as('Um', 'GET', path)
      assert.equal(response.status, 200, `${query.slice(0, 40)} ${await response.text()}`)
    }
    await expectProblem(world.as('Um', 'GET', '/api/search?query=a%00b'), 400)
    assert.deepEqual(await world.ids('???'), [])
    assert.deepEqual(await world.ids("sane'"), ['sane'])
  })
})
