import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { listEventsOfSubject, summarizeEvent } from '../../../test/feed.ts'
import { onStore } from '../../../test/stores.ts'
import { dps, newProduct, newWorld, odcs, odps, uniqueId, type World } from '../../../test/world.ts'
import type { Plan } from '../../ledger/history/plan.ts'
import type { ContractUse, PortContract } from '../../ledger/ports/port.ts'

/** Returns the documents of a product that provides data under a contract, and of another team's that consumes it. */
function newMesh() {
  const id = uniqueId()
  const [contract, provider, consumer] = [`c-${id}`, `p-${id}`, `r-${id}`]
  const outputPorts = [
    { name: 'orders', version: '1', contractId: contract },
    { name: 'other', version: '1', contractId: `other-${id}` },
  ]
  const provides = odps(provider, { outputPorts })
  const consumes = {
    ...dps(consumer),
    info: { title: 'Reader', owner: 'b' },
    inputPorts: [{ id: 'in', name: 'In', dataContractId: contract }],
  }
  return { contract, provider, consumer, provides, consumes }
}

const columns = (...names: string[]) => ({
  schema: [{ name: 'orders', properties: names.map((name) => ({ name, logicalType: 'string' })) }],
})

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const put = (room: string, id: string, body: object) =>
    readText(world.as('O', 'PUT', `/api/${room}/${id}`, { body }))
  const getPlan = (room: string, id: string, body: object) =>
    readJson<Plan>(world.as('O', 'PUT', `/api/${room}/${id}?dryRun=true`, { body }))

  test('PUT /api/dataproducts/{id}?dryRun=true › a contract that does not exist yet is a warning with its place, and heals', async () => {
    const { contract, provider, provides } = newMesh()
    const text = JSON.stringify(provides, null, 1)
    const plan = () =>
      readJson<Plan>(
        world.as('O', 'PUT', `/api/dataproducts/${provider}?dryRun=true`, { body: text }),
      )
    const dangling = async () =>
      (await plan()).warnings.filter(({ message }) => /no data contract/.test(message))
    const [first, second] = await dangling()
    assert.deepEqual(
      [first?.field, second?.field],
      ['outputPorts[0].contractId', 'outputPorts[1].contractId'],
    )
    const line = text.split('\n')[(first?.line ?? 0) - 1] ?? ''
    assert.ok(line.includes(contract))
    assert.equal(line.indexOf('"contractId"') + 1, first?.column)

    await put('datacontracts', contract, odcs(contract))
    assert.deepEqual(
      (await dangling()).map(({ field }) => field),
      ['outputPorts[1].contractId'],
    )
    const [port, other] = (await plan()).contracts ?? []
    assert.deepEqual(port?.contract, {
      id: contract,
      name: `Contract ${contract}`,
      version: '1.0.0',
      status: 'active',
      ownerId: 'a',
      classifications: [],
    })
    assert.equal(other?.contract, null)
  })

  test('GET /api/dataproducts/{id}/contracts › the ports, each with its contract or null', async () => {
    const { contract, provider, provides } = newMesh()
    await put('dataproducts', provider, provides)
    const ports = () =>
      readJson<PortContract[]>(world.as('Tr', 'GET', `/api/dataproducts/${provider}/contracts`))
    const resolved = async () => (await ports()).map(({ contract: one }) => one?.id ?? null)
    assert.deepEqual(
      (await ports()).map(({ direction, id, version }) => [direction, id, version]),
      [
        ['output', 'orders', '1'],
        ['output', 'other', '1'],
      ],
    )
    assert.deepEqual(await resolved(), [null, null])
    await put('datacontracts', contract, odcs(contract))
    assert.deepEqual(await resolved(), [contract, null])
    await expectProblem(world.as('Tr', 'GET', `/api/dataproducts/${uniqueId()}/contracts`), 404)
  })

  test('GET /api/dataproducts/{id}/contracts › the classifications of the fields, nested ones too', async () => {
    const { contract, provider, provides } = newMesh()
    await put('dataproducts', provider, provides)
    const nested = {
      name: 'address',
      logicalType: 'object',
      properties: [{ name: 'street', classification: 'restricted' }],
    }
    const properties = [{ name: 'id', classification: 'internal' }, nested]
    const body = { ...odcs(contract), schema: [{ name: 'orders', properties }] }
    await put('datacontracts', contract, body)
    const [port] = await readJson<PortContract[]>(
      world.as('Tr', 'GET', `/api/dataproducts/${provider}/contracts`),
    )
    assert.deepEqual(port?.contract?.classifications, ['internal', 'restricted'])
  })

  test('GET /api/datacontracts/{id}/ports › who provides and who consumes', async () => {
    const { contract, provider, consumer, provides, consumes } = newMesh()
    await put('datacontracts', contract, odcs(contract))
    const use = () =>
      readJson<ContractUse>(world.as('Tr', 'GET', `/api/datacontracts/${contract}/ports`))
    assert.deepEqual(await use(), { providers: [], consumers: [] })
    await put('dataproducts', provider, provides)
    await put('dataproducts', consumer, consumes)
    const { providers, consumers } = await use()
    const shown = (users: typeof providers) =>
      users.map(({ id, ownerId, ports }) => [id, ownerId, ports.map((port) => port.id)])
    assert.deepEqual(shown(providers), [[provider, 'a', ['orders']]])
    assert.deepEqual(shown(consumers), [[consumer, 'b', ['in']]])
    await expectProblem(world.as('Tr', 'GET', `/api/datacontracts/${uniqueId()}/ports`), 404)
  })

  test('PUT /api/datacontracts/{id}?dryRun=true › affected: the ports and products that use it, and their teams', async () => {
    const { contract, provider, consumer, provides, consumes } = newMesh()
    const document = odcs(contract, columns('id', 'total'))
    assert.deepEqual((await getPlan('datacontracts', contract, document)).affected, [])
    await put('datacontracts', contract, document)
    await put('dataproducts', provider, provides)
    await put('dataproducts', consumer, consumes)
    assert.deepEqual((await getPlan('datacontracts', contract, document)).affected, [])

    const plan = await getPlan('datacontracts', contract, odcs(contract, columns('id')))
    assert.deepEqual([plan.outcome, plan.level], ['updated', 'breaking'])
    assert.deepEqual(
      plan.changes.map(({ kind, level }) => [kind, level]),
      [['removed', 'breaking']],
    )
    const port = { version: '1', contractId: contract }
    assert.deepEqual(plan.affected, [
      {
        resourceType: 'DATA_PRODUCT',
        id: provider,
        name: `Product ${provider}`,
        ownerId: 'a',
        ports: [{ direction: 'output', id: 'orders', name: 'orders', ...port }],
      },
      {
        resourceType: 'DATA_PRODUCT',
        id: consumer,
        name: 'Reader',
        ownerId: 'b',
        ports: [{ direction: 'input', id: 'in', name: 'In', ...port, version: null }],
      },
      { resourceType: 'TEAM', id: 'a', name: 'Team A', ownerId: 'a' },
      { resourceType: 'TEAM', id: 'b', name: 'Team B', ownerId: 'b' },
    ])
    assert.equal(
      await readText(world.as('O', 'GET', `/api/datacontracts/${contract}`)),
      JSON.stringify(document),
    )
  })

  test('DELETE /api/datacontracts/{id} › 422 while an output port uses it, naming the port', async () => {
    const { contract, provider, consumer, provides, consumes } = newMesh()
    const path = `/api/datacontracts/${contract}`
    await put('datacontracts', contract, odcs(contract))
    await put('dataproducts', provider, provides)
    await put('dataproducts', consumer, consumes)
    const { detail } = await expectProblem(world.as('T', 'DELETE', path), 422)
    assert.match(
      detail,
      new RegExp(`provides data under it through output port orders \\(${provider}\\)`),
    )

    // A consumer does not prevent deletion.
    await put('dataproducts', provider, odps(provider))
    const gone = await world.as('T', 'DELETE', path)
    assert.deepEqual([gone.status, await gone.text()], [200, ''])
    await expectProblem(world.as('T', 'GET', path), 404)
    await expectProblem(world.as('T', 'DELETE', path), 404)
    assert.equal((await readJson<unknown[]>(world.as('T', 'GET', `${path}/versions`))).length, 1)
    assert.deepEqual((await listEventsOfSubject(world, contract)).map(summarizeEvent), [
      'DataContractCreatedEvent',
      'DataContractDeletedEvent',
    ])
  })

  test('DELETE /api/datacontracts/{id}?dryRun=true › 422 while a port provides data, then lists the consumers', async () => {
    const { contract, provider, consumer, provides, consumes } = newMesh()
    const path = `/api/datacontracts/${contract}?dryRun=true`
    await put('datacontracts', contract, odcs(contract))
    await put('dataproducts', provider, provides)
    await put('dataproducts', consumer, consumes)
    await expectProblem(world.as('T', 'DELETE', path), 422, new RegExp(provider))
    await readText(world.as('O', 'DELETE', `/api/dataproducts/${provider}`))

    const plan = await readJson<Plan>(world.as('T', 'DELETE', path))
    assert.deepEqual([plan.outcome, plan.level], ['deleted', 'breaking'])
    assert.deepEqual(
      plan.affected.map(({ id }) => id),
      [consumer, 'b'],
    )
    await readText(world.as('T', 'GET', `/api/datacontracts/${contract}`))
  })

  test('DELETE /api/teams/{id} › 422 while it owns a data contract', async () => {
    const team = `t-${uniqueId()}`
    const contract = `c-${uniqueId()}`
    await put('teams', team, { name: 'T' })
    await put('datacontracts', contract, odcs(contract, { team: { name: team } }))
    await expectProblem(world.as('O', 'DELETE', `/api/teams/${team}`), 422, new RegExp(contract))
    await readText(world.as('O', 'DELETE', `/api/datacontracts/${contract}`))
    await readText(world.as('O', 'DELETE', `/api/teams/${team}`))
  })
})
