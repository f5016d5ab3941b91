import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { before, describe, test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { newMember } from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'
import type { SearchAnswer } from './search.ts'

const MESH = join(import.meta.dirname, '../../../examples/mesh')

/** Questions of people, and documents of the example mesh that must be among the first results. */
const QUESTIONS: readonly (readonly [question: string, ...ids: string[]])[] = [
  ['customers e-mail addresses', 'customer-master'],
  ['customer mail', 'customer-master'],
  ['where can I find customer e-mail', 'customer-master'],
  ['energy use of locomotives', 'locomotive-energy'],
  ['how late are trains', 'customer-punctuality'],
]
const FIRST = 5

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const find = async (query: string, of = world): Promise<SearchAnswer> =>
    await readJson(of.as('O', 'GET', `/api/search?query=${encodeURIComponent(query)}`))

  async function putAll(folder: string, path: string): Promise<void> {
    const files = readdirSync(join(MESH, folder)).toSorted()
    // A team's parent has to exist: what is rejected is sent again after the others.
    let left = files
    while (left.length > 0) {
      const rejected: string[] = []
      for (const file of left) {
        const body = readFileSync(join(MESH, folder, file), 'utf8')
        const id = basename(file, extname(file))
        const mediaType = file.endsWith('.json') ? 'application/json' : 'application/yaml'
        const headers = { 'content-type': mediaType }
        const answer = await world.as('O', 'PUT', `/api/${path}/${id}`, { body, headers })
        if (answer.status !== 200) rejected.push(file)
      }
      assert.ok(rejected.length < left.length, rejected.join())
      left = rejected
    }
  }

  describe('questions of people', () => {
    before(async () => {
      for (const [folder, path] of [
        ['teams', 'teams'],
        ['data-contracts', 'datacontracts'],
        ['data-products', 'dataproducts'],
      ] as const) {
        await putAll(folder, path)
      }
    })

    for (const [question, ...ids] of QUESTIONS) {
      test(`GET /api/search › "${question}" finds ${ids.join(', ')}`, async () => {
        const { results } = await find(question)
        const first = results.slice(0, FIRST).map(({ id }) => id)
        for (const id of ids) assert.ok(first.includes(id), first.join())
      })
    }

    for (const word of ['pii', 'gdpr']) {
      test(`GET /api/search › "${word}" finds what is classified as personal`, async () => {
        const { results, total } = await find(word)
        assert.ok(total >= 3, `${total}`)
        assert.ok(results.some(({ why }) => why.some(({ how }) => how === 'synonym')))
      })
    }
  })

  for (const question of [
    'Find data products related to purchases',
    'Find data products related to purchases of customers',
    'purchases of customers',
    'Which data products are about customer purchases?',
    'show me all purchases made by customers',
  ]) {
    test(`GET /api/search › "${question}" finds a product by its description`, async () => {
      const own = await newWorld(newProduct(store()))
      const description = { purpose: 'All purchases that customers made' }
      const distractor = { purpose: 'Products, and information about related products' }
      for (const [id, body] of [
        ['orders', { name: 'Order history', description }],
        ['catalog', { name: 'Product catalog', description: distractor }],
      ] as const) {
        const path = `/api/dataproducts/${id}`
        await expectOk(own.as('O', 'PUT', path, { body: odps(id, body) }))
      }
      const { results } = await find(question, own)
      assert.equal(results[0]?.id, 'orders')
    })
  }

  test('GET /api/search › returns the words that it left out', async () => {
    const own = await newWorld(newProduct(store()))
    const body = odps('roster', { name: 'Pilot roster' })
    await expectOk(own.as('O', 'PUT', '/api/dataproducts/roster', { body }))
    const { results, leftOut } = await find('where is the pilot zzzz', own)
    assert.deepEqual(
      [results.map(({ id }) => id), leftOut],
      [['roster'], ['where', 'is', 'the', 'zzzz']],
    )
    assert.deepEqual((await find('pilot', own)).leftOut, [])
    assert.deepEqual((await find('where is zzzz', own)).leftOut, [])
  })

  test('GET /api/search › what has the word itself comes before what has a synonym', async () => {
    const own = await newWorld(newProduct(store()))
    for (const [id, name] of [
      ['a', 'Client list'],
      ['b', 'Customer list'],
    ] as const) {
      await expectOk(own.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id, { name }) }))
    }
    const { results } = await find('customer', own)
    assert.deepEqual(
      results.map(({ id, why }) => [id, why[0]?.how]),
      [
        ['b', 'prefix'],
        ['a', 'synonym'],
      ],
    )
  })

  test('PUT /ui/search-synonyms › adds words that searches of the organization treat alike', async () => {
    const product = newProduct(store())
    const own = await newWorld(product)
    const { browser } = await newMember(product, own.organizationId, 'Owner')
    browser.organization = own.organizationId
    const path = '/ui/search-synonyms'
    const id = uniqueId()
    const body = odps(id, { name: 'Railcar list', team: { name: 'fleet' } })
    await expectOk(browser.ask('PUT', '/api/teams/fleet', { name: 'Fleet' }))
    await expectOk(browser.ask('PUT', `/api/dataproducts/${id}`, body))
    const ids = async (): Promise<string[]> => {
      const answer = await readJson<SearchAnswer>(browser.ask('GET', '/api/search?query=wagon'))
      return answer.results.map((one) => one.id)
    }
    assert.deepEqual(await ids(), [])
    const groups = [['Wagon', 'Rail-car']]
    const saved = await readJson<{ groups: string[][]; known: string[][] }>(
      browser.ask('PUT', path, { groups }),
    )
    assert.deepEqual(saved.groups, groups)
    assert.deepEqual(await readJson(browser.ask('GET', path)), saved)
    assert.deepEqual(await ids(), [id])
    for (const wrong of [[['one']], [['a', '!']], [['a', 'x'.repeat(41)]], 'a']) {
      await expectProblem(browser.ask('PUT', path, { groups: wrong }), 422)
    }
  })
})
