import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { NAMESPACES } from '../../../formats/rdf/graph.ts'
import {
  canonicalize,
  listValues,
  listViolations,
  parseJsonLd,
  parseTurtle,
} from '../../../test/rdf/shapes.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, odps, type World } from '../../../test/world.ts'
import { readMesh } from '../../demo/mesh.ts'

const { dcat, dct, dprod, hydra } = NAMESPACES
const BASE = 'http://portbook.test'
const CATALOG = `${BASE}/catalog`

const KINDS = new Map([
  ['teams', 'teams'],
  ['data-contracts', 'datacontracts'],
  ['data-products', 'dataproducts'],
])

async function read(world: World, path: string, accept = '*/*'): Promise<string> {
  return await (await expectOk(world.as('Or', 'GET', path, { headers: { accept } }))).text()
}

/** Copies a product by one statement, because many writes take long. Its copies have the numbers from 1. */
async function copyProduct(world: World, id: string, count: number): Promise<void> {
  await sql`
    insert into data_product
    select (jsonb_populate_record(original, jsonb_build_object(
      'external_id', lpad(number::text, 4, '0'),
      'created_at', original.created_at + (number / 2) * interval '1 second'
    ))).*
    from data_product as original
    cross join generate_series(1, ${count}::integer) as number
    where original.organization_id = ${world.organizationId}
      and original.external_id = ${id}
  `.execute(world.services.db)
}

