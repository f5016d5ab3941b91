import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { NAMESPACES } from '../../../formats/rdf/graph.ts'
import { expectProblem } from '../../../test/answers.ts'
import { eventsSoFar } from '../../../test/feed.ts'
import {
  canonicalize,
  listValues,
  listViolations,
  parseJsonLd,
  parseTurtle,
} from '../../../test/rdf/shapes.ts'
import { onStore } from '../../../test/stores.ts'
import {
  CALLERS,
  expectOk,
  newProduct,
  newWorld,
  odcs,
  odps,
  type World,
} from '../../../test/world.ts'

const { dcat, dct, dprod } = NAMESPACES
const BASE = 'http://portbook.test'
const CANARY = 'canary of another organization'
const DRAFT = 'dprod; version=1.0-beta1'

const SERVERS = [
  { server: 'prod', type: 'postgresql', host: 'db', port: 5432, database: 'sales', schema: 's' },
]

async function put(world: World, path: string, body: object): Promise<void> {
  await expectOk(world.as('O', 'PUT', path, { body }))
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
    await put(world, '/api/datacontracts/orders-v1', odcs('orders-v1', { servers: SERVERS }))
    await put(
      world,
      '/api/dataproducts/orders',
      odps('orders', {
        status: 'active',
        domain: 'Sales',
        outputPorts: [{ name: 'orders', version: '1.0.0', contractId: 'orders-v1' }],
      }),
    )
    await put(
      world,
      '/api/dataproducts/report',
      odps('report', {
        apiVersion: 'v1.1.0',
        status: 'active',
        deprecated: true,
        inputPorts: [
          { name: 'orders', version: '1.0.0', contractId: 'orders-v1' },
          { name: 'gone', version: '1.0.0', contractId: 'never-registered' },
        ],
      }),
    )
    const other = await newWorld(world)
    await put(other, '/api/teams/a', { name: CANARY })
    await put(other, '/api/datacontracts/orders-v1', odcs('orders-v1', { name: CANARY }))
    await put(other, '/api/datacontracts/never-registered', odcs('never-registered'))
    await put(other, '/api/dataproducts/orders', odps('orders', { name: CANARY, domain: CANARY }))
    await put(other, '/api/dataproducts/theirs', odps('theirs', { name: CANARY }))
  })

  const read = async (path: string, accept = '*/*'): Promise<Response> =>
    await expectOk(world.as('O', 'GET', path, { headers: { accept } }))

  describe('GET /api/catalog.ttl and GET /api/catalog.jsonld', () => {
    test('200 › both forms have the same triples, which conform to the shapes', async () => {
      const turtle = await read('/api/catalog.ttl')
      assert.equal(turtle.headers.get('content-type'), 'text/turtle')
      assert.equal(turtle.headers.get('portbook-draft'), DRAFT)
      const jsonLd = await read('/api/catalog.jsonld')
      assert.equal(jsonLd.headers.get('content-type'), 'application/ld+json')
      const quads = parseTurtle(await turtle.text())
      assert.deepEqual(await listViolations(quads), [])
      const report = `${BASE}/data-products/report`
      assert.deepEqual(listValues(quads, report, `${dprod}lifecycleStatus`), [
        `${BASE}/catalog#status-deprecated`,
      ])
      const linked = await parseJsonLd(await jsonLd.text())
      assert.equal(await canonicalize(linked), await canonicalize(quads))
      const products = listValues(quads, `${BASE}/catalog`, `${dcat}resource`)
      assert.deepEqual(products, [`${BASE}/data-products/orders`, `${BASE}/data-products/report`])
      const port = `${BASE}/data-products/orders#port-orders-1.0.0`
      assert.deepEqual(listValues(quads, port, `${dcat}endpointURL`), [
        'postgresql://db:5432/sales',
      ])
      const input = `${BASE}/data-products/report#input-port-gone-1.0.0`
      assert.deepEqual(listValues(quads, input, `${dcat}servesDataset`), [])
    })

    test('200 › has nothing of another organization with the same ids', async () => {
      for (const path of ['/api/catalog.ttl', '/api/catalog.jsonld', '/catalog']) {
        const text = await (await read(path, 'application/ld+json')).text()
        assert.doesNotMatch(text, /canary|theirs|data-contracts\/never-registered/)
      }
    })

    test('200 › every caller of the organization reads the same', async () => {
      const texts = new Set<string>()
      for (const caller of CALLERS.filter((name) => name !== 'none')) {
        const answer = await expectOk(world.as(caller, 'GET', '/api/catalog.ttl'))
        texts.add(await answer.text())
      }
      assert.equal(texts.size, 1)
    })

    test('200 › a page after the last one is a valid catalog without products', async () => {
      const answer = await read('/api/catalog.ttl?p=7')
      assert.equal(answer.headers.get('link'), null)
      const quads = parseTurtle(await answer.text())
      assert.deepEqual(await listViolations(quads), [])
      assert.deepEqual(listValues(quads, `${BASE}/catalog`, `${dcat}resource`), [])
    })

    test('304 › until something changes in the organization', async () => {
      const fresh = await newWorld(world)
      const ask = async (etag: string): Promise<Response> =>
        await fresh.as('O', 'GET', '/api/catalog.ttl', { headers: { 'if-none-match': etag } })
      // No open transaction of another test changes the state of settled events.
      await eventsSoFar(fresh)
      const first = await ask('"x"')
      const tag = first.headers.get('etag') ?? ''
      assert.match(tag, /^W\/"[\w-]+"$/)
      const again = await ask(tag)
      assert.equal(again.status, 304)
      assert.equal(await again.text(), '')
      await put(world, '/api/dataproducts/elsewhere', odps('elsewhere'))
      assert.equal((await ask(tag)).status, 304)
      await put(fresh, '/api/dataproducts/new', odps('new'))
      const changed = await ask(tag)
      assert.equal(changed.status, 200)
      await put(fresh, '/api/teams/a', { name: 'Another name' })
      assert.equal((await ask(changed.headers.get('etag') ?? '')).status, 200)
      await expectOk(world.as('O', 'DELETE', '/api/dataproducts/elsewhere'))
    })

    test('400 › an unknown parameter or a page that is no number', async () => {
      await expectProblem(world.as('O', 'GET', '/api/catalog.ttl?page=1'), 400)
      await expectProblem(world.as('O', 'GET', '/api/catalog.jsonld?p=x'), 400)
    })

    test('401 › without a key', async () => {
      await expectProblem(world.call('GET', '/api/catalog.ttl'), 401)
    })
  })

  describe('GET /api/dataproducts/{id}?format=dprod', () => {
    const path = '/api/dataproducts/orders?format=dprod'

    test('200 › JSON-LD, or Turtle by Accept, with the same triples', async () => {
      const jsonLd = await read(path, 'application/json')
      assert.equal(jsonLd.headers.get('content-type'), 'application/ld+json')
      assert.equal(jsonLd.headers.get('portbook-draft'), DRAFT)
      assert.equal(jsonLd.headers.get('vary'), 'accept')
      const turtle = await read(path, 'text/turtle')
      assert.equal(turtle.headers.get('content-type'), 'text/turtle')
      const quads = parseTurtle(await turtle.text())
      assert.deepEqual(await listViolations(quads), [])
      const linked = await parseJsonLd(await jsonLd.text())
      assert.equal(await canonicalize(linked), await canonicalize(quads))
      const product = `${BASE}/data-products/orders`
      assert.deepEqual(listValues(quads, product, `${dprod}dataProductOwner`), [`${BASE}/teams/a`])
      assert.doesNotMatch(await (await read(path)).text(), /canary/)
    })

    test('400 › an unknown format, or with asOf', async () => {
      await expectProblem(world.as('O', 'GET', '/api/dataproducts/orders?format=dcat'), 400)
      const former = '&asOf=9999-12-31T00:00:00Z'
      await expectProblem(world.as('O', 'GET', `${path}${former}`), 400)
    })

    test('404 › a product that does not exist', async () => {
      await expectProblem(world.as('O', 'GET', '/api/dataproducts/none?format=dprod'), 404)
    })
  })

  describe('addresses of pages that are IRIs', () => {
    for (const [page, api] of [
      ['/data-products/orders', '/api/dataproducts/orders'],
      ['/data-contracts/orders-v1', '/api/datacontracts/orders-v1'],
      ['/teams/a', '/api/teams/a'],
    ] as const) {
      for (const mediaType of ['text/turtle', 'application/ld+json']) {
        test(`GET ${page} with Accept: ${mediaType} › 200 with its triples`, async () => {
          const answer = await read(page, mediaType)
          assert.equal(answer.headers.get('content-type'), mediaType)
          const text = await answer.text()
          assert.equal(text, await (await read(api, mediaType)).text())
          const quads = mediaType === 'text/turtle' ? parseTurtle(text) : await parseJsonLd(text)
          assert.deepEqual(await listViolations(quads), [])
          const whole = await canonicalize(
            parseTurtle(await (await read('/api/catalog.ttl')).text()),
          )
          const own = (await canonicalize(quads)).split('\n')
          assert.deepEqual(
            own.filter((line) => !whole.includes(line)),
            [],
          )
          assert.ok(own.some((line) => line.startsWith(`<${BASE}${page}> `)))
        })
      }

      test(`GET ${page} with asOf › no RDF of a former version`, async () => {
        const answer = await read(`${page}?asOf=9999-12-31T00:00:00Z`, 'text/turtle')
        assert.equal(answer.headers.get('content-type'), 'application/json')
      })
    }

    test('a contract has the distributions of its providers', async () => {
      const quads = parseTurtle(
        await (await read('/data-contracts/orders-v1', 'text/turtle')).text(),
      )
      const contract = `${BASE}/data-contracts/orders-v1`
      assert.deepEqual(listValues(quads, contract, `${dcat}distribution`), [
        `${BASE}/data-products/orders#distribution-orders-1.0.0`,
      ])
      assert.deepEqual(listValues(quads, contract, `${dct}identifier`), ['orders-v1'])
    })

    test('GET /catalog › the first page in the form that the client likes best', async () => {
      for (const [accept, mediaType, api] of [
        ['text/turtle', 'text/turtle', '/api/catalog.ttl'],
        ['application/ld+json', 'application/ld+json', '/api/catalog.jsonld'],
        ['*/*', 'application/ld+json', '/api/catalog.jsonld'],
      ] as const) {
        const answer = await read('/catalog?p=0', accept)
        assert.equal(answer.headers.get('content-type'), mediaType)
        assert.equal(answer.headers.get('vary'), 'Accept')
        assert.equal(await answer.text(), await (await read(api)).text())
      }
    })

    test('GET /catalog in a browser › redirects to the search page', async () => {
      const headers = { accept: 'text/html' }
      const answer = await world.call('GET', '/catalog', { headers })
      assert.ok(answer.status >= 300 && answer.status < 400)
      assert.equal(answer.headers.get('location'), '/search')
    })

    test('GET /catalog without a key › 401', async () => {
      const headers = { accept: 'text/turtle' }
      await expectProblem(world.call('GET', '/catalog', { headers }), 401)
    })
  })
})
