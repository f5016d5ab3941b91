import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, odcs, putOne, uniqueId } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'

const CANARY = 'canary-of-samples'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  test('GET /api/test-results/{id} › samples are whole for editors of the contract, others get open columns', async () => {
    const contract = uniqueId()
    const properties = [{ name: 'id' }, { name: 'email', classification: 'restricted' }]
    const schema = [{ name: 'orders', properties }]
    await putOne(world, 'datacontracts', odcs(contract, { team: { name: 'b' }, schema }))
    const checks = [
      { model: 'orders', failedSamples: [{ id: 7, email: CANARY }], result: 'failed' },
    ]
    const body = { dataContractId: contract, checks }
    const { id } = await readJson<{ id: string }>(
      world.as('O', 'POST', '/api/test-results', { body }),
    )
    const read = (caller: 'O' | 'T') => readText(world.as(caller, 'GET', `/api/test-results/${id}`))
    assert.match(await read('O'), new RegExp(CANARY))
    const shown = await read('T')
    assert.doesNotMatch(shown, new RegExp(CANARY))
    assert.match(shown, /"id":7,"email":null/)
    assert.match(shown, /"hidden":\["orders.email"\]/)
  })
})
