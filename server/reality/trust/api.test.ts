import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectViolations, readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { addTwin, TWIN_MARK } from '../../../test/twin.ts'
import {
  expectOk,
  newProduct,
  newWorld,
  odcs,
  odps,
  putOne,
  uniqueId,
} from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import { TRUSTED_MAX, type Trust } from './trust.ts'

const GOLD = '8d3f6b1e-3a57-4b0c-9a51-0d6f1f3a2c01'
const BASE = 'http://portbook.test'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
    const body = { id: GOLD, name: 'Gold', rank: 1, tag: 'trust/gold' }
    await expectOk(world.as('O', 'PUT', `/api/certifications/${GOLD}`, { body }))
  })

  /** Publishes a result whose test ended some minutes ago; returns its id. */
  async function publish(
    contractId: string,
    result: string,
    more: { minutesAgo?: number } & Record<string, unknown> = {},
  ): Promise<string> {
    const { minutesAgo = 60, ...rest } = more
    const id = uniqueId()
    const timestampEnd = new Date(Date.now() - minutesAgo * 60_000).toISOString()
    const body = { id, dataContractId: contractId, result, timestampEnd, ...rest }
    await expectOk(world.as('O', 'POST', '/api/test-results', { body }))
    return id
  }

  const request = (query: string) => world.as('O', 'GET', `/api/trust?${query}`)

  const ask = async (query: string): Promise<Trust[]> => readJson<Trust[]>(request(query))

  const askOne = async (query: string): Promise<Trust> => {
    const [one] = await ask(query)
    assert.ok(one)
    return one
  }

  const putContract = async (more: object = {}): Promise<string> => {
    const id = uniqueId()
    await putOne(world, 'datacontracts', odcs(id, more))
    return id
  }

  const putProduct = async (
    ports: readonly (string | undefined)[],
    more: object = {},
  ): Promise<string> => {
    const id = uniqueId()
    const outputPorts = ports.map((contractId, at) => ({
      name: `port-${at}`,
      version: '1',
      ...(contractId !== undefined && { contractId }),
    }))
    await putOne(world, 'dataproducts', odps(id, { outputPorts, ...more }))
    return id
  }

  test('GET /api/trust › 200 with the newest result of a contract, its time and its page', async () => {
    const contract = await putContract()
    await publish(contract, 'failed', { minutesAgo: 90 })
    const id = await publish(contract, 'passed', { checks: [{ result: 'passed' }] })
    const trust = await askOne(`dataContractId=${contract}`)
    assert.match(trust.tests.since ?? '', /^20\d\d-/)
    const rest = { since: null, url: null }
    assert.deepEqual(
      { ...trust, tests: { ...trust.tests, since: null } },
      {
        resourceType: 'DATA_CONTRACT',
        id: contract,
        dataProductId: null,
        tests: {
          state: 'positive',
          word: 'Passed',
          reason: '1 check passed.',
          since: null,
          url: `${BASE}/test-results/${id}`,
        },
        freshness: {
          state: 'neutral',
          word: 'Unknown',
          reason: 'It promises no freshness.',
          evidence: null,
          evidenceAt: null,
          ...rest,
        },
        drift: {
          state: 'neutral',
          word: 'Not compared',
          reason: 'It has no models on servers to compare.',
          breaking: 0,
          unverifiable: 0,
          ...rest,
        },
        standing: {
          state: 'neutral',
          word: 'Not certified',
          reason: 'It has no certification.',
          ...rest,
        },
        readers: 0,
        // The failed test opened an incident today.
        kept: { days: 29, of: 30 },
        worst: 'neutral',
      },
    )
  })

  test('GET /api/trust › tests of branches, dry runs and other contracts do not count', async () => {
    const contract = await putContract()
    await publish(contract, 'failed', { branch: 'feature' })
    await publish(contract, 'failed', { dryRun: true })
    await publish(uniqueId(), 'failed')
    assert.equal((await askOne(`dataContractId=${contract}`)).tests.word, 'Not tested')
  })

  test('GET /api/trust › the worst production server decides, others do not count', async () => {
    const servers = [
      { server: 'eu', type: 'postgresql', environment: 'Production' },
      { server: 'us', type: 'postgresql', environment: 'prd' },
      { server: 'dev', type: 'postgresql', environment: 'dev' },
    ]
    const contract = await putContract({ servers })
    const readWord = async () => (await askOne(`dataContractId=${contract}`)).tests.word
    await publish(contract, 'passed', { server: 'eu' })
    await publish(contract, 'failed', { server: 'dev', minutesAgo: 1 })
    assert.equal(await readWord(), 'Not tested')
    await publish(contract, 'warning', { server: 'us' })
    assert.equal(await readWord(), 'Warnings')
    await publish(contract, 'failed', { server: 'us', minutesAgo: 30 })
    assert.equal(await readWord(), 'Failing')
    // A result without a server, or with one that the contract does not name, counts for each.
    await publish(contract, 'passed', { minutesAgo: 20 })
    assert.equal(await readWord(), 'Passed')
    await publish(contract, 'failed', { server: 'renamed', minutesAgo: 10 })
    assert.equal(await readWord(), 'Failing')
  })

  test('GET /api/trust › all servers count if none is of production', async () => {
    const servers = ['a', 'b'].map((server) => ({ server, type: 'postgresql' }))
    const contract = await putContract({ servers })
    await publish(contract, 'failed', { server: 'a' })
    await publish(contract, 'passed', { server: 'b', minutesAgo: 5 })
    const { tests } = await askOne(`dataContractId=${contract}`)
    assert.deepEqual(
      [tests.word, tests.reason],
      ['Failing', 'The test ended with an error on server a.'],
    )
  })

  test('GET /api/trust › a result is stale after 7 days, or after the time of the contract', async () => {
    const days = 24 * 60
    const usual = await putContract()
    await publish(usual, 'passed', { minutesAgo: 8 * days })
    const monthly = await putContract({
      customProperties: [{ property: 'testsValidFor', value: '31 d' }],
    })
    await publish(monthly, 'passed', { minutesAgo: 8 * days })
    const list = await ask(`dataContractId=${usual}&dataContractId=${monthly}`)
    assert.deepEqual(
      list.map(({ tests }) => tests.word),
      ['Stale', 'Passed'],
    )
  })

  test('GET /api/trust › a product has the worst of its output ports, a port its contract', async () => {
    const [good, bad] = [await putContract(), await putContract()]
    await publish(good, 'passed')
    const id = await publish(bad, 'failed')
    const product = await putProduct([good, bad, undefined])
    const ports = [0, 1, 2].map((at) => `outputPortId=port-${at}`).join('&')
    const list = await ask(`dataProductId=${product}&${ports}&outputPortId=unknown`)
    assert.deepEqual(
      list.map(({ resourceType, id: name, dataProductId, tests }) => [
        resourceType,
        name,
        dataProductId,
        tests.word,
      ]),
      [
        ['DATA_PRODUCT', product, null, 'Failing'],
        ['OUTPUT_PORT', 'port-0', product, 'Passed'],
        ['OUTPUT_PORT', 'port-1', product, 'Failing'],
        ['OUTPUT_PORT', 'port-2', product, 'Not tested'],
      ],
    )
    assert.equal(list[0]?.tests.reason, '2 of 3 ports tested. Failing: port-1.')
    assert.equal(list[0]?.tests.url, `${BASE}/test-results/${id}`)
    assert.equal(list[0]?.worst, 'critical')
  })

  test('GET /api/trust › ports of several products, each of the product at its position', async () => {
    const [good, bad] = [await putContract(), await putContract()]
    await publish(good, 'passed')
    await publish(bad, 'failed')
    const [first, second] = [await putProduct([good, bad]), await putProduct([bad, good])]
    const pairs = [first, second, first].map((id) => `dataProductId=${id}&outputPortId=port-0`)
    const list = await ask(pairs.join('&').replace(/port-0$/, 'port-1'))
    assert.deepEqual(
      list.map(({ dataProductId, id, tests }) => [dataProductId ?? id, tests.word]),
      [
        [first, 'Failing'],
        [first, 'Passed'],
        [first, 'Failing'],
        [second, 'Failing'],
        [second, 'Failing'],
      ],
    )
  })

  test('GET /api/trust › tests of another product or port do not count for a port', async () => {
    const contract = await putContract()
    const product = await putProduct([contract])
    const readWord = async () => (await askOne(`dataProductId=${product}`)).tests.word
    await publish(contract, 'failed', { dataProductId: uniqueId() })
    await publish(contract, 'failed', { dataProductId: product, outputPortId: 'other' })
    assert.equal(await readWord(), 'Not tested')
    await publish(contract, 'passed', { dataProductId: product, outputPortId: 'port-0' })
    assert.equal(await readWord(), 'Passed')
  })

  test('GET /api/trust › a port whose contract does not exist has its tests', async () => {
    const missing = uniqueId()
    await publish(missing, 'failed')
    const product = await putProduct([missing])
    assert.equal((await askOne(`dataProductId=${product}`)).tests.word, 'Failing')
  })

  test('GET /api/trust › a product without ports is not tested', async () => {
    const { tests } = await askOne(`dataProductId=${await putProduct([])}`)
    assert.deepEqual([tests.word, tests.reason], ['Not tested', 'It has no output ports.'])
  })

  test('GET /api/trust › certified by a tag, unless it is deprecated', async () => {
    const certified = await putProduct([], { tags: ['trust/gold', 'other'] })
    const other = await putProduct([], { tags: ['trust/goldish'] })
    const deprecated = await putProduct([], { tags: ['trust/gold'], status: 'deprecated' })
    const ids = [certified, other, deprecated].map((id) => `dataProductId=${id}`).join('&')
    const standings = (await ask(ids)).map(({ standing }) => standing)
    assert.deepEqual(
      standings.map(({ word }) => word),
      ['Certified', 'Not certified', 'Deprecated'],
    )
    assert.deepEqual(
      [standings[0]?.reason, standings[0]?.url],
      ['Gold', `${BASE}/certifications/${GOLD}`],
    )
    assert.equal(standings[2]?.reason, 'Deprecated since version 1.')
    assert.match(standings[2]?.since ?? '', /^20\d\d-\d\d-\d\dT00:00:00Z$/)
  })

  test('GET /api/trust › a deprecated contract is the standing of its port', async () => {
    const contract = await putContract({ status: 'retired' })
    const product = await putProduct([contract], { tags: ['trust/gold'] })
    const list = await ask(
      `dataProductId=${product}&outputPortId=port-0&dataContractId=${contract}`,
    )
    assert.deepEqual(
      list.map(({ resourceType, standing }) => [resourceType, standing.word]),
      [
        ['DATA_PRODUCT', 'Certified'],
        ['OUTPUT_PORT', 'Deprecated'],
        ['DATA_CONTRACT', 'Deprecated'],
      ],
    )
  })

  test('GET /api/trust › leaves out what does not exist, and takes ids with any character', async () => {
    assert.deepEqual(await ask(''), [])
    assert.deepEqual(await ask(`dataProductId=${uniqueId()}&dataContractId=%25%27%22%5C`), [])
  })

  test('GET /api/trust › 400 for more than 100 ids, and for ports without their product', async () => {
    const many = Array.from({ length: TRUSTED_MAX }, (_, at) => `dataContractId=c${at}`).join('&')
    assert.equal((await request(many)).status, 200)
    await expectViolations(request(`${many}&dataProductId=p`), 400, ['dataProductId'])
    await expectViolations(request('outputPortId=a'), 400, ['outputPortId'])
    const two = request('outputPortId=a&dataProductId=p&dataProductId=q')
    await expectViolations(two, 400, ['outputPortId'])
    await expectViolations(request('dataProductId='), 400, ['dataProductId'])
  })

  test('GET /api/trust › has nothing of a twin organization with equal ids', async () => {
    const contract = await putContract()
    await publish(contract, 'passed')
    const product = await putProduct([contract], { tags: ['trust/gold'] })
    const query = `dataProductId=${product}&outputPortId=port-0&dataContractId=${contract}`
    const own = await ask(query)
    await addTwin(world)
    const after = await ask(query)
    assert.deepEqual(after, own)
    assert.ok(!JSON.stringify(after).includes(TWIN_MARK))
  })
})
