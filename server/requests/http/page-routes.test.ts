/** The addresses of pages that people copy into documents and programs fetch: every form, for every way to ask. */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, odcs, odps, type Product, type World } from '../../../test/world.ts'

const ODCS = 'application/vnd.entropydata.odcs+json'
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

/** Documents with the addresses of their pages, from which `$organization` is replaced. */
const DOCUMENTS: Readonly<Record<string, { body: object; addresses: readonly string[] }>> = {
  '/api/definitions/sales/order_id': {
    body: { id: 'sales/order_id', owner: 'a', title: 'Order', type: 'string' },
    addresses: [
      '/definitions/sales/order_id',
      '/definitions/sales%2Forder_id',
      '/definitions/sales%2forder%5Fid',
      '/$organization/definitions/sales/order_id',
      '/$organization/definitions/sales%2Forder_id',
    ],
  },
  '/api/tags/core/pii': {
    body: { id: 'core/pii', info: { owner: 'a' } },
    addresses: ['/tags/core/pii', '/tags/core%2Fpii', '/$organization/tags/core/pii'],
  },
  '/api/datacontracts/orders': {
    body: odcs('orders'),
    addresses: [
      '/datacontracts/orders',
      '/data-contracts/orders',
      '/$organization/datacontracts/orders',
    ],
  },
  '/api/dataproducts/orders': {
    body: odps('orders'),
    addresses: [
      '/dataproducts/orders',
      '/data-products/orders',
      '/$organization/dataproducts/orders',
    ],
  },
  '/api/teams/fleet': {
    body: { id: 'fleet', name: 'Fleet', type: 'Team' },
    addresses: ['/teams/fleet', '/$organization/teams/fleet'],
  },
  '/api/sourcesystems/erp': {
    body: { id: 'erp', name: 'ERP', owner: 'a' },
    addresses: ['/sourcesystems/erp', '/source-systems/erp', '/$organization/sourcesystems/erp'],
  },
  '/api/connectors/sync': {
    body: { id: 'sync', info: { type: 'assets' } },
    addresses: ['/connectors/sync', '/$organization/connectors/sync'],
  },
  '/api/assets/table': {
    body: { id: 'table', info: { name: 'table', source: 'x', type: 'table', owner: 'a' } },
    addresses: ['/assets/table', '/$organization/assets/table'],
  },
}

/** Headers `Accept` of programs, with the type of their answer. Definitions have one more type. */
const PROGRAMS: readonly (readonly [accept: string, mediaType: string, ofDefinition?: string])[] = [
  [ODCS, 'application/json', ODCS],
  [`${ODCS}, application/json;q=0.9, */*;q=0.1`, 'application/json', ODCS],
  ['application/json', 'application/json'],
  ['Application/JSON; charset=utf-8', 'application/json'],
  ['application/json, text/plain, */*', 'application/json'],
  ['application/problem+json', 'application/json'],
  ['application/json, text/html;q=0.5', 'application/json'],
  ['application/yaml', 'application/yaml'],
  ['text/x-yaml', 'application/yaml'],
]

