import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fixedClock } from '../../platform/kit/clock.ts'
import type { Store } from '../../store.ts'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { dcs, newProduct, newWorld, odcs, uniqueId, type World } from '../../../test/world.ts'

const LAST_MOMENT = '2026-12-31T23:59:59.999999Z'
const MIDNIGHT = '2027-01-01T00:00:00Z'

onStore((store: () => Store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  /** The same organization at another time. */
  const at = (instant: string, dcsUntil = '2026-12-31') => {
    const product = newProduct(store(), { clock: fixedClock(instant), dcsUntil })
    return (method: string, path: string, body?: object) =>
      product.call(method, path, { key: world.keys.T, body })
  }

  test('PUT /api/datacontracts/{id} › DCS is taken up to 2026-12-31T23:59:59.999999Z and 422 from then on', async () => {
    const id = uniqueId()
    const path = `/api/datacontracts/${id}`
    await readText(at(LAST_MOMENT)('PUT', path, dcs(id)))
    const late = at(MIDNIGHT)
    const problem = await expectProblem(late('PUT', path, dcs(id)), 422, /2026-12-31/)
    assert.equal(problem.type, 'http://portbook.test/guides/dcs-to-odcs')
    assert.equal((await late('GET', new URL(problem.type).pathname)).status, 200)
    assert.equal(await readText(late('GET', path)), JSON.stringify(dcs(id)))
    const converted = await readJson<object>(late('GET', `${path}/export?format=odcs`))
    await readText(late('PUT', path, converted))
    await expectProblem(late('PUT', path, dcs(id)), 422)
    await readText(late('PUT', `/api/datacontracts/x${id}`, odcs(`x${id}`)))
  })

  test('PUT /api/datacontracts/{id} › the last day of DCS can be moved, apart from that of DPS', async () => {
    const id = uniqueId()
    const path = `/api/datacontracts/${id}`
    await readText(at('2028-02-29T23:59:59Z', '2028-02-29')('PUT', path, dcs(id)))
    await expectProblem(at(LAST_MOMENT, '2026-12-30')('PUT', path, dcs(id)), 422, /2026-12-30/)
  })

  test('PUT, GET and list › Deprecation, Sunset and Link for DCS, none of them for ODCS', async () => {
    for (const [document, isOld] of [
      [dcs(`d${uniqueId()}`), true],
      [odcs(`o${uniqueId()}`), false],
    ] as const) {
      const id = String(document['id'])
      const path = `/api/datacontracts/${id}`
      const answers = [
        await world.as('T', 'PUT', path, { body: document }),
        await world.as('T', 'PUT', `${path}?dryRun=true`, { body: document }),
        await world.as('T', 'GET', path),
        await world.as('T', 'GET', `${path}.yaml`),
        await world.as('T', 'GET', `${path}/versions/1`),
        await world.as('T', 'GET', `/api/datacontracts?q=${id}`),
        await world.as('T', 'POST', `${path}/diff`, { body: document }),
      ]
      for (const { status, headers } of answers) {
        assert.equal(status, 200)
        assert.equal(headers.has('deprecation'), isOld)
        assert.equal(headers.get('sunset'), isOld ? 'Thu, 31 Dec 2026 23:59:59 GMT' : null)
        assert.equal(/dcs-to-odcs/.test(headers.get('link') ?? ''), isOld)
      }
      const plan = await readJson<{ warnings: { message: string }[] }>(
        world.as('T', 'PUT', `${path}?dryRun=true`, { body: document }),
      )
      assert.equal(
        plan.warnings.some(({ message }) => /DCS is deprecated/.test(message)),
        isOld,
      )
    }
  })
})