onStore((store) => {
  describe('the catalog of the demo', () => {
    let world: World
    const products: string[] = []
    before(async () => {
      world = await newWorld(newProduct(store()))
      for (const { folder, id, source, isEarlier } of readMesh()) {
        const collection = KINDS.get(folder)
        if (collection === undefined || isEarlier) continue
        if (folder === 'data-products') products.push(id)
        const path = `/api/${collection}/${encodeURIComponent(id)}`
        const sent =
          source.mediaType === 'application/json' ? { body: source.text } : { yaml: source.text }
        await expectOk(world.as('O', 'PUT', path, sent))
      }
    })

    test('conforms to the shapes, has every product, and is the same graph in both forms', async () => {
      const quads = parseTurtle(await read(world, '/api/catalog.ttl'))
      assert.deepEqual(await listViolations(quads), [])
      const linked = await parseJsonLd(await read(world, '/api/catalog.jsonld'))
      assert.equal(await canonicalize(linked), await canonicalize(quads))
      assert.ok(products.length > 20)
      assert.deepEqual(
        listValues(quads, CATALOG, `${dcat}resource`),
        products.map((id) => `${BASE}/data-products/${encodeURIComponent(id)}`).toSorted(),
      )
    })

    test('each product conforms by itself', async () => {
      for (const id of products.slice(0, 3)) {
        const path = `/api/dataproducts/${encodeURIComponent(id)}?format=dprod`
        const quads = parseTurtle(await read(world, path, 'text/turtle'))
        assert.deepEqual(await listViolations(quads), [], id)
      }
    })

    test('has the address of no person', async () => {
      assert.doesNotMatch(await read(world, '/api/catalog.ttl'), /[\w.]+@velmora/i)
    })
  })

  describe('pages', () => {
    const COUNT = 1001
    let world: World
    before(async () => {
      world = await newWorld(newProduct(store()))
      const body = { ...odps('0000'), id: undefined, status: 'active' }
      await expectOk(world.as('O', 'PUT', '/api/dataproducts/0000', { body }))
      await copyProduct(world, '0000', COUNT - 1)
    })

    test('have 1,000 products each, every product once, and lead to the next one', async () => {
      const found: string[] = []
      const counts: number[] = []
      let path: string | undefined = '/api/catalog.ttl'
      for (let page = 0; path !== undefined; page += 1) {
        const answer: Response = await expectOk(world.as('Or', 'GET', path))
        const quads = parseTurtle(await answer.text())
        const resources = listValues(quads, CATALOG, `${dcat}resource`)
        counts.push(resources.length)
        found.push(...resources)
        const view = `${CATALOG}?p=${page}`
        assert.deepEqual(listValues(quads, CATALOG, `${hydra}view`), [view])
        const link = answer.headers.get('link') ?? ''
        path = /^<([^>]+)>; rel="next"$/.exec(link)?.[1]
        const next = path === undefined ? [] : [`${CATALOG}?p=${page + 1}`]
        assert.deepEqual(listValues(quads, view, `${hydra}next`), next)
        if (path === undefined) assert.deepEqual(await listViolations(quads), [])
        else assert.equal(path, '/api/catalog.ttl?p=1')
      }
      assert.deepEqual(counts, [1000, 1])
      assert.equal(new Set(found).size, COUNT)
    })

    test('GET /catalog › its next page has the same form', async () => {
      const headers = { accept: 'text/turtle' }
      const answer = await expectOk(world.as('Or', 'GET', '/catalog', { headers }))
      assert.equal(answer.headers.get('link'), '</catalog?p=1>; rel="next"')
      await answer.body?.cancel()
    })
  })

  describe('large products', () => {
    const COUNT = 11
    const DESCRIPTION = 'Wörd '.repeat(170_000)
    let world: World
    before(async () => {
      world = await newWorld(newProduct(store()))
      const body = { ...odps('0000', { description: { purpose: DESCRIPTION } }), id: undefined }
      await expectOk(world.as('O', 'PUT', '/api/dataproducts/0000', { body }))
      await copyProduct(world, '0000', COUNT - 1)
    })

    test('10 MB of descriptions come in small pieces, each product when it is read', async () => {
      const answer = await expectOk(world.as('Or', 'GET', '/api/catalog.ttl'))
      assert.ok(answer.body !== null)
      const pieces: Uint8Array[] = []
      for await (const piece of answer.body) {
        // What is deleted while a client reads the first piece was not read yet.
        if (pieces.length === 0) {
          await expectOk(world.as('O', 'DELETE', '/api/dataproducts/0010'))
        }
        pieces.push(piece)
      }
      assert.ok(Math.max(...pieces.map(({ length }) => length)) <= 256 * 1024)
      const text = Buffer.concat(pieces).toString()
      assert.equal(text.split(`dct:description "${DESCRIPTION}"`).length, COUNT)
      assert.equal(text.split('dcat:resource').length, COUNT)
    })
  })

  describe('documents of all formats', () => {
    let world: World
    before(async () => {
      world = await newWorld(newProduct(store()))
    })

    const put = async (path: string, body: object): Promise<void> => {
      await expectOk(world.as('O', 'PUT', path, { body }))
    }

    test('contracts in DCS and ODCS 2.2, products in DPS, hostile ids', async () => {
      const id = `a"b<c>d{e} ü%20'`
      await put(`/api/datacontracts/${encodeURIComponent(id)}`, {
        dataContractSpecification: '1.1.0',
        id,
        info: { title: 'Orders', version: '1', description: 'x'.repeat(20_000), owner: 'a' },
        servers: { prod: { type: 's3', location: 's3://bucket/${env}/orders' } },
      })
      await put('/api/datacontracts/old', {
        ...odcs('old'),
        apiVersion: 'v2.2.2',
        uuid: 'old',
        id: undefined,
        datasetName: 'Old',
      })
      await put(`/api/dataproducts/${encodeURIComponent(id)}`, {
        dataProductSpecification: '0.0.1',
        id,
        info: { title: 'Orders "all"', owner: 'a', status: 'retired' },
        outputPorts: [
          { id: 'p<1>', name: 'Table', dataContractId: id },
          { id: 'p2', name: 'Old', dataContractId: 'old' },
        ],
      })
      const quads = parseTurtle(await read(world, '/api/catalog.ttl'))
      assert.deepEqual(await listViolations(quads), [])
      const product = `${BASE}/data-products/${encodeURIComponent(id)}`
      const contract = `${BASE}/data-contracts/${encodeURIComponent(id)}`
      assert.deepEqual(listValues(quads, product, `${dprod}outputDataset`), [
        contract,
        `${BASE}/data-contracts/old`,
      ])
      const [description = ''] = listValues(quads, contract, `${dct}description`)
      assert.equal(description.length, 10_000)
      // A location with a variable is not an address.
      const port = `${product}#port-p%3C1%3E`
      assert.deepEqual(listValues(quads, port, `${dcat}endpointURL`), [product])
      assert.deepEqual(listValues(quads, product, `${dprod}lifecycleStatus`), [
        `${CATALOG}#status-retired`,
      ])
    })

    test('a changed contract is read again, a deleted product is gone', async () => {
      const server = { server: 's', type: 'mysql', port: 3306, database: 'd' }
      const write = async (host: string): Promise<void> =>
        await put('/api/datacontracts/moved', odcs('moved', { servers: [{ ...server, host }] }))
      const outputPorts = [{ name: 'p', version: '1', contractId: 'moved' }]
      await write('one')
      await put('/api/dataproducts/moved', odps('moved', { outputPorts }))
      const port = `${BASE}/data-products/moved#port-p-1`
      for (const host of ['one', 'two', 'one']) {
        await write(host)
        const quads = parseTurtle(await read(world, '/api/catalog.ttl'))
        const address = listValues(quads, port, `${dcat}endpointURL`)
        assert.deepEqual(address, [`mysql://${host}:3306/d`])
      }
      await expectOk(world.as('O', 'DELETE', '/api/dataproducts/moved'))
      assert.doesNotMatch(await read(world, '/api/catalog.ttl'), /moved/)
    })
  })
})
