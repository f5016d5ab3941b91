import { documentTemplate } from './documents.ts'
import { comparePairs, compareServers, type Figure } from './figure.ts'
import type { Pair } from './stage.ts'

const GOAL = 0.75

/** GET of a product by its id. */
export const getProduct: Figure = {
  name: 'get-product',
  title: 'GET a product by id, against node:http and one prepared select of the same bytes',
  async *measure(stage) {
    yield* comparePairs(stage, this.name, GOAL, async (pair) => {
      const { product, bare, key } = pair
      for (const server of [product, bare]) await stage.putEach(server, key)
      await checkBytes(pair)
      return [
        { server: product, kind: 'get', key },
        { server: bare, kind: 'get', key },
      ]
    })
    yield* compareServers(stage, this.name, 'get')
  },
}

// Both sides must return the stored document; otherwise the comparison is invalid.
async function checkBytes({ product, bare, key }: Pair): Promise<void> {
  const { id, text } = documentTemplate(17)
  for (const { url } of [product, bare]) {
    const response = await fetch(`${url}/api/dataproducts/${id}`, { headers: { 'x-api-key': key } })
    if ((await response.text()) !== text(0)) throw new Error(`${url} returned another document`)
    if (response.headers.get('content-type') !== 'application/json') {
      throw new Error(`${url} returned another content type`)
    }
  }
}
