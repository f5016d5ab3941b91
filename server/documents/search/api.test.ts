import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import {
  getResult,
  newSearchWorld,
  withPort,
  withSchema,
  type SearchWorld,
} from '../../../test/search/search-world.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, odps, uniqueId, type Product } from '../../../test/world.ts'
import type { SearchAnswer } from './search.ts'

onStore((store) => {
  let product: Product
  before(() => {
    product = newProduct(store())
  })
  const newOrganization = (): Promise<SearchWorld> => newSearchWorld(product)

  describe('facets and filters', () => {
    test('GET /api/search › has a facet value and a filter for resources without an owner', async () => {
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

    test('GET /api/search › counts each facet under the filters of the others, and always lists active filters', async () => {
      const world = await newOrganization()
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
        trust: [{ value: 'neutral', label: 'Unknown', count: 4 }],
        drift: [{ value: 'unknown', label: 'Not compared', count: 4 }],
        classification: [],
        custom: [],
      })
      const { total, facets } = await world.find('grain', '&domain=sales&domain=nowhere&teamId=a')
      assert.equal(total, 2)
      const counts = (name: 'domain' | 'team' | 'tag') =>
        facets?.[name].map(({ value, count }) => `${value} ${count}`)
      assert.deepEqual(counts('domain'), ['sales 2', 'nowhere 0'])
      assert.deepEqual(counts('team'), ['a 2'])
      assert.deepEqual(counts('tag'), ['x 1', 'y 1'])
    })

    test('GET /api/search › filters by every filter, with its values as alternatives', async () => {
      const world = await newOrganization()
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

    test('GET /api/search › does not correct words if filters exclude all results', async () => {
      const world = await newOrganization()
      await world.product('real', { name: 'Granary' })
      await world.product('near', { name: 'Granery', domain: 'd' })
      for (const more of ['&domain=d', '&domain=d&facets=false']) {
        assert.deepEqual(await world.ids('granary', more), [], more)
      }
    })
  })

  test('GET /api/search › pages are complete and in one order', async () => {
    const world = await newOrganization()
    for (let at = 0; at < 7; at += 1) await world.product(`same-${at}`, { name: 'Same' })
    for (const limit of [1, 3]) {
      const seen: string[] = []
      let path: string | undefined = `/api/search?q=same&limit=${limit}&facets=false`
      while (path !== undefined) {
        const response: Response = await world.as('Um', 'GET', path)
        const { results, total } = (await response.json()) as SearchAnswer
        assert.equal(total, 7)
        seen.push(...results.map(({ id }) => id))
        path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
      }
      assert.deepEqual(seen, ['same-0', 'same-1', 'same-2', 'same-3', 'same-4', 'same-5', 'same-6'])
    }
    assert.deepEqual(await world.ids('same', '&p=9999999999'), [])
  })

  describe('freshness', () => {
    test('GET /api/search › reflects a PUT or DELETE immediately', async () => {
      const world = await newOrganization()
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

    test('GET /api/search › ignores dry runs and rejected requests', async () => {
      const world = await newOrganization()
      const put = (more: string, team: string): Promise<Response> => {
        const body = odps('dry', { name: 'Pluto', team: { name: team } })
        return world.as('O', 'PUT', `/api/dataproducts/dry${more}`, { body })
      }
      assert.equal((await put('?dryRun=true', 'a')).status, 200)
      assert.equal((await put('', 'unknown')).status, 422)
      assert.deepEqual(await world.ids('pluto'), [])
    })

    test('GET /api/search › finds a renamed team and its resources immediately', async () => {
      const world = await newOrganization()
      await world.team('crew', 'Petrel')
      await world.product('owned', { name: 'P', team: { name: 'crew' } })
      await world.asset('owned-too', { name: 'A', type: 't', owner: 'crew' })
      const found = await world.find('petrel')
      assert.deepEqual(
        found.results.map(({ id }) => id),
        ['crew', 'owned', 'owned-too'],
      )
      assert.deepEqual(getResult(found, 'owned').why, [
        { field: 'owner', how: 'exact', path: null },
      ])
      assert.equal(getResult(found, 'owned').ownerName, 'Petrel')
      await world.team('crew', 'Gannet')
      assert.deepEqual(await world.ids('petrel'), [])
      assert.deepEqual(await world.ids('gannet'), ['crew', 'owned', 'owned-too'])
    })
  })

  test('GET /api/search › does not find, count or suggest resources of another organization', async () => {
    const [mine, other] = [await newOrganization(), await newOrganization()]
    const word = `wharf${uniqueId().replaceAll(/\d/g, 'q')}`
    await other.team('secret', word)
    await other.product(word, {
      name: word,
      team: { name: 'secret' },
      tags: [word],
      ...withPort(word),
    })
    await other.contract(word, { name: word, ...withSchema(word, word) })
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

  describe('results', () => {
    test('GET /api/search › highlights matching words in any text', async () => {
      const world = await newOrganization()
      const text = `<b>🚢 ${'x '.repeat(300)}Über-Kräne</b> ${'y '.repeat(300)}`
      await world.product('h', {
        name: '<script>Kräne</script>\u202e',
        description: { purpose: text },
      })
      const { highlights, description } = getResult(await world.find('krane'), 'h')
      assert.equal(description, text.trim())
      for (const { text: shown, ranges } of highlights) {
        assert.ok(shown.length <= 240 && shown.isWellFormed() && ranges.length > 0)
        for (const [from, to] of ranges) assert.equal(shown.slice(from, to), 'Kräne')
      }
      assert.deepEqual(
        highlights.map(({ field }) => field),
        ['name', 'description'],
      )
    })

    test('GET /api/search › contains the fields for clients and for our pages', async () => {
      const world = await newOrganization()
      const members = { name: 'Shape', domain: 'd', description: { purpose: 'D' }, tags: ['t'] }
      await world.product('shape', members)
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
        readers: 0,
        trust: {
          tests: { state: 'neutral', word: 'Not tested' },
          freshness: { state: 'neutral', word: 'Unknown' },
          drift: { state: 'neutral', word: 'Not compared' },
          standing: { state: 'neutral', word: 'Not certified' },
          worst: 'neutral',
        },
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

    test('GET /api/search › prefers query to q, and lists everything without a query', async () => {
      const world = await newOrganization()
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

  test('GET /api/search › 400 for invalid parameters', async () => {
    const world = await newOrganization()
    const searches = ['resourceType=TABLE', 'limit=0', 'limit=101', 'limit=x', 'p=-1', 'facets=1']
    for (const search of searches) {
      await expectProblem(world.as('Um', 'GET', `/api/search?${search}`), 400)
    }
  })

  test('GET /api/search › accepts any text', async () => {
    const world = await newOrganization()
    await world.product('sane', { name: 'Sane' })
    const odd = [
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
    ]
    const long = ['e\u0301'.repeat(300), 'a'.repeat(10_000), 'ab '.repeat(1000), 'a_'.repeat(500)]
    const words = Array.from({ length: 1000 }, (_, at) => `w${at}`).join(' ')
    const queries = [...odd, ...long, words, 'AbCdEfGh'.repeat(50), '1e400', '%', '_']
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
