import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { listEventsOfSubject, summarizeEvent } from '../../../test/feed.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import type { Plan } from '../../ledger/history/plan.ts'

const createAsset = (id: string, more: object = {}, info: object = {}): object => ({
  id,
  info: { name: `Asset ${id}`, owner: 'a', source: 'postgres', type: 'postgres_table', ...info },
  ...more,
})

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  async function registered(more: object = {}): Promise<{ id: string; path: string }> {
    const id = uniqueId()
    const path = `/api/assets/${id}`
    await expectOk(world.as('T', 'PUT', path, { body: createAsset(id, more) }))
    return { id, path }
  }

  test('PUT /api/assets/{id}?dryRun=true › returns the plan and writes nothing', async () => {
    const { id, path } = await registered()
    const user = uniqueId()
    const product = odps(user, { customProperties: [{ property: 'assets', value: [id] }] })
    await expectOk(world.as('T', 'PUT', `/api/dataproducts/${user}`, { body: product }))
    const plan = (more: object, to = path) =>
      readJson<Plan>(
        world.as('T', 'PUT', `${to}?dryRun=true`, { body: { ...createAsset(id), ...more } }),
      )
    assert.deepEqual(await plan({}), {
      outcome: 'unchanged',
      level: 'none',
      changes: [],
      warnings: [],
      affected: [],
    })
    const changed = await plan({ columns: [{ name: 'a' }] })
    assert.equal(changed.outcome, 'updated')
    assert.deepEqual(
      changed.warnings.map(({ field }) => field),
      ['columns[0].type'],
    )
    assert.deepEqual(
      changed.affected.map(({ resourceType, id: of }) => [resourceType, of]),
      [
        ['DATA_PRODUCT', user],
        ['TEAM', 'a'],
      ],
    )
    const other = `/api/assets/${uniqueId()}`
    assert.equal((await plan({ id: undefined }, other)).outcome, 'created')
    await expectProblem(world.as('T', 'GET', other), 404)
    for (const layer of ['merged', 'source']) {
      const stored = world.as('T', 'GET', `${path}?layer=${layer}`)
      assert.deepEqual(await readJson(stored), createAsset(id))
    }
    assert.deepEqual((await listEventsOfSubject(world, id)).map(summarizeEvent), [
      'AssetCreatedEvent',
    ])
    const strict = world.as('T', 'PUT', `${path}?strict=true`, {
      body: createAsset(id, { columns: [{ name: 'a' }] }),
    })
    await expectProblem(strict, 422)
  })

  test('PUT /api/assets/{id} › 422 with field, line and column of each error', async () => {
    const path = `/api/assets/${uniqueId()}`
    const wrong: [string | object, string][] = [
      ['{"info":{"owner":"a"}}', 'info.name'],
      [{ info: { name: 'x', owner: 'unknown' } }, 'info.owner'],
      [{ id: 'other', info: { name: 'x', owner: 'a' } }, 'id'],
      [{ info: { name: 'x', owner: 'a', version: 1 } }, 'info.version'],
      [{ info: { name: 'x', owner: 'a' }, columns: {} }, 'columns'],
    ]
    for (const [body, field] of wrong) {
      const { violations } = await expectProblem(world.as('T', 'PUT', path, { body }), 422)
      assert.deepEqual(
        violations?.map((violation) => violation.field),
        [field],
      )
      assert.ok((violations?.[0]?.line ?? 0) >= 1 && (violations?.[0]?.column ?? 0) >= 1)
    }
    await expectProblem(world.as('T', 'PUT', path, { body: '{' }), 400)
    await expectProblem(world.as('T', 'GET', path), 404)
    const large = createAsset('x', { x: 'x'.repeat(1024 * 1024) })
    await expectProblem(world.as('T', 'PUT', path, { body: large }), 413)
    const headers = { 'content-type': 'text/plain' }
    await expectProblem(world.as('T', 'PUT', path, { headers, body: '{}' }), 415)
    await expectProblem(world.as('T', 'GET', `${path}?layer=x`), 400)
    await expectProblem(world.as('T', 'POST', path, { body: {} }), 405)
  })

  test('PUT /api/assets/{id} › without an owner only the organization owners may change it', async () => {
    const id = uniqueId()
    const path = `/api/assets/${id}`
    const free = createAsset(id, {}, { owner: undefined })
    await expectProblem(world.as('T', 'PUT', path, { body: free }), 403)
    await expectOk(world.as('O', 'PUT', path, { body: free }))
    await expectProblem(world.as('T', 'PUT', path, { body: createAsset(id) }), 403)
    await expectProblem(world.as('T', 'DELETE', path), 403)
    await expectOk(world.as('Uo', 'PUT', path, { body: createAsset(id) }))
    await expectProblem(world.as('T', 'PUT', path, { body: free }), 403)
    await expectOk(world.as('T', 'DELETE', path))
  })

  test('DELETE /api/assets/{id} › 200 for an unknown one, 422 while a data product names it', async () => {
    await expectOk(world.as('T', 'DELETE', `/api/assets/${uniqueId()}`))
    await expectProblem(world.as('Um', 'DELETE', `/api/assets/${uniqueId()}`), 403)
    const { id, path } = await registered()
    const user = uniqueId()
    const product = `/api/dataproducts/${user}`
    const dps = { id: user, info: { title: 'P', owner: 'a' } }
    const port = { id: 'o', name: 'o', assets: [id] }
    await expectOk(world.as('T', 'PUT', product, { body: { ...dps, outputPorts: [port] } }))
    const problem = await expectProblem(world.as('T', 'DELETE', path), 422)
    assert.match(problem.detail, new RegExp(user))
    await expectOk(world.as('T', 'PUT', product, { body: dps }))
    await expectOk(world.as('T', 'DELETE', path))
    await expectProblem(world.as('T', 'GET', path), 404)
  })

  test('DELETE /api/teams/{id} › 422 while the team owns an asset', async () => {
    const team = uniqueId()
    await expectOk(world.as('O', 'PUT', `/api/teams/${team}`, { body: { name: 'T' } }))
    const path = `/api/assets/${uniqueId()}`
    await expectOk(world.as('O', 'PUT', path, { body: { info: { name: 'x', owner: team } } }))
    await expectProblem(world.as('O', 'DELETE', `/api/teams/${team}`), 422)
    await expectOk(world.as('O', 'DELETE', path))
    await expectOk(world.as('O', 'DELETE', `/api/teams/${team}`))
  })
})
