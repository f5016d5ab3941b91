import assert from 'node:assert/strict'
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

const listFailed = async (world: World) => {
  const { attention } = await readJson<Home>(world.asPerson('Ue', 'GET', HOME))
  return attention.filter(({ kind }) => kind === 'test_failed')
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

  test(`GET ${HOME} › test_failed of contracts that the caller's teams own or offer, until a test passes`, async () => {
    const world = await fresh()
    await putOne(world, 'datacontracts', odcs('own', { name: 'Own' }))
    await putOne(world, 'datacontracts', odcs('offered', { name: 'Offered', team: { name: 'b' } }))
    await putOne(world, 'datacontracts', odcs('theirs', { team: { name: 'b' } }))
    await putOne(world, 'datacontracts', odcs('passing'))
    await putOne(world, 'dataproducts', odps('p', { outputPorts: [port('offered')] }))
    await putOne(world, 'dataproducts', odps('q', { outputPorts: [port('missing')] }))
    for (const id of ['own', 'offered', 'theirs']) await publish(world, id, 'failed')
    await publish(world, 'missing', 'error', 2)
    await publish(world, 'passing', 'failed')
    await publish(world, 'passing', 'passed', 2)
    const items = await listFailed(world)
    assert.deepEqual(items[1], {
      at: '2026-01-01T00:00:00.000000Z',
      kind: 'test_failed',
      severity: 'serious',
      title: 'The last test of Offered failed',
      detail: '1 of 2 checks passed. Consumers see it until a test passes.',
      target: { kind: 'test-result', id: 'offered-failed-1', integrationExternalId: null },
      count: 1,
    })
    assert.deepEqual(
      items.map(({ title }) => title),
      ['missing', 'Offered', 'Own'].map((name) => `The last test of ${name} failed`),
    )
    await publish(world, 'own', 'passed', 3)
    await publish(world, 'offered', 'warning', 3)
    const left = await listFailed(world)
    assert.deepEqual(
      left.map(({ title }) => title),
      ['The last test of missing failed'],
    )
  })

  test(`GET ${HOME} › test_failed names three contracts and counts the rest`, async () => {
    const world = await fresh()
    for (const day of [1, 2, 3, 4, 5]) {
      await putOne(world, 'datacontracts', odcs(`c${day}`, { name: `c${day}` }))
      await publish(world, `c${day}`, 'failed', day)
    }
    const items = await listFailed(world)
    assert.deepEqual(
      items.map(({ title, count, target }) => [title, count, target.id]),
      [
        ['The last test of c5 failed', 1, 'c5-failed-5'],
        ['The last test of c4 failed', 1, 'c4-failed-4'],
        ['The last test of c3 failed', 1, 'c3-failed-3'],
        ['Tests of 2 more data contracts failed', 2, null],
      ],
    )
  })

  test(`GET ${HOME} › test_failed has nothing of branches, dry runs, servers that do not count and twins`, async () => {
    const world = await fresh()
    const servers = ['dev', 'prod'].map((server) => ({
      server,
      type: 'postgresql',
      environment: server,
    }))
    await putOne(world, 'datacontracts', odcs('c', { servers }))
    for (const more of [{ branch: 'x' }, { dryRun: true }, { server: 'dev' }]) {
      const body = { dataContractId: 'c', result: 'failed', ...more }
      await expectOk(world.as('O', 'POST', '/api/test-results', { body }))
    }
    await addTwin(world)
    await sql`
      update test_result set branch = null, dry_run = false, server = 'prod'
      where organization_id <> ${world.organizationId}
    `.execute(store().db)
    assert.deepEqual(await listFailed(world), [])
  })
})
