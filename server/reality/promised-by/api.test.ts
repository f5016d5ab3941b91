import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { addFinding, addPromise } from '../../../test/drift.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, odcs, putOne, uniqueId, type World } from '../../../test/world.ts'
import { PROMISES_MAX, type AssetPromise } from './promised-by.ts'

const PATH = '/ui/assets/{id}/promises'

onStore((store) => {
  let world: World
  let twin: World
  before(async () => {
    const product = newProduct(store())
    world = await newWorld(product)
    twin = await newWorld(product)
  })

  const newAsset = async (): Promise<string> => {
    const id = uniqueId()
    const info = { name: 'orders', source: 'postgres', type: 'postgres_table' }
    for (const one of [world, twin]) await putOne(one, 'assets', { id, info })
    return id
  }
  const list = async (id: string): Promise<{ promises: AssetPromise[]; hasMore: boolean }> =>
    await readJson(world.asPerson('Um', 'GET', PATH.replace('{id}', id)))

  describe(`GET ${PATH}`, () => {
    test('counts the differences of each promise, without those of twins', async () => {
      const assetId = await newAsset()
      const contractId = uniqueId()
      for (const one of [world, twin]) {
        await putOne(one, 'datacontracts', odcs(contractId, { team: { name: 'a' } }))
        await addPromise(one, contractId, { assetId })
        await addFinding(one, contractId, { field: 'a' })
      }
      await addPromise(world, contractId, { model: 'other', assetId })
      await addFinding(world, contractId, { field: 'b', acceptedUntil: '9999-12-31T00:00:00Z' })
      await addFinding(world, contractId, { field: 'c', acceptedUntil: '2026-01-02T00:00:00Z' })
      await addFinding(world, contractId, { field: 'd', level: 'additive' })
      await addFinding(world, contractId, { field: 'e', resolvedAt: '2026-01-02T00:00:00Z' })
      const { promises, hasMore } = await list(assetId)
      assert.deepEqual(
        promises.map(({ model, breaking, accepted, additive, ownerId }) => ({
          model,
          breaking,
          accepted,
          additive,
          ownerId,
        })),
        [
          { model: 'orders', breaking: 2, accepted: 1, additive: 1, ownerId: 'a' },
          { model: 'other', breaking: 0, accepted: 0, additive: 0, ownerId: 'a' },
        ],
      )
      assert.equal(hasMore, false)
    })

    test('is empty for an asset that no contract promises, or whose link is not decided', async () => {
      const assetId = await newAsset()
      const contractId = uniqueId()
      await putOne(world, 'datacontracts', odcs(contractId))
      await addPromise(world, contractId, { assetId, state: 'ambiguous' })
      assert.deepEqual(await list(assetId), { promises: [], hasMore: false })
    })

    test('lists at most 100 promises, and shows whether more exist', async () => {
      const assetId = await newAsset()
      const contractId = uniqueId()
      await putOne(world, 'datacontracts', odcs(contractId))
      for (let at = 0; at <= PROMISES_MAX; at += 1) {
        await addPromise(world, contractId, { assetId, model: `m${at}` })
      }
      const { promises, hasMore } = await list(assetId)
      assert.deepEqual([promises.length, hasMore], [PROMISES_MAX, true])
    })

    test('404 for an asset of another organization', async () => {
      const id = uniqueId()
      await putOne(twin, 'assets', { id, info: { name: 'a', source: 's', type: 'postgres_table' } })
      await expectProblem(world.asPerson('Uo', 'GET', PATH.replace('{id}', id)), 404)
    })
  })
})
