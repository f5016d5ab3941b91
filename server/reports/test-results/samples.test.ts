import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readJson, readText } from '../../../test/answers.ts'
import { eventsSoFar } from '../../../test/feed.ts'
import { onStore } from '../../../test/stores.ts'
import {
  expectOk,
  newProduct,
  newWorld,
  odcs,
  putOne,
  uniqueId,
  type CallerName,
  type World,
} from '../../../test/world.ts'

const READERS: readonly CallerName[] = ['Uo', 'Ue', 'Um', 'Ur', 'T', 'Tr', 'O', 'Or', 'Tn']

const CANARY = 'canary0of0samples'
const COLUMNS = [
  { name: 'id' },
  { name: 'code', classification: 'Open' },
  { name: 'email', classification: 'restricted' },
]

// Every form in which programs send data.
const CHECKS = [
  {
    model: 'orders',
    field: 'email',
    result: 'failed',
    reason: `Error evaluating check: invalid input "${CANARY}"`,
    details: CANARY,
    diagnostics: { sample: CANARY },
    failedSamples: [{ id: 7, code: 'visible-code', email: CANARY }],
  },
  {
    expectation_config: { type: 'expect_x', kwargs: { column: 'email' } },
    success: false,
    result: { partial_unexpected_list: [CANARY], unexpected_index_query: CANARY },
  },
]

onStore((store) => {
  let world: World
  let contract: string
  let id: string

  const post = async (body: object): Promise<string> =>
    (await readJson<{ id: string }>(world.as('O', 'POST', '/api/test-results', { body }))).id

  before(async () => {
    world = await newWorld(newProduct(store()))
    contract = uniqueId()
    const scheme = { name: 'S', classifications: [] as object[] }
    for (const [level, name] of ['Open', 'Inner', 'Restricted'].entries())
      scheme.classifications.push({ externalId: name.toLowerCase(), name, level })
    await expectOk(
      world.as('O', 'PUT', '/api/classification-schemes/s', {
        body: { externalId: 's', ...scheme },
      }),
    )
    const schema = [{ name: 'orders', properties: COLUMNS }]
    await putOne(world, 'datacontracts', odcs(contract, { team: { name: 'b' }, schema }))
    const logs = [{ level: 'ERROR', message: CANARY }]
    id = await post({ dataContractId: contract, result: 'failed', checks: CHECKS, logs })
  })

  const EDITORS: readonly CallerName[] = ['Uo', 'O']

  test('GET /api/test-results/{id} › only editors of the contract or of a provider get data that is not open', async () => {
    for (const query of ['', '?format=oors']) {
      const seen: string[] = []
      for (const caller of READERS) {
        const text = await readText(world.as(caller, 'GET', `/api/test-results/${id}${query}`))
        if (text.includes(CANARY)) seen.push(caller)
      }
      assert.deepEqual(seen, EDITORS, query)
    }
    const shown = await readText(world.as('T', 'GET', `/api/test-results/${id}`))
    assert.match(shown, /"id":7,"code":"visible-code","email":null/)
    assert.match(
      shown,
      /"hidden":\["\?","details","diagnostics","email","message","orders.email","reason"\]/,
    )
  })

  test('GET …, every list, feed, search and page about the test › no caller gets data that is not open', async () => {
    const contractPath = `/api/datacontracts/${contract}`
    const paths = [
      `/api/test-results?dataContractId=${contract}`,
      `${contractPath}/checks`,
      `${contractPath}/drift`,
      `/api/incidents?dataContractId=${contract}`,
      `/api/trust?dataContractId=${contract}`,
      '/api/events?include=document',
      `/api/search?q=${CANARY}`,
      '/api/activity',
    ]
    await eventsSoFar(world)
    for (const path of paths) {
      for (const caller of READERS) {
        const text = await (await world.as(caller, 'GET', path)).text()
        // The answer to a search repeats its words.
        const rest = text.replaceAll(`q=${CANARY}`, '').replaceAll(`"${CANARY}"`, '')
        assert.ok(!rest.includes(CANARY), `${caller} ${path}: ${text}`)
      }
    }
    const oors = `/api/test-results?dataContractId=${contract}&format=oors`
    const seen: string[] = []
    for (const caller of READERS) {
      const text = await readText(world.as(caller, 'GET', oors))
      if (text.includes(CANARY)) seen.push(caller)
    }
    assert.deepEqual(seen, EDITORS)
  })

  test('GET /api/test-results/{id} › without its contract only editors of the organization get data', async () => {
    const orphan = await post({ dataContractId: uniqueId(), checks: CHECKS })
    for (const caller of ['Ue', 'Um', 'T', 'Or'] as const) {
      const text = await readText(world.as(caller, 'GET', `/api/test-results/${orphan}`))
      assert.ok(!text.includes(CANARY), caller)
    }
    assert.ok(
      (await readText(world.as('O', 'GET', `/api/test-results/${orphan}`))).includes(CANARY),
    )
  })
})
