import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Plan } from '../../ledger/history/plan.ts'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { listEventsOfSubject, summarizeEvent } from '../../../test/feed.ts'
import { onStore } from '../../../test/stores.ts'
import { dps, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'

const reader = (readerId: string, contractId: string) =>
  odps(readerId, {
    name: `Reader ${readerId}`,
    team: { name: 'a' },
    inputPorts: [{ name: 'in', version: '1', contractId }],
  })

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const getPlan = (id: string, body: object): Promise<Plan> =>
    readJson<Plan>(world.as('T', 'PUT', `/api/dataproducts/${id}?dryRun=true`, { body }))

  const put = (id: string, body: object): Promise<string> =>
    readText(world.as('T', 'PUT', `/api/dataproducts/${id}`, { body }))

  test('PUT /api/dataproducts/{id}?dryRun=true › created: the plan, and nothing is written', async () => {
    const id = uniqueId()
    const complete = odps(id, { version: '1', description: { purpose: 'x' } })
    assert.deepEqual(await getPlan(id, complete), {
      outcome: 'created',
      level: 'none',
      changes: [],
      warnings: [],
      affected: [],
      contracts: [],
    })
    await expectProblem(world.as('T', 'GET', `/api/dataproducts/${id}`), 404)
    await expectProblem(world.as('T', 'GET', `/api/dataproducts/${id}/versions`), 404)
    assert.deepEqual(await listEventsOfSubject(world, id), [])
  })

  test('PUT /api/dataproducts/{id}?dryRun=true › updated: the changes, and nothing is written', async () => {
    const id = uniqueId()
    const before = odps(id, { outputPorts: [{ name: 'out', version: '1' }], tags: ['x'] })
    const text = await put(id, before)
    const plan = await getPlan(id, odps(id, { name: 'Other', tags: ['x'] }))
    assert.equal(plan.outcome, 'updated')
    assert.equal(plan.level, 'breaking')
    assert.ok(plan.changes.length >= 2)
    for (const change of plan.changes) {
      assert.match(change.path, /^\//)
      assert.ok(change.message.length > 0)
    }
    assert.ok(plan.changes.some(({ kind, level }) => kind === 'removed' && level === 'breaking'))
    const renamed = plan.changes.find(({ path }) => path === '/name')
    assert.deepEqual([renamed?.kind, renamed?.after], ['changed', 'Other'])

    assert.equal(await readText(world.as('T', 'GET', `/api/dataproducts/${id}`)), text)
    const versions = world.as('T', 'GET', `/api/dataproducts/${id}/versions`)
    assert.equal((await readJson<unknown[]>(versions)).length, 1)
    const created = ['DataProductCreatedEvent', 'OutputPortCreatedEvent out']
    assert.deepEqual((await listEventsOfSubject(world, id)).map(summarizeEvent), created)
  })

  test('PUT /api/dataproducts/{id}?dryRun=true › unchanged', async () => {
    const id = uniqueId()
    await put(id, odps(id))
    const plan = await getPlan(id, odps(id))
    assert.deepEqual([plan.outcome, plan.level, plan.changes], ['unchanged', 'none', []])
  })

  test('PUT /api/dataproducts/{id}?dryRun=true › warnings with field, line and column', async () => {
    const id = uniqueId()
    const body =
      '{"kind":"DataProduct","apiVersion":"v1.0.0","name":"X","team":{"name":"a"},\n "colour":1}'
    const plan = await readJson<Plan>(
      world.as('T', 'PUT', `/api/dataproducts/${id}?dryRun=true`, { body }),
    )
    const colour = plan.warnings.find(({ field }) => field === 'colour')
    assert.deepEqual([colour?.line, colour?.column], [2, 2])
    assert.deepEqual(
      plan.warnings.map(({ field }) => field),
      plan.warnings.map(({ field }) => field).toSorted(),
    )
    const deprecated = await getPlan(uniqueId(), { info: { title: 'X', owner: 'a' } })
    assert.ok(deprecated.warnings.some(({ message }) => /deprecated/.test(message)))
  })

  test('PUT /api/dataproducts/{id}?dryRun=true › affected: who reads a contract of a port that changes', async () => {
    const [id, one, two, other, same] = [uniqueId(), uniqueId(), uniqueId(), uniqueId(), uniqueId()]
    const contract = `contract-${id}`
    const kept = `kept-${id}`
    await put(one, reader(one, contract))
    await put(two, {
      ...dps(two),
      inputPorts: [{ id: 'in', name: 'in', dataContractId: contract }],
    })
    await put(other, reader(other, `other-${id}`))
    await put(same, reader(same, kept))
    const ports = [
      { name: 'out', version: '1', contractId: contract },
      { name: 'kept', version: '1', contractId: kept },
    ]
    const document = odps(id, {
      outputPorts: ports,
      inputPorts: reader(id, contract)['inputPorts'],
    })
    await put(id, document)

    const port = { direction: 'input', id: 'in', name: 'in', contractId: contract }
    const ofA = { resourceType: 'DATA_PRODUCT', ownerId: 'a' }
    const expected = [
      { ...ofA, id: one, name: `Reader ${one}`, ports: [{ ...port, version: '1' }] },
      { ...ofA, id: two, name: `Product ${two}`, ports: [{ ...port, version: null }] },
    ].toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const team = { resourceType: 'TEAM', id: 'a', name: 'Team A', ownerId: 'a' }
    const removed = await getPlan(id, { ...document, outputPorts: ports.slice(1) })
    assert.deepEqual(removed.affected, [...expected, team])
    const moved = ports.map((port) => (port.name === 'out' ? { ...port, contractId: 'x' } : port))
    assert.deepEqual((await getPlan(id, { ...document, outputPorts: moved })).affected, [
      ...expected,
      team,
    ])
    assert.deepEqual((await getPlan(id, { ...document, name: 'Renamed' })).affected, [])
  })

  test('PUT /api/dataproducts/{id}?dryRun=true › the same errors as without', async () => {
    const id = uniqueId()
    for (const [body, status] of [
      [{}, 422],
      [odps('other'), 422],
      [odps(id, { team: { name: 'none' } }), 422],
      ['{', 400],
    ] as const) {
      const [dry, wet] = await Promise.all(
        ['?dryRun=true', ''].map((query) =>
          expectProblem(world.as('T', 'PUT', `/api/dataproducts/${id}${query}`, { body }), status),
        ),
      )
      assert.deepEqual(dry, wet)
    }
  })
})
