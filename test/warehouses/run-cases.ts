/** The cases about runs that every platform must pass. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { isolateConnectors } from '../../server/connectors/source-process/isolated-connectors.ts'
import { cancelRun } from '../../server/ingestion/runs/run-store.ts'
import { storeClock } from '../../server/platform/kit/clock.ts'
import type { CaseContents } from './platform.ts'
import { findReader, type RunWorld } from './run-world.ts'

/** A case about runs. */
export type RunCase = (world: RunWorld) => Promise<void>

const ORDERS = { name: 'orders', columns: [{ name: 'id' }, { name: 'note' }] }
/** The contents of the first run. */
export const FIRST: CaseContents = {
  sales: [ORDERS, { name: 'lines' }, { name: 'old' }, { name: 'recent', viewText: 'select 1' }],
  other: [{ name: 'notes' }],
}
const UNCHANGED = ['SUCCESS', 0, 0, 0, 0]

/** Runs the first time, and asserts that everything is created. */
export async function runFirst({ server, platform, run }: RunWorld): Promise<void> {
  server.setContents(FIRST)
  const schemas = Object.keys(FIRST).length
  // Schemas of some platforms are in a catalog.
  const containers = schemas + platform.toPath('any').length - 1
  const tables = Object.values(FIRST).flat().length
  assert.deepEqual(await run(), ['SUCCESS', containers + tables, 0, 0, 0])
}

/** The cases by their names. */
export const RUN_CASES: Readonly<Record<string, RunCase>> = {
  'an unchanged run writes nothing': async (source) => {
    await runFirst(source)
    const before = await source.snapshot()
    assert.deepEqual(await source.run(), UNCHANGED)
    assert.deepEqual(await source.snapshot(), before)
  },

  'a run counts exactly the tables that were created, changed, renamed and dropped': async (
    source,
  ) => {
    await runFirst(source)
    const { server, platform, world } = source
    const before = await world.assets()
    const columns = [{ name: 'id' }, { name: 'note', comment: 'New' }, { name: 'added' }]
    const changed = { ...ORDERS, columns }
    server.rename('sales', 'lines', 'items')
    server.setContents({
      sales: [changed, { name: 'items' }, { name: 'fresh' }, FIRST['sales']?.[3] ?? ORDERS],
      other: FIRST['other'] ?? [],
    })
    // Without an id, the renamed table is a new one, and the former is gone.
    const renamed = platform.hasTableIds ? [0, 1, 0] : [1, 0, 1]
    const [created = 0, updated = 0, gone = 0] = renamed
    // Nothing proves that the former name is gone.
    const held = platform.keepsFormerNames === true ? gone : 0
    const counts = [1 + created, 1 + updated, 1 + gone - held, held]
    assert.deepEqual(await source.run(), ['SUCCESS', ...counts])
    const after = await world.assets()
    const getName = (table: string): string => platform.toPath('sales', table).join('.')
    assert.ok(after.has(getName('fresh')) && !after.has(getName('old')))
    const isSame = after.get(getName('items'))?.id === before.get(getName('lines'))?.id
    assert.equal(isSame, platform.hasTableIds)
    assert.equal(after.get(getName('orders'))?.version, 2)
    assert.deepEqual(await source.run(), ['SUCCESS', 0, 0, 0, held])
  },

  'a denied schema deletes nothing': async (source) => {
    await runFirst(source)
    const before = await source.snapshot()
    source.server.deny('other')
    assert.deepEqual(await source.run(), UNCHANGED)
    assert.deepEqual(await source.snapshot(), before)
    source.server.allow()
    assert.deepEqual(await source.run(), UNCHANGED)
  },

  'a source that fails in the middle of a run deletes nothing': async (source) => {
    await runFirst(source)
    const before = await source.snapshot()
    source.server.setContents({ sales: [ORDERS], other: [] })
    source.proxy.fail(source.platform.requests.tables, 'drop')
    const [status, ...counts] = await source.run()
    assert.notEqual(status, 'SUCCESS')
    assert.deepEqual(counts, [0, 0, 0, 0])
    assert.deepEqual(await source.snapshot(), before)
  },

  'a cancelled run ends as CANCELLED and publishes nothing': async (source) => {
    await runFirst(source)
    const { world, server, proxy, platform } = source
    const before = await source.snapshot()
    server.setContents({ sales: [ORDERS], other: [{ name: 'notes' }] })
    const stalled = proxy.stall(platform.requests.tables)
    const id = (await world.trigger()) ?? ''
    const { working } = await world.start()
    await stalled.reached
    const { db } = world.engine
    await cancelRun(db, storeClock, world.organizationId, world.integrationId)
    await working.done
    assert.equal((await world.find(id)).status, 'CANCELLED')
    assert.deepEqual(await source.snapshot(), before)
  },

  'a run whose reader is killed ends without harm, and the next one succeeds': async (source) => {
    // Only Linux lists processes with their environments.
    if (process.platform !== 'linux') return
    await runFirst(source)
    const { world, server, proxy, platform } = source
    const before = await source.snapshot()
    const contents = { sales: [ORDERS], other: [{ name: 'notes' }] }
    server.setContents(contents)
    const mark = randomUUID()
    const { connector } = platform
    const connectors = new Map([[connector.source, connector]])
    const isolated = isolateConnectors(connectors, { environment: { CASE_MARK: mark } })
    world.engine.connectors = new Map([['scripted', isolated.get(connector.source) ?? connector]])
    const stalled = proxy.stall(platform.requests.tables)
    const id = (await world.trigger()) ?? ''
    const { working } = await world.start()
    await stalled.reached
    const reader = findReader(mark)
    assert.ok(reader !== undefined)
    process.kill(reader, 'SIGKILL')
    await working.done
    stalled.release()
    const run = await world.find(id)
    assert.notEqual(run.status, 'SUCCESS')
    assert.deepEqual(await source.snapshot(), before)
    // A run that is tried again is the same run.
    if (run.status === 'RUNNING') await (await world.start()).working.done
    else await world.run()
    const after = await world.assets()
    const schemas = Object.keys(contents).length
    assert.equal(after.size, schemas + platform.toPath('any').length - 1 + 2)
  },
}