onStore((store) => {
  let product: Product
  let world: World
  let other: World
  let organization = ''
  before(async () => {
    product = newProduct(store())
    world = await newWorld(product)
    // The other organization has documents with the same ids and other contents.
    other = await newWorld(product)
    for (const [path, { body }] of Object.entries(DOCUMENTS)) {
      await readJson(world.as('O', 'PUT', path, { body }))
      await readJson(other.as('O', 'PUT', path, { body: { ...body, tags: ['other'] } }))
    }
    const settings = await readJson<{ vanityUrl: string }>(
      world.as('O', 'GET', '/api/organization/settings'),
    )
    organization = settings.vanityUrl
  })

  const get = async (
    key: string | undefined,
    address: string,
    headers: Record<string, string>,
  ): Promise<Response> => {
    const path = address.replace('$organization', organization)
    return await product.call('GET', path, { key, headers: { 'content-type': '', ...headers } })
  }

  for (const [path, { addresses }] of Object.entries(DOCUMENTS)) {
    const isDefinition = path.startsWith('/api/definitions/')
    for (const address of addresses) {
      describe(`GET ${address}`, () => {
        for (const [accept, usual, ofDefinition] of PROGRAMS) {
          test(`200 as ${path} for Accept: ${accept}`, async () => {
            const answer = await get(world.keys.T, address, { accept })
            assert.equal(answer.status, 200)
            const mediaType = (isDefinition ? ofDefinition : undefined) ?? usual
            assert.equal(answer.headers.get('content-type'), mediaType)
            assert.equal(answer.headers.get('vary'), 'Accept')
            assert.match(answer.headers.get('ratelimit') ?? '', /^"key"/)
            const expected = await world.as('T', 'GET', path, { headers: { accept } })
            assert.equal(await answer.text(), await expected.text())
            for (const name of ['etag', 'location-html']) {
              assert.equal(answer.headers.get(name), expected.headers.get(name), name)
            }
          })
        }

        test('200 with a key and no preference', async () => {
          for (const accept of ['*/*', '']) {
            const answer = await get(world.keys.T, address, { accept })
            assert.equal(answer.headers.get('content-type'), 'application/json')
          }
        })

        test('401 for a program without a key or with an unknown one', async () => {
          for (const key of [undefined, 'unknown']) {
            const answer = await get(key, address, { accept: ODCS })
            assert.equal(answer.headers.get('vary'), 'Accept')
            assert.ok(answer.headers.has('www-authenticate'))
            await expectProblem(answer, 401)
          }
        })

        test('the page for browsers, also with a session and with a key', async () => {
          for (const key of [undefined, world.keys.T]) {
            const answer = await get(key, address, { accept: BROWSER })
            if (answer.status === 200) {
              assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
              assert.match(answer.headers.get('vary') ?? '', /Accept/)
            } else {
              // Without built pages, only the redirects exist.
              assert.ok([302, 404].includes(answer.status))
            }
          }
        })

        test('404 for another organization in the path, and its own document without one', async () => {
          const answer = await get(other.keys.T, address, { accept: 'application/json' })
          if (address.startsWith('/$')) {
            const { code } = await expectProblem(answer, 404)
            assert.equal(code, 'not_found')
          } else assert.match(await answer.text(), /"other"/)
        })

        test('404 for an unknown id', async () => {
          const answer = await get(world.keys.T, `${address}x`, { accept: ODCS })
          assert.equal((await expectProblem(answer, 404)).code, 'not_found')
        })
      })
    }
  }

  for (const address of [
    '/dataproducts',
    '/teams',
    '/$organization/dataproducts',
    '/data-products/orders/edit',
    '/dataproducts/orders/outputports/one',
    '/$organization/dataproducts/orders/outputports/one',
  ]) {
    test(`GET ${address} › 404 for a program: no redirect and no HTML`, async () => {
      const answer = await get(world.keys.T, address, { accept: 'application/json' })
      assert.equal((await expectProblem(answer, 404)).code, 'unknown_address')
      await expectProblem(get(undefined, address, { accept: 'application/json' }), 401)
    })
  }

  test('HEAD › the same headers without a body; other methods stay unknown', async () => {
    const headers = { accept: ODCS }
    const path = '/definitions/sales/order_id'
    const head = await world.as('T', 'HEAD', path, { headers })
    assert.equal(head.headers.get('content-type'), ODCS)
    assert.equal(await head.text(), '')
    await expectProblem(world.as('T', 'PUT', path, { headers, body: {} }), 404)
  })

  test('304 › a program that has the document already', async () => {
    const path = '/data-contracts/orders'
    const headers = { accept: 'application/json' }
    const etag = (await world.as('T', 'GET', path, { headers })).headers.get('etag') ?? ''
    const again = await world.as('T', 'GET', path, {
      headers: { ...headers, 'if-none-match': etag },
    })
    assert.equal(again.status, 304)
  })
})
