import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { addTwin, expectUntouched } from '../../../test/twin.ts'
import { expectOk, newProduct, newWorld, odcs, putOne, uniqueId } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'

const RESULTS = '/api/test-results'

const servers = (environment: string) => ({
  servers: [
    { server: 'dev', type: 'postgresql', environment: 'dev' },
    { server: 'prod', type: 'postgresql', environment: 'prod' },
    { server: 'live', type: 'postgresql', environment },
  ],
})

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const publish = async (
    dataContractId: string,
    day: number,
    result: string,
    more: object = {},
  ): Promise<string> => {
    const timestampEnd = `2026-01-0${day}T00:00:00Z`
    const checks = [{ key: 'a', name: 'A', model: 'm', result }]
    const body = { dataContractId, timestampEnd, result, checks, ...more }
    return (await readJson<{ id: string }>(world.as('O', 'POST', RESULTS, { body }))).id
  }

  const newContract = async (more: object = {}): Promise<string> => {
    const id = uniqueId()
    await putOne(world, 'datacontracts', odcs(id, more))
    return id
  }

  interface Row {
    server: string
    because: string | null
    facts: { resultId: string; checks: unknown[] }
  }

  const list = async (contract: string): Promise<Row[]> => {
    const { rows } = await sql<Row>`
      select server, resolved_because as because, facts
      from incident
      where organization_id = ${world.organizationId}
        and contract_id = ${contract}
        and kind = 'test'
      order by server
    `.execute(store().db)
    return rows
  }

  const states = async (contract: string) =>
    (await list(contract)).map(({ server, because }) => [server, because])

  test('a result that fails opens an incident with its facts, and one that passes resolves it', async () => {
    const contract = await newContract()
    await publish(contract, 1, 'passed')
    assert.deepEqual(await list(contract), [])
    const id = await publish(contract, 2, 'failed')
    const [incident] = await list(contract)
    assert.deepEqual(
      [incident?.facts.resultId, incident?.facts.checks],
      [id, [{ name: 'A', model: 'm', field: null }]],
    )
    await publish(contract, 1, 'passed', { id: uniqueId() })
    await publish(contract, 3, 'unknown')
    assert.deepEqual(await states(contract), [['', null]])
    await publish(contract, 4, 'passed')
    assert.deepEqual(await states(contract), [['', 'The newest test passed.']])
    await publish(contract, 5, 'error')
    assert.deepEqual(await states(contract), [['', null]])
  })

  test('late, replaced and deleted results open and resolve, too; branches and dry runs do not', async () => {
    const contract = await newContract()
    await publish(contract, 5, 'passed')
    await publish(contract, 4, 'failed')
    await publish(contract, 6, 'failed', { branch: 'x' })
    await publish(contract, 6, 'failed', { dryRun: true })
    assert.deepEqual(await list(contract), [])
    const id = await publish(contract, 7, 'failed')
    await expectOk(world.as('O', 'DELETE', `${RESULTS}/${id}`))
    assert.deepEqual(await states(contract), [['', 'The newest test passed.']])
    const last = await publish(contract, 8, 'failed')
    await publish(contract, 8, 'passed', { id: last })
    assert.deepEqual(await states(contract), [['', 'The newest test passed.']])
    const only = await newContract()
    const result = await publish(only, 1, 'failed')
    await publish(contract, 1, 'failed', { id: result })
    assert.deepEqual(await states(only), [['', 'The test results were deleted.']])
  })

  test('only production servers of existing contracts have incidents, until they are none anymore', async () => {
    const id = uniqueId()
    await publish(id, 1, 'failed', { server: 'prod' })
    assert.deepEqual(await list(id), [])
    await putOne(world, 'datacontracts', odcs(id, servers('live')))
    assert.deepEqual(await states(id), [['prod', null]])
    for (const server of ['dev', 'live']) await publish(id, 1, 'failed', { server })
    assert.deepEqual(await states(id), [
      ['live', null],
      ['prod', null],
    ])
    await putOne(world, 'datacontracts', odcs(id, servers('test')))
    const because = 'The server is not a production server anymore.'
    assert.deepEqual(await states(id), [
      ['live', because],
      ['prod', null],
    ])
    await expectOk(world.as('O', 'DELETE', `/api/datacontracts/${id}`))
    assert.deepEqual(await states(id), [
      ['live', because],
      ['prod', 'The data contract was deleted.'],
    ])
  })

  test('the newest result of each output port counts, unless it is 30 days older', async () => {
    const contract = await newContract()
    const [port, other] = ['a', 'b'].map((outputPortId) => ({ dataProductId: 'p', outputPortId }))
    await publish(contract, 2, 'failed', port)
    await publish(contract, 3, 'passed', other)
    assert.deepEqual(await states(contract), [['', null]])
    await publish(contract, 1, 'passed', { ...other, timestampEnd: '2026-02-02T00:00:00Z' })
    assert.deepEqual(await states(contract), [['', 'The newest test passed.']])
  })

  test('simultaneous results of one contract leave the incident that the newest one asks for', async () => {
    for (const last of ['passed', 'failed']) {
      const contract = await newContract()
      const results = ['failed', 'passed', 'failed', 'passed', last]
      await Promise.all(results.map((result, at) => publish(contract, at + 1, result)))
      const open = (await states(contract)).filter(([, because]) => because === null)
      assert.equal(open.length, last === 'failed' ? 1 : 0)
    }
  })

  test('incidents of other organizations and contracts stay as they are', async () => {
    const [contract, other] = [await newContract(), await newContract()]
    for (const id of [contract, other]) await publish(id, 1, 'failed')
    const twin = await addTwin(world)
    await expectUntouched([twin], async () => {
      await publish(contract, 2, 'passed')
      await publish(contract, 3, 'failed')
      await expectOk(world.as('O', 'DELETE', `/api/datacontracts/${contract}`))
    })
    assert.deepEqual(await states(other), [['', null]])
  })
})
