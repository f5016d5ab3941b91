import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { notifyAll } from '../../../test/notifications.ts'
import { onStore } from '../../../test/stores.ts'
import { addTwin, expectUntouched } from '../../../test/twin.ts'
import {
  expectOk,
  newProduct,
  newWorld,
  odcs,
  odps,
  putOne,
  uniqueId,
} from '../../../test/world.ts'
import type { CallerName, World } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { deleteExpiredIncidents } from './read-service.ts'
import type { Incident } from './read.ts'

const INCIDENTS = '/api/incidents'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const list = (query: string): Promise<Incident[]> =>
    readJson(world.as('Or', 'GET', `${INCIDENTS}?${query}`))

  const publish = async (dataContractId: string, result: string, day = 1): Promise<void> => {
    const body = { dataContractId, result, timestampEnd: `2026-01-0${day}T00:00:00Z` }
    await expectOk(world.as('O', 'POST', '/api/test-results', { body }))
  }

  const newIncident = async (more: object = {}): Promise<Incident> => {
    const contract = uniqueId()
    await putOne(world, 'datacontracts', odcs(contract, more))
    await publish(contract, 'failed')
    const [incident] = await list(`dataContractId=${contract}`)
    assert.ok(incident !== undefined)
    return incident
  }

  test(`GET ${INCIDENTS} › the titles of contracts with one name have their versions`, async () => {
    const name = 'Same'
    const [one, other] = [
      await newIncident({ name }),
      await newIncident({ name, version: '2.1.0' }),
    ]
    assert.deepEqual([one.title, other.title], ['Same 1.0.0: tests fail', 'Same 2.1.0: tests fail'])
  })

  const acknowledge = (id: string, caller: CallerName = 'O', body: object = { note: 'On it' }) =>
    world.as(caller, 'POST', `${INCIDENTS}/${id}/acknowledge`, { body })

  test(`GET ${INCIDENTS} › 200 by status, team, product and contract; pages`, async () => {
    const incident = await newIncident({ name: 'Orders', team: { name: 'b' } })
    const { id, dataContractId } = incident
    assert.deepEqual(
      [incident.title, incident.status, incident.ownerId, incident.kind],
      ['Orders 1.0.0: tests fail', 'open', 'b', 'test'],
    )
    const product = uniqueId()
    const outputPorts = [{ name: 'out', version: '1', contractId: dataContractId }]
    await putOne(world, 'dataproducts', odps(product, { team: { name: 'a' }, outputPorts }))
    const ids = async (query: string) =>
      (await list(`dataContractId=${dataContractId}&${query}`)).map((one) => one.id)
    for (const query of [
      'status=open',
      'teamId=a',
      'teamId=b',
      `dataProductId=${product}`,
      'kind=test',
    ]) {
      assert.deepEqual(await ids(query), [id], query)
    }
    for (const query of [
      'status=resolved',
      'status=acknowledged',
      'teamId=c',
      'dataProductId=x',
      'kind=late',
    ]) {
      assert.deepEqual(await ids(query), [], query)
    }
    assert.deepEqual(await readJson(world.as('Or', 'GET', `${INCIDENTS}/${id}`)), {
      ...incident,
      providerIds: ['a'],
    })
    const page = await world.as('Or', 'GET', `${INCIDENTS}?size=1`)
    await newIncident()
    assert.equal((await list('size=1')).length, 1)
    await expectOk(Promise.resolve(page))
    await expectProblem(world.as('Or', 'GET', `${INCIDENTS}?status=x`), 400)
    for (const missing of [randomUUID(), 'x'] as const) {
      await expectProblem(world.as('Or', 'GET', `${INCIDENTS}/${missing}`), 404)
      await expectProblem(acknowledge(missing), 404)
    }
  })

  test(`POST ${INCIDENTS}/{id}/acknowledge › 200 for the owner and providers, with a note that can be changed`, async () => {
    const { id, dataContractId } = await newIncident({ team: { name: 'b' } })
    await expectProblem(acknowledge(id, 'T'), 403, /DATACONTRACT_EDIT on team b is missing/)
    await expectProblem(acknowledge(id, 'Or'), 403)
    const outputPorts = [{ name: 'out', version: '1', contractId: dataContractId }]
    await putOne(world, 'dataproducts', odps(uniqueId(), { team: { name: 'a' }, outputPorts }))
    const first = await readJson<Incident>(acknowledge(id, 'T'))
    assert.deepEqual([first.status, first.note, first.version], ['acknowledged', 'On it', 2])
    const again = await readJson<Incident>(acknowledge(id, 'Ue', {}))
    assert.deepEqual([again.note, again.version], [null, 3])
    await expectProblem(acknowledge(id, 'O', { note: 'x'.repeat(1001) }), 422)
    await expectProblem(acknowledge(id, 'O', { other: 1 }), 422)
    await publish(dataContractId, 'passed', 2)
    await expectProblem(acknowledge(id), 422, /resolved/)
    const activity = await readJson<{ entries: { action: string; resource: { kind: string } }[] }>(
      world.as('O', 'GET', '/api/activity?kind=incident'),
    ).catch(() => undefined)
    assert.ok(activity === undefined || JSON.stringify(activity).includes('acknowledged'))
  })

  test('incidents › state who was notified: owner and followers at once, consumers in the digest', async () => {
    const { id, dataContractId } = await newIncident()
    const inputPorts = [{ name: 'in', version: '1', contractId: dataContractId }]
    await putOne(world, 'dataproducts', odps(uniqueId(), { team: { name: 'b' }, inputPorts }))
    await publish(dataContractId, 'passed', 2)
    await notifyAll(world)
    const { notified, status } = await readJson<Incident>(
      world.as('Or', 'GET', `${INCIDENTS}/${id}`),
    )
    assert.equal(status, 'resolved')
    assert.deepEqual(
      notified.map(({ occasion, teams }) => [occasion, teams]),
      [
        ['opened', ['a']],
        ['resolved', ['a']],
      ],
    )
    assert.ok((notified[0]?.people['owner'] ?? 0) > 0)
    assert.equal(notified[0]?.mailedCount, notified[0]?.people['owner'])
    assert.equal(notified[0]?.digestCount, notified[0]?.people['consumer'] ?? 0)
  })

  test('incidents › of twins stay as they are; those that were resolved two years ago are deleted', async () => {
    const { id, dataContractId } = await newIncident()
    const open = await newIncident()
    await publish(dataContractId, 'passed', 2)
    const twin = await addTwin(world)
    await expectUntouched([twin], async () => {
      await expectOk(acknowledge(open.id))
      await notifyAll(world)
    })
    const { db } = store()
    const deleteAt = async (instant: string) =>
      await deleteExpiredIncidents({ bulkDb: db, clock: fixedClock(instant) })
    assert.equal(await deleteAt('2026-02-01T00:00:00Z'), 0)
    assert.ok((await deleteAt('2126-02-01T00:00:00Z')) >= 1)
    await expectProblem(world.as('Or', 'GET', `${INCIDENTS}/${id}`), 404)
    await expectOk(world.as('Or', 'GET', `${INCIDENTS}/${open.id}`))
  })
})
