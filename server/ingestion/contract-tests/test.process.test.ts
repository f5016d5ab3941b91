/** Tests of contracts through the process that reads a source, as an installation runs them. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { addTestedContract, type TestedContract } from '../../../test/tested-contract.ts'
import { expectOk, newProduct, newWorld, type World } from '../../../test/world.ts'
import { newFairQueue, type FairQueue } from '../../platform/kit/fair-queue.ts'

interface Result {
  result: string
  checks: { result: string; reason?: string }[]
  logs: { message: string }[]
}

const newPlaces = (): FairQueue => newFairQueue({ runningMax: 1, waitingMax: 10 })

onStore((store) => {
  let world: World
  let contract: TestedContract
  before(async () => {
    const readers = { places: newPlaces(), testPlaces: newPlaces(), environment: {} }
    world = await newWorld(newProduct(store(), { readers }))
    contract = await addTestedContract(world, store())
  })
  after(() => contract.drop())

  const run = () => world.as('O', 'POST', '/api/datacontracts/tested/test')

  test('POST /api/datacontracts/{id}/test › counts in a process, with its own connection', async () => {
    const { source } = contract
    const { result, checks } = await readJson<Result>(run())
    assert.deepEqual([result, ...checks.map((one) => one.result)], ['failed', 'passed', 'failed'])
    // The process has ended with its session.
    const sessions = `select from pg_stat_activity where usename like 'tester_%' and datname = '${source.name}'`
    assert.equal((await source.execute(sessions)).length, 0)
  })

  test('POST … › a failure inside of the process is a check that could not run, without a text of the source', async () => {
    const { source } = contract
    const role = `tester_${source.user}`
    await source.execute(`revoke select on orders from ${role}`)
    const { result, checks, logs } = await readJson<Result>(run())
    assert.deepEqual([result, ...checks.map((one) => one.result)], ['error', 'error', 'error'])
    assert.match(logs[0]?.message ?? '', /^orders: The account for tests may not read the table/)
    await source.execute(`grant select on orders to ${role}`)
  })

  test('POST … › 422 without the password if the account cannot log in', async () => {
    const { accountPath, account } = contract
    const wrong = { ...account, password: 'canary-of-a-password' }
    await expectOk(world.as('O', 'PUT', accountPath, { body: wrong }))
    const { code, detail } = await expectProblem(run(), 422)
    assert.equal(code, 'invalid_state')
    assert.match(detail, /could not log in/)
    assert.doesNotMatch(detail, /canary/)
    await expectOk(world.as('O', 'PUT', accountPath, { body: account }))
    await expectOk(run())
  })
})
