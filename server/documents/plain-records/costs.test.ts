/** Costs of data products: created with an id of the server, listed by data product, deleted. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, expectViolations, readJson, readText } from '../../../test/answers.ts'
import { COST } from '../../../formats/record/plain-kinds/cost.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, putOne, type World } from '../../../test/world.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const LIST = '/api/costs'
const COMPUTE = { dataProductId: 'p', name: 'Compute', amount: 12.5, currency: 'EUR' }

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
    await putOne(world, 'dataproducts', odps('p'))
    await putOne(world, 'dataproducts', odps('q'))
  })

  const post = (body: unknown): Promise<Response> => world.as('O', 'POST', LIST, { body })
  const list = (product: string): Promise<Response> =>
    world.as('Or', 'GET', `${LIST}?dataProductId=${product}`)

  test('POST /api/costs › 200 with a UUID, all digits of the amount, unknown members, and location-html', async () => {
    const sent = `{"dataProductId":"p","name":"Storage","amount":1234567890123456.10,"currency":"EUR","yearMonth":"2026-01","estimated":true,"category":"infra","tags":["x"],"link":"https://bills.example/1","x":{"y":null}}`
    const answer = await post(sent)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('location-html'), 'http://portbook.test/data-products/p')
    const text = await answer.text()
    const { id } = JSON.parse(text) as { id: string }
    assert.match(id, UUID)
    assert.equal(text, `{"id":"${id}",${sent.slice(1)}`)
    assert.ok((await readText(list('p'))).includes(text))
  })

  test('POST /api/costs › ignores an id in the body', async () => {
    const { id } = await readJson<{ id: string }>(post({ ...COMPUTE, id: 'mine' }))
    assert.match(id, UUID)
    const next = await readJson<{ id: string }>(post({ ...COMPUTE, id: null }))
    assert.notEqual(next.id, id)
  })

  test('POST /api/costs › 422 for missing and wrong members, and for an unknown data product', async () => {
    await expectViolations(post({}), 422, ['amount', 'currency', 'dataProductId', 'name'])
    await expectViolations(post({ ...COMPUTE, amount: '12' }), 422, ['amount'])
    for (const yearMonth of ['2026', '2026-13', '2026-1', '2026-01-01']) {
      await expectViolations(post({ ...COMPUTE, yearMonth }), 422, ['yearMonth'])
    }
    for (const link of ['see the wiki', 'wiki/costs', 'https://bills.example/a b']) {
      await expectViolations(post({ ...COMPUTE, link }), 422, ['link'])
    }
    await expectViolations(post({ ...COMPUTE, dataProductId: 'unknown' }), 422, ['dataProductId'])
    await expectOk(post({ ...COMPUTE, yearMonth: null, estimated: null }))
  })

  test('GET /api/costs › lists the costs of the data product, 400 without one', async () => {
    const { id } = await readJson<{ id: string }>(post({ ...COMPUTE, dataProductId: 'q' }))
    const costs = await readJson<{ id: string; dataProductId: string }[]>(list('q'))
    assert.deepEqual(costs, [{ id, ...COMPUTE, dataProductId: 'q' }])
    assert.equal(await readText(list('unknown')), '[]')
    await expectViolations(world.as('O', 'GET', LIST), 400, ['dataProductId'])
  })

  test('DELETE /api/costs/{id} › 200, then 404; 404 if the id is not a UUID', async () => {
    const { id } = await readJson<{ id: string }>(post(COMPUTE))
    assert.equal(await readText(world.as('O', 'DELETE', `${LIST}/${id}`)), '')
    await expectProblem(world.as('O', 'DELETE', `${LIST}/${id}`), 404)
    await expectProblem(world.as('O', 'DELETE', `${LIST}/x`), 404)
  })

  test('PUT and GET of /api/costs/{id} › 405', async () => {
    await expectProblem(world.as('O', 'PUT', `${LIST}/x`, { body: COMPUTE }), 405)
    await expectProblem(world.as('O', 'GET', `${LIST}/x`), 405)
  })

  test('DELETE /api/dataproducts/{id} › deletes its costs', async () => {
    await putOne(world, 'dataproducts', odps('short'))
    await expectOk(post({ ...COMPUTE, dataProductId: 'short' }))
    await expectOk(world.as('O', 'DELETE', '/api/dataproducts/short'))
    assert.equal(await readText(list('short')), '[]')
    await putOne(world, 'dataproducts', odps('short'))
    assert.equal(await readText(list('short')), '[]')
  })

  test('POST /api/costs › 409 if the data product has the maximum number of costs', async () => {
    await putOne(world, 'dataproducts', odps('full'))
    const { db } = world.services
    await expectOk(post({ ...COMPUTE, dataProductId: 'full' }))
    // Thousands of requests would take long.
    await sql`
      insert into plain_record
      select organization_id, kind, scope, 'copy-' || number, document, digest, team_id, product_id,
        filter_values, created_at, updated_at, updated_by
      from plain_record, generate_series(2, ${COST.countMax}) as number
      where product_id = 'full'
    `.execute(db)
    const problem = await expectProblem(post({ ...COMPUTE, dataProductId: 'full' }), 409)
    assert.equal(problem.code, 'limit_reached')
    await expectOk(post(COMPUTE))
  })
})
