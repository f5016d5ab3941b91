import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { addTwin } from '../../../test/twin.ts'
import { expectOk, newProduct, newWorld, odcs, odps, putOne } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import type { Home } from './home.ts'

const HOME = '/ui/home'

const port = (name: string) => ({ name, version: '1', contractId: name })

const listIncidents = async (world: World) => {
  const { attention } = await readJson<Home>(world.asPerson('Ue', 'GET', HOME))
  return attention.filter(({ kind }) => kind === 'incident')
}

const publish = async (world: World, contract: string, result: string, day = 1) => {
  const timestampEnd = `2026-01-0${day}T00:00:00Z`
  const id = `${contract}-${result}-${day}`
  const checks = ['passed', result].map((one) => ({ result: one }))
  const body = { id, dataContractId: contract, result, timestampEnd, checks }
  await expectOk(world.as('O', 'POST', '/api/test-results', { body }))
}

onStore((store) => {
  const fresh = (): Promise<World> => newWorld(newProduct(store()))

  test(`GET ${HOME} › incidents of contracts that the caller's teams own or offer, until they are resolved`, async () => {
    const world = await fresh()
    await putOne(world, 'datacontracts', odcs('own', { name: 'Own' }))
    await putOne(world, 'datacontracts', odcs('offered', { name: 'Offered', team: { name: 'b' } }))
    await putOne(world, 'datacontracts', odcs('theirs', { team: { name: 'b' } }))
    await putOne(world, 'dataproducts', odps('p', { outputPorts: [port('offered')] }))
    for (const id of ['own', 'theirs', 'offered']) await publish(world, id, 'failed')
    const [first, ...others] = await listIncidents(world)
    assert.deepEqual(
      { ...first, at: null },
      {
        at: null,
        kind: 'incident',
        severity: 'serious',
        title: 'Offered 1.0.0: tests fail',
        detail: 'Consumers see it until it is resolved. Acknowledge it if you take care of it.',
        target: { kind: 'data-contract', id: 'offered', integrationExternalId: null },
        count: 1,
      },
    )
    assert.deepEqual(
      others.map(({ title }) => title),
      ['Own 1.0.0: tests fail'],
    )
    await publish(world, 'own', 'passed', 3)
    const [{ id }] = await readJson<[{ id: string }]>(
      world.as('O', 'GET', '/api/incidents?dataContractId=offered'),
    )
    await expectOk(world.as('O', 'POST', `/api/incidents/${id}/acknowledge`, { body: {} }))
    assert.deepEqual(await listIncidents(world), [])
  })

  test(`GET ${HOME} › lists drift of own contracts only as drift, and drift of offered contracts as incidents`, async () => {
    const world = await fresh()
    await putOne(world, 'datacontracts', odcs('own', { name: 'Own' }))
    await putOne(world, 'datacontracts', odcs('offered', { name: 'Offered', team: { name: 'b' } }))
    await putOne(world, 'dataproducts', odps('p', { outputPorts: [port('offered')] }))
    for (const contractId of ['own', 'offered']) {
      await sql`
        insert into incident (
          organization_id, id, kind, contract_id, server, facts, severity, opened_at, opened_by
        )
        values (
          ${world.organizationId}, ${randomUUID()}, 'drift', ${contractId}, 'production', '{}', 'error', now(), 'system'
        )
      `.execute(world.services.db)
    }
    const listed = await listIncidents(world)
    assert.deepEqual(
      listed.map(({ target }) => target.id),
      ['offered'],
    )
  })

  test(`GET ${HOME} › names three incidents and counts the rest; those of a twin are none`, async () => {
    const world = await fresh()
    for (const day of [1, 2, 3, 4, 5]) {
      await putOne(world, 'datacontracts', odcs(`c${day}`, { name: `c${day}` }))
      await publish(world, `c${day}`, 'failed', day)
    }
    await addTwin(world)
    const items = await listIncidents(world)
    assert.deepEqual(
      items.map(({ title, count, target }) => [title, count, target.id]),
      [
        ['c5 1.0.0: tests fail', 1, 'c5'],
        ['c4 1.0.0: tests fail', 1, 'c4'],
        ['c3 1.0.0: tests fail', 1, 'c3'],
        ['2 more incidents are open', 2, null],
      ],
    )
  })
})
