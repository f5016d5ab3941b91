import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getCounts, newIngestionWorld, type IngestionWorld } from '../../../test/ingestion.ts'
import { onStore } from '../../../test/stores.ts'
import { addTwin, expectUntouched, selectTwin } from '../../../test/twin.ts'
import type { RunRow } from '../integrations/run.ts'

const TABLES = ['kept', 'changed', 'renamed', 'dropped', 'returning'] as const

/** Reads the first state of a source, with a table that is gone and another schema. */
async function readFirst(world: IngestionWorld): Promise<void> {
  for (const [at, name] of TABLES.entries()) {
    world.source.put(['shop', 'sales', name], { sourceId: `t${at}`, rowCount: at })
  }
  world.source.put(['shop', 'archive', 'old'], { sourceId: 'old' })
  await world.run()
  world.source.drop(['shop', 'sales', 'returning'])
  await world.run()
}

/** Reads a state with a table that is new, changed, renamed, dropped and back, and a schema that is missing. */
async function readSecond({ source, run }: IngestionWorld): Promise<RunRow> {
  source.put(['shop', 'sales', 'new'], { sourceId: 'new', rowCount: 1 })
  source.put(['shop', 'sales', 'changed'], { description: 'Changed', rowCount: 9 })
  source.rename(['shop', 'sales', 'renamed'], ['shop', 'sales', 'other'])
  source.drop(['shop', 'sales', 'dropped'])
  source.put(['shop', 'sales', 'returning'], { sourceId: 't4', rowCount: 4 })
  source.dropSchema('shop', 'archive')
  return await run()
}

/** Describes the assets of an integration without their ids, which contain that of the integration. */
async function describeAssets(world: IngestionWorld): Promise<string[]> {
  const assets = await world.assets()
  return [...assets]
    .map(([name, { version, document }]) => `${name} ${version} ${document.info.description}`)
    .toSorted()
}

onStore((store) => {
  test('a run beside its twins has the same result, and changes none of them', async () => {
    const only = await newIngestionWorld(store())
    await readFirst(only)
    const expected = await readSecond(only)

    const world = await newIngestionWorld(store())
    const { organizationId } = world
    const neighbour = await newIngestionWorld(store(), { organizationId })
    await readFirst(world)
    await readFirst(neighbour)
    const { db } = store()
    const twins = [
      await addTwin({ services: { db }, organizationId }),
      await selectTwin(db, {
        organization_id: organizationId,
        integration_id: neighbour.integrationId,
      }),
    ]
    const run = await expectUntouched(twins, () => readSecond(world))
    assert.equal(run.status, 'SUCCESS')
    assert.deepEqual(getCounts(run), getCounts(expected))
    assert.deepEqual(await describeAssets(world), await describeAssets(only))
    assert.equal((await world.run()).assets_updated, 0)
  })
})
