import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'

// The order of checks: a request that breaks two rules is refused by the earlier one. That framing
// comes before credentials is shown on a real socket, in framing.test.ts.
onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const deep = '['.repeat(65) + ']'.repeat(65)
  const large = 'x'.repeat(1024 * 1024 + 1)
  const text = { 'content-type': 'text/plain' }
  const stale = { 'if-match': '"stale"' }

  test('credentials › overload: 401 for an unknown key when every key is over its limit', async () => {
    const product = newProduct(store(), { requestsPerMinute: 0 })
    await expectProblem(product.call('GET', '/api/teams', { key: 'unknown' }), 401)
    await expectProblem(product.call('GET', '/api/teams', { key: world.keys.O }), 429)
  })

  test('overload › route and method: 429 for an unknown address and for a wrong method', async () => {
    const product = newProduct(store(), { requestsPerMinute: 0 })
    await expectProblem(product.call('GET', '/api/unknown', { key: world.keys.O }), 429)
    await expectProblem(product.call('PATCH', '/api/teams', { key: world.keys.O }), 429)
  })

  test('credentials › route and method: 401 for both without a key', async () => {
    await expectProblem(world.as('none', 'GET', '/api/unknown'), 401)
    await expectProblem(world.as('none', 'PATCH', '/api/teams'), 401)
  })

  test('route and method › read-only key: 404 and 405 for a write with a read-only key', async () => {
    await expectProblem(world.as('Or', 'PUT', '/api/unknown', { body: {} }), 404)
    await expectProblem(world.as('Or', 'PATCH', '/api/teams/a', { body: {} }), 405)
  })

  test('read-only key › full disk: 403 for a write with a read-only key, 503 with another', async () => {
    const product = newProduct({ ...store(), isDiskFull: () => true })
    const put = (key: string | undefined): Promise<Response> =>
      product.call('PUT', '/api/dataproducts/%00', { key, body: {} })
    await expectProblem(put(world.keys.Or), 403)
    await expectProblem(put(world.keys.O), 503)
  })

  test('read-only key › path id: 403 for an unusable id', async () => {
    await expectProblem(world.as('Or', 'PUT', '/api/dataproducts/%00', { body: {} }), 403)
  })

  test('read-only key › body: 403 with any body', async () => {
    const options = { headers: text, body: large }
    await expectProblem(world.as('Or', 'PUT', '/api/dataproducts/x', options), 403)
  })

  test('path id › media type: 400 naming the id', async () => {
    const options = { headers: text, body: '{}' }
    await expectProblem(world.as('O', 'PUT', '/api/dataproducts/%00', options), 400, /^The id/)
  })

  test('media type › size: 415 for a large body of another type', async () => {
    const options = { headers: text, body: large }
    await expectProblem(world.as('O', 'PUT', '/api/dataproducts/x', options), 415)
  })

  test('size › JSON: 413 for a large body that is no JSON', async () => {
    await expectProblem(world.as('O', 'PUT', '/api/dataproducts/x', { body: large }), 413)
  })

  test('JSON › depth: 400 for a body that breaks before it is too deep', async () => {
    const body = `{"a":tru,"b":${deep}}`
    await expectProblem(world.as('O', 'PUT', '/api/dataproducts/x', { body }), 400)
  })

  test('permission › JSON and depth: 403 for someone who may write nothing anywhere', async () => {
    for (const body of ['{', deep]) {
      await expectProblem(world.as('Um', 'PUT', '/api/dataproducts/x', { body }), 403)
    }
  })

  test('JSON and depth › permission: 400 and 422 for someone without it on the owning team', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    await expectOk(world.as('O', 'PUT', path, { body: odps(id, { team: { name: 'b' } }) }))
    await expectProblem(world.as('T', 'PUT', path, { body: '{' }), 400)
    await expectProblem(world.as('T', 'PUT', path, { body: deep }), 422)
  })

  test('permission › preconditions: 403 for a stale If-Match on what one may not change', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    await expectOk(world.as('O', 'PUT', path, { body: odps(id, { team: { name: 'b' } }) }))
    await expectProblem(world.as('T', 'PUT', path, { headers: stale, body: odps(id) }), 403)
    await expectProblem(world.as('T', 'DELETE', path, { headers: stale }), 403)
  })

  test('404 › preconditions: 404 for DELETE of an unknown id with If-Match', async () => {
    const path = `/api/dataproducts/${uniqueId()}`
    await expectProblem(world.as('O', 'DELETE', path, { headers: stale }), 404)
  })

  test('permission › meaning: 403 for a wrong document on what one may not change', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    await expectOk(world.as('O', 'PUT', path, { body: odps(id, { team: { name: 'b' } }) }))
    await expectProblem(world.as('T', 'PUT', path, { body: {} }), 403)
    await expectProblem(world.as('T', 'PUT', path, { body: odps('other') }), 403)
  })

  test('preconditions › meaning: 412 for a wrong document with a stale If-Match', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    await expectOk(world.as('O', 'PUT', path, { body: odps(id) }))
    for (const body of [{}, odps('other'), odps(id, { team: { name: 'unknown' } })]) {
      await expectProblem(world.as('O', 'PUT', path, { headers: stale, body }), 412)
    }
  })

  test('state › in use comes last: 412 before 422 for a team that owns something', async () => {
    const id = uniqueId()
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id) }))
    await expectProblem(world.as('O', 'DELETE', '/api/teams/a', { headers: stale }), 412)
    await expectProblem(world.as('O', 'DELETE', '/api/teams/a'), 422)
    assert.equal((await world.as('O', 'GET', '/api/teams/a')).status, 200)
  })
})
