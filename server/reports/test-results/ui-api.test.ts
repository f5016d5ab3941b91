import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, putOne, uniqueId } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import type { TestResultSummary } from './test-result.ts'

const NEWER_COUNT = 201
// Limits apply to requests of a key at the same time.
const AT_ONCE = 40

const toDay = ({ testedAt }: TestResultSummary): number => Number(testedAt.slice(8, 10))

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  async function publish(contractId: string, day: number, more: object = {}): Promise<void> {
    const timestampEnd = `2026-01-0${day}T00:00:00Z`
    const body = { dataContractId: contractId, result: 'passed', timestampEnd, ...more }
    await expectOk(world.as('O', 'POST', '/api/test-results', { body }))
  }

  const listLatest = (kind: 'datacontracts' | 'dataproducts', id: string) =>
    readJson<TestResultSummary[]>(world.asPerson('Um', 'GET', `/ui/${kind}/${id}/test-results`))

  test('GET /ui/datacontracts/{id}/test-results › the newest result for each server, newest first', async () => {
    const contract = uniqueId()
    await publish(contract, 1, { server: 'staging' })
    await publish(contract, 3, { server: 'production', result: 'failed' })
    await publish(contract, 2, { server: 'production' })
    await publish(contract, 4)
    await publish(uniqueId(), 5)
    const results = await listLatest('datacontracts', contract)
    assert.deepEqual(
      results.map(({ server, result }) => [server, result]),
      [
        ['', 'passed'],
        ['production', 'failed'],
        ['staging', 'passed'],
      ],
    )
  })

  test('GET /ui/datacontracts/{id}/test-results › without results of branches and dry runs', async () => {
    const contract = uniqueId()
    await publish(contract, 1)
    await publish(contract, 2, { branch: 'feature' })
    await publish(contract, 3, { dryRun: true })
    assert.deepEqual((await listLatest('datacontracts', contract)).map(toDay), [1])
  })

  test('GET /ui/dataproducts/{id}/test-results › the newest for each port and for the contract, none of other products', async () => {
    const [contract, unused, product] = [uniqueId(), uniqueId(), uniqueId()]
    const outputPorts = [{ name: 'out', version: '1', contractId: contract }]
    await putOne(world, 'dataproducts', odps(product, { outputPorts }))
    await publish(contract, 1)
    await publish(contract, 2, { dataProductId: product, outputPortId: 'out' })
    await publish(contract, 3, { dataProductId: product, outputPortId: 'out' })
    await publish(contract, 4, { dataProductId: uniqueId(), outputPortId: 'out' })
    await publish(contract, 5, { dataProductId: product })
    await publish(unused, 6)
    assert.deepEqual((await listLatest('dataproducts', product)).map(toDay), [5, 3, 1])
    assert.deepEqual(await listLatest('dataproducts', uniqueId()), [])
  })

  test('GET /ui/…/test-results › the newest of each server and port, however many results are newer', async () => {
    const [contract, product] = [uniqueId(), uniqueId()]
    const outputPorts = [{ name: 'out', version: '1', contractId: contract }]
    await putOne(world, 'dataproducts', odps(product, { outputPorts }))
    await publish(contract, 1, { server: 'a', dataProductId: product, outputPortId: 'out' })
    await publish(contract, 2, { server: 'z' })
    const newer = { server: 'm', dataProductId: product, outputPortId: 'other' }
    for (let count = 0; count < NEWER_COUNT; count += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => publish(contract, 3, newer)))
    }
    const results = await listLatest('datacontracts', contract)
    assert.deepEqual(
      results.map(({ server }) => server),
      ['m', 'z', 'a'],
    )
    const ports = await listLatest('dataproducts', product)
    assert.deepEqual(
      ports.map(({ outputPortId, server }) => [outputPortId, server]),
      [
        ['other', 'm'],
        [undefined, 'z'],
        ['out', 'a'],
      ],
    )
  })

  test('GET /ui/…/test-results › nothing of another organization', async () => {
    const other = await newWorld(world)
    const contract = uniqueId()
    await publish(contract, 1)
    const path = `/ui/datacontracts/${contract}/test-results`
    assert.deepEqual(await readJson(other.asPerson('Uo', 'GET', path)), [])
  })
})
