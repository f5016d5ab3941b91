import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fixedClock } from '../../platform/kit/clock.ts'
import type { Store } from '../../store.ts'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { dps, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'

const LAST_MOMENT = '2026-12-31T23:59:59.999999Z'
const MIDNIGHT = '2027-01-01T00:00:00Z'

onStore((store: () => Store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  /** The same organization at another time. */
  const at = (instant: string, dpsUntil?: string) => {
    const options = dpsUntil === undefined ? {} : { dpsUntil }
    const product = newProduct(store(), { clock: fixedClock(instant), ...options })
    return (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
      product.call(method, path, { key: world.keys.T, body, headers })
  }

  test('PUT /api/dataproducts/{id} › DPS is accepted up to 2026-12-31T23:59:59.999999Z', async () => {
    const id = uniqueId()
    await readText(at(LAST_MOMENT)('PUT', `/api/dataproducts/${id}`, dps(id)))
  })

  test('PUT /api/dataproducts/{id} › DPS is 422 from 2027-01-01T00:00:00Z, naming the date and linking the guide', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    const late = at(MIDNIGHT)
    for (const query of ['', '?dryRun=true']) {
      const problem = await expectProblem(late('PUT', path + query, dps(id)), 422)
      assert.match(problem.detail, /2026-12-31/)
      const guide = 'http://portbook.test/guides/dps-to-odps'
      assert.ok(problem.detail.includes(guide))
      assert.equal(problem.type, guide)
      assert.equal((await late('GET', new URL(problem.type).pathname)).status, 200)
    }
    await expectProblem(late('GET', path), 404)
    await readText(late('PUT', path, odps(id)))
  })

  test('PUT /api/dataproducts/{id} › a stored DPS cannot be changed after its end, but replaced by ODPS', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    await readText(at(LAST_MOMENT)('PUT', path, dps(id)))
    const late = at(MIDNIGHT)
    await expectProblem(late('PUT', path, dps(id, { tags: ['x'] })), 422)
    await expectProblem(late('PUT', path, dps(id)), 422)
    await readText(late('PUT', path, odps(id)))
    await expectProblem(late('PUT', path, dps(id)), 422)
  })

  test('GET /api/dataproducts › stored DPS stay readable and convertible after their end', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    await readText(at(LAST_MOMENT)('PUT', path, dps(id)))
    const late = at('2031-01-01T00:00:00Z')
    assert.equal(await readText(late('GET', path)), JSON.stringify(dps(id)))
    assert.equal(
      await readText(late('GET', `/api/dataproducts?q=${id}`)),
      JSON.stringify([dps(id)]),
    )
    assert.equal(await readText(late('GET', `${path}/versions/1`)), JSON.stringify(dps(id)))
    const converted = await readJson<{ kind: string }>(late('GET', `${path}?format=odps`))
    assert.equal(converted.kind, 'DataProduct')
    await readText(late('PUT', path, converted))
    await readText(late('DELETE', path))
  })

  test('PUT /api/dataproducts/{id} › the last day can be moved', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    const put = (instant: string) => at(instant, '2028-02-29')('PUT', path, dps(id))
    const accepted = await put('2028-02-29T23:59:59.999999Z')
    assert.equal(accepted.status, 200)
    assert.equal(accepted.headers.get('sunset'), 'Tue, 29 Feb 2028 23:59:59 GMT')
    const { detail } = await expectProblem(put('2028-03-01T00:00:00Z'), 422)
    assert.match(detail, /2028-02-29/)
    await expectProblem(at(LAST_MOMENT, '2026-12-30')('PUT', path, dps(id)), 422)
  })

  const answers: Record<string, (id: string) => Promise<Response>> = {
    'PUT /api/dataproducts/{id}': (id) =>
      world.as('T', 'PUT', `/api/dataproducts/${id}`, { body: dps(id, { tags: ['x'] }) }),
    'PUT /api/dataproducts/{id}?dryRun=true': (id) =>
      world.as('T', 'PUT', `/api/dataproducts/${id}?dryRun=true`, { body: dps(id) }),
    'GET /api/dataproducts/{id}': (id) => world.as('T', 'GET', `/api/dataproducts/${id}`),
    'GET /api/dataproducts/{id}?asOf=': (id) =>
      world.as('T', 'GET', `/api/dataproducts/${id}?asOf=2999-01-01T00:00:00Z`),
    'GET /api/dataproducts/{id}/versions/{version}': (id) =>
      world.as('T', 'GET', `/api/dataproducts/${id}/versions/1`),
    'GET /api/dataproducts': (id) => world.as('T', 'GET', `/api/dataproducts?q=${id}`),
    'GET /api/dataproducts?asOf=': (id) =>
      world.as('T', 'GET', `/api/dataproducts?q=${id}&asOf=2999-01-01T00:00:00Z`),
  }
  for (const [what, answer] of Object.entries(answers)) {
    test(`${what} › Deprecation, Sunset and Link for DPS, none of them for ODPS`, async () => {
      const id = uniqueId()
      await readText(world.as('T', 'PUT', `/api/dataproducts/${id}`, { body: dps(id) }))
      const { headers, status } = await answer(id)
      assert.equal(status, 200)
      assert.match(headers.get('deprecation') ?? '', /^@\d+$/)
      assert.equal(headers.get('sunset'), 'Thu, 31 Dec 2026 23:59:59 GMT')
      const link = /^<(http:\/\/portbook\.test)(\/[^>]+)>; rel="deprecation"/.exec(
        headers.get('link') ?? '',
      )
      const guide = await world.call('GET', link?.[2] ?? '')
      assert.equal(guide.status, 200)
      assert.match(await guide.text(), /ODPS/)

      const other = uniqueId()
      const path = `/api/dataproducts/${other}`
      await readText(world.as('T', 'PUT', path, { body: odps(other) }))
      if (what.startsWith('PUT')) return
      const plain = await answer(other)
      assert.equal(plain.status, 200)
      for (const name of ['deprecation', 'sunset', 'link'])
        assert.equal(plain.headers.get(name), null)
    })
  }
})
