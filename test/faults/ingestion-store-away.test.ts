/**
 * PostgreSQL is unavailable during a run and recovers, with and without unlogged data: the run ends,
 * and lost staged assets are never treated as removed from the source.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isLong } from '../eventually.ts'
import { migrate } from '../../server/platform/kit/migrate.ts'
import { MIGRATIONS } from '../../server/store.ts'
import { startPostgres, type TestPostgres } from '../postgres.ts'
import type { WorkerProcess } from '../process.ts'
import { startScriptedSource, type ScriptedSource } from '../scripted-source.ts'
import {
  assertSound,
  icebergBody,
  lockAnAsset,
  newFaultWorld,
  watchIntegration,
  type FaultWorld,
  type WatchedIntegration,
} from './ingestion.ts'

const ROUNDS = isLong ? 10 : 1
const TABLES = 12

let postgres: TestPostgres
let faults: FaultWorld
let source: ScriptedSource
let integration: WatchedIntegration
let worker: WorkerProcess

before(async () => {
  postgres = await startPostgres({ durable: true })
  await migrate({ connectionString: postgres.url }, MIGRATIONS)
  faults = await newFaultWorld(postgres.url)
  source = await startScriptedSource()
  source.state.tables('first', TABLES, 'as it was')
  source.state.tables('second', TABLES, 'as it was')
  integration = await watchIntegration(faults, icebergBody(source.url))
  worker = await faults.startWorker()
  await integration.trigger()
  assert.equal((await integration.ended()).assetsCreated, 2 * TABLES + 2)
})
after(async () => {
  await faults.close()
  await source.close()
  await postgres.stop()
})

/** Waits for the end of the attempt; if it gave up, expires its lease so that another attempt begins. */
async function untilEnded(id: string): ReturnType<WatchedIntegration['ended']> {
  const isOver = /^an ingestion run (ended well|could not be ended here)$/
  await worker.logged(({ msg, runId }) => runId === id && isOver.test(msg ?? ''))
  await integration.expireLease()
  return await integration.ended()
}

/** Waits until the store accepts the test's queries again. */
async function untilBack(): Promise<void> {
  for (;;) {
    const [answered] = await Promise.allSettled([integration.livePaths()])
    if (answered.status === 'fulfilled') return
  }
}

test('a PostgreSQL killed between two schemas › deletes nothing, and the run succeeds', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await integration.livePaths()
    const stall = source.stall('tables second')
    const id = await integration.trigger()
    await stall.reached
    await postgres.kill('SIGKILL')
    await postgres.restart()
    await untilBack()
    stall.release()
    const run = await untilEnded(id)
    assert.deepEqual(await integration.livePaths(), before)
    assert.deepEqual(await integration.changes(id), [])
    assert.deepEqual([run.status, run.assetsDeleted], ['SUCCESS', 0])
    await assertSound(faults)
  }
})

test('a PostgreSQL restarted between two schemas › the run succeeds', async () => {
  const before = await integration.livePaths()
  const stall = source.stall('tables second')
  const id = await integration.trigger()
  await stall.reached
  await postgres.kill('SIGINT')
  await postgres.restart()
  await untilBack()
  stall.release()
  const run = await untilEnded(id)
  assert.deepEqual([run.status, run.assetsDeleted], ['SUCCESS', 0])
  assert.deepEqual(await integration.livePaths(), before)
  assert.deepEqual(await integration.changes(id), [])
  await assertSound(faults)
})

test('a PostgreSQL killed while a run is published › the run is published completely', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    source.state.commentAll(`round ${round}`)
    const unlock = await lockAnAsset(faults)
    const id = await integration.trigger()
    await integration.inPhase('publishing')
    await postgres.kill('SIGKILL')
    await unlock()
    await postgres.restart()
    await untilBack()
    const run = await untilEnded(id)
    assert.deepEqual([run.status, run.assetsUpdated], ['SUCCESS', 2 * TABLES])
    assert.equal((await integration.changes(id)).length, 2 * TABLES)
    await assertSound(faults)
  }
})
