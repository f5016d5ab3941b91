import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readJson } from '../../../test/answers.ts'
import { addFinding } from '../../../test/drift.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, odcs, putOne, uniqueId, type World } from '../../../test/world.ts'
import type { Home } from './home.ts'

onStore((store) => {
  let world: World
  let twin: World
  before(async () => {
    const product = newProduct(store())
    world = await newWorld(product)
    twin = await newWorld(product)
  })

  test('GET /ui/home › drift_open for the team of a contract, until it is accepted; four contracts are three and a rest', async () => {
    const list = async (): Promise<[string, number][]> => {
      const { attention } = await readJson<Home>(world.asPerson('Ue', 'GET', '/ui/home'))
      return attention
        .filter(({ kind }) => kind === 'drift_open')
        .map(({ target, count }) => [target.id ?? '', count])
    }
    const [mine, theirs] = [uniqueId(), uniqueId()]
    for (const one of [world, twin]) await putOne(one, 'datacontracts', odcs(mine))
    await putOne(world, 'datacontracts', odcs(theirs, { team: { name: 'b' } }))
    await addFinding(twin, mine)
    await addFinding(world, theirs)
    await addFinding(world, mine, { level: 'additive' })
    await addFinding(world, mine, { field: 'test', isProduction: false })
    await addFinding(world, mine, { field: 'over', resolvedAt: '2026-01-02T00:00:00Z' })
    await addFinding(world, mine, { field: 'accepted', acceptedUntil: '9999-12-31T00:00:00Z' })
    assert.deepEqual(await list(), [])
    await addFinding(world, mine, { field: 'a' })
    await addFinding(world, mine, { field: 'b' })
    assert.deepEqual(await list(), [[mine, 2]])
    for (const id of [uniqueId(), uniqueId(), uniqueId()]) {
      await putOne(world, 'datacontracts', odcs(id))
      await addFinding(world, id, { firstSeenAt: '2026-02-01T00:00:00Z' })
    }
    const items = await list()
    assert.equal(items.length, 4)
    assert.deepEqual(items.at(-1), ['', 1])
  })
})
