import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'
import type { SearchAnswer } from './search.ts'

const MARKDOWN = '## Rule\n\nEvery **basaltic** field ends with `_at`.'
const TEXT = 'Rule. Every basaltic field ends with _at.'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  test('GET /api/search › 200 with descriptions without the syntax of Markdown, and highlights in them', async () => {
    const [product, policy] = [uniqueId(), uniqueId()]
    const body = odps(product, { description: { purpose: MARKDOWN } })
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${product}`, { body }))
    const content = { id: policy, name: 'Fields', content: MARKDOWN, owner: 'a' }
    await expectOk(world.as('O', 'PUT', `/api/policies/${policy}`, { body: content }))
    const found = await readJson<SearchAnswer>(world.as('O', 'GET', '/api/search?query=basaltic'))
    assert.deepEqual(
      found.results.map(({ description }) => description),
      [TEXT, TEXT],
    )
    for (const { highlights } of found.results) {
      assert.match(JSON.stringify(highlights), /basaltic/)
      assert.doesNotMatch(JSON.stringify(highlights), /\*\*|##/)
    }
  })
})
