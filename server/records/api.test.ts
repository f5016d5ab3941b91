/** The promises that only some kinds of records make. Those that all kinds share are tested in `test/record-kinds.test.ts`. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson } from '../../test/answers.ts'
import { listEventsOfSubject, summarizeEvent } from '../../test/feed.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId, type World } from '../../test/world.ts'
import type { SearchAnswer } from '../search/search.ts'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })
  const put = (path: string, body: object): Promise<Response> =>
    world.as('O', 'PUT', path, { body })

  test('PUT /api/policies/{id} › 200 with the policy, 422 for an unknown status', async () => {
    const id = `GLOBAL-${uniqueId()}`
    for (const status of ['Draft', 'Accepted', 'Rejected', 'Deprecated']) {
      const policy = { id, name: 'Retention', status, content: '# Keep\n\nNothing *forever*.' }
      assert.deepEqual(await readJson(put(`/api/policies/${id}`, policy)), policy)
    }
    const wrong = put(`/api/policies/${id}`, { name: 'Retention', status: 'accepted' })
    const { violations } = await expectProblem(wrong, 422)
    assert.deepEqual(
      violations?.map(({ field }) => field),
      ['status'],
    )
  })

  test('PUT /api/policies/{id} › 403 names the callers who can write a kind without owners', async () => {
    const body = { name: 'Retention', owner: 'a' }
    const answer = world.as('T', 'PUT', `/api/policies/${uniqueId()}`, { body })
    const { detail } = await expectProblem(answer, 403)
    assert.match(
      detail ?? '',
      /Only organization owners and organization keys can change policies\./,
    )
    const ok = await expectOk(put(`/api/policies/${uniqueId()}`, body))
    assert.equal(ok.headers.get('portbook-warnings'), null)
    assert.equal(ok.headers.get('portbook-owner'), null)
  })

  test('GET /api/definitions/{id} › as a property of ODCS for clients that accept it', async () => {
    const id = `sales/${uniqueId()}`
    const path = `/api/definitions/${id}`
    const definition = { id, owner: 'a', title: 'Net weight', type: 'number', minimum: 1.5 }
    const created = await expectOk(put(path, definition))
    const mediaType = 'application/vnd.entropydata.odcs+json'
    const answer = await world.as('Tr', 'GET', path, { headers: { accept: mediaType } })
    assert.equal(answer.headers.get('content-type'), mediaType)
    assert.equal(answer.headers.get('vary'), 'accept')
    assert.equal(answer.headers.get('location-html'), created.headers.get('location-html'))
    assert.deepEqual(await answer.json(), {
      name: id.slice('sales/'.length),
      businessName: 'Net weight',
      logicalType: 'number',
      logicalTypeOptions: { minimum: 1.5 },
    })
    assert.deepEqual(await readJson(world.as('Tr', 'GET', path)), definition)
    const missing = world.as('Tr', 'GET', `${path}/x`, { headers: { accept: mediaType } })
    await expectProblem(missing, 404)
  })

  test('PUT /api/definitions/{id} › a title is optional, an owner is not', async () => {
    const path = `/api/definitions/sales/${uniqueId()}`
    await expectOk(put(path, { owner: 'a' }))
    const { violations } = await expectProblem(put(path, { title: 'T' }), 422)
    assert.deepEqual(
      violations?.map(({ field }) => field),
      ['owner'],
    )
  })

  test('search and events › have the id of a definition with its slashes', async () => {
    const id = `sales/${uniqueId()}`
    await expectOk(put(`/api/definitions/${id}`, { owner: 'a', title: 'Quartz vein' }))
    const query = '?query=quartz&resourceType=DEFINITION'
    const { results } = await readJson<SearchAnswer>(world.as('Tr', 'GET', `/api/search${query}`))
    const page = `http://portbook.test/definitions/${encodeURIComponent(id)}`
    assert.deepEqual(
      results.map((result) => [result.id, result.url]),
      [[id, page]],
    )
    const [event] = await listEventsOfSubject(world, id)
    assert.deepEqual(summarizeEvent(event ?? assert.fail()), 'DefinitionCreatedEvent')
  })
})
