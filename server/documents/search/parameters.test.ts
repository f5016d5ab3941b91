import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, type World } from '../../../test/world.ts'
import type { SearchAnswer } from './search.ts'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
    await expectOk(world.as('O', 'PUT', '/api/dataproducts/one', { body: odps('one') }))
  })

  const listIds = async (search: string): Promise<string[]> => {
    const { results } = await readJson<SearchAnswer>(world.as('Tr', 'GET', `/api/search?${search}`))
    return results.map(({ id }) => id)
  }

  describe('GET /api/search?resourceType=', () => {
    for (const type of ['TAG', 'DEFINITION', 'SEMANTIC_CONCEPT']) {
      test(`200 without results for ${type}`, async () => {
        assert.deepEqual(await listIds(`query=one&resourceType=${type}`), [])
        assert.deepEqual(await listIds(`resourceType=${type}`), [])
        assert.deepEqual(await listIds(`resourceType=${type}&resourceType=DATA_PRODUCT`), ['one'])
      })
    }

    for (const search of ['resourceType=TABLE', 'resourceType=TAG&resourceType=TABLE']) {
      test(`400 with the allowed values for ${search}`, async () => {
        const problem = await expectProblem(world.as('Tr', 'GET', `/api/search?${search}`), 400)
        assert.match(
          problem.detail,
          /^The query parameter resourceType(\.1)? must be one of DATA_PRODUCT, .*SEMANTIC_CONCEPT.*\.$/,
        )
      })
    }
  })

  test('GET /api/search?searchMode=&diagnostics= › accepts what clients send', async () => {
    assert.deepEqual(await listIds('query=one&searchMode=semantic&diagnostics=true'), ['one'])
  })

  test('GET /api/search › 400 for an unknown filter', async () => {
    await expectProblem(
      world.as('Tr', 'GET', '/api/search?query=one&owner=a'),
      400,
      /^The query parameter owner is unknown; use one of query, q, resourceType, /,
    )
  })
})
