/**
 * Workers in separate processes are killed, stopped and terminated in every phase of a run: another
 * worker completes it, the counts are correct, and nothing is published partially or twice.
 */

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, test } from 'node:test'
import { isLong, toLimit } from '../eventually.ts'
import { startScriptedSource, type ScriptedSource, type When } from '../scripted-source.ts'
import {
  assertSound,
  icebergBody,
  lockAnAsset,
  newFaultWorld,
  readTables,
  watchIntegration,
  type FaultWorld,
  type WatchedIntegration,
} from './ingestion.ts'

const ROUNDS = isLong ? 10 : 1
const TABLES = 120
const CLAIMED_AGAIN_MS_MAX = 45_000
const STOPPED_MS = 60_000
const RELEASED_MS_MAX = 20_000
const IN_TURN = { concurrency: 1 }

/** An integration of an Iceberg catalog with one namespace, and its environment. */
interface Stage {
  faults: FaultWorld
  source: ScriptedSource
  integration: WatchedIntegration
}

function onStage(define: (stage: () => Stage) => void): void {
  let stage: Stage | undefined
  before(async () => {
    const [faults, source] = await Promise.all([newFaultWorld(), startScriptedSource()])
    source.state.tables('sales', TABLES, 'first')
    const integration = await watchIntegration(faults, icebergBody(source.url))
    stage = { faults, source, integration }
  })
  after(async () => {
    await stage?.source.close()
    await stage?.faults.close()
  })
  define(() => {
    assert.ok(stage !== undefined)
    return stage
  })
}

/** Returns the comments of all live tables: they are equal unless a run was published partially. */
async function readComments({ faults, integration }: Stage): Promise<Set<unknown>> {
  const { externalId } = integration
  const answer = await faults.world.as('T', 'GET', '/api/assets?source=iceberg')
  const assets = (await answer.json()) as {
    info: { type: string; description?: string }
    ingestion: { integrationExternalId: string }
  }[]
  const tables = assets.filter(
    ({ info, ingestion }) =>
      info.type === 'iceberg_table' && ingestion.integrationExternalId === externalId,
  )
  return new Set(tables.map(({ info }) => info.description))
}

// Each test has its own environment, and mostly waits.
describe('workers', { concurrency: 4 }, () => {
  describe('a worker is killed', IN_TURN, () => {
    onStage((stage) => {
      const moments: Record<string, When> = {
        'right after it claimed the run': 'config',
        'while it lists': 'table sales.table_0100',
      }
      for (const [moment, when] of Object.entries(moments)) {
        test(`kill -9 ${moment} › another worker completes the run`, async () => {
          const { faults, source, integration } = stage()
          for (let round = 0; round < ROUNDS; round += 1) {
            source.state.commentAll(`${moment} ${round}`)
            const stall = source.stall(when)
            const victim = await faults.startWorker()
            const before = await integration.livePaths()
            await integration.trigger()
            await stall.reached
            await victim.kill('SIGKILL')
            stall.release()
            assert.deepEqual(
              await integration.livePaths(),
              before,
              'nothing is published partially',
            )
            await integration.expireLease()
            const rescuer = await faults.startWorker()
            const run = await integration.ended()
            await rescuer.stop()
            assert.deepEqual(
              [run.status, run.attempt, run.assetsProcessed],
              ['SUCCESS', 2, TABLES + 1],
            )
            assert.equal(
              run.assetsCreated + run.assetsUpdated,
              before.length === 0 ? TABLES + 1 : TABLES,
            )
            assert.deepEqual(await readComments(stage()), new Set([`${moment} ${round}`]))
            assert.equal((await integration.livePaths()).length, TABLES + 1)
            await assertSound(faults)
          }
        })
      }

      test('kill -9 while it publishes › publishes nothing, and another worker publishes everything', async () => {
        const { faults, source, integration } = stage()
        for (let round = 0; round < ROUNDS; round += 1) {
          const before = await readComments(stage())
          const events = (await readTables(faults))['event']
          source.state.commentAll(`published ${round}`)
          const unlock = await lockAnAsset(faults)
          const victim = await faults.startWorker()
          await integration.trigger()
          await integration.inPhase('publishing')
          await victim.kill('SIGKILL')
          await unlock()
          assert.deepEqual(await readComments(stage()), before)
          assert.deepEqual((await readTables(faults))['event'], events)
          await integration.expireLease()
          const rescuer = await faults.startWorker()
          const run = await integration.ended()
          await rescuer.stop()
          assert.deepEqual([run.status, run.attempt, run.assetsUpdated], ['SUCCESS', 2, TABLES])
          assert.deepEqual(await readComments(stage()), new Set([`published ${round}`]))
          await assertSound(faults)
        }
      })

      test('kill -9 of three workers in a row › the run is FAILED and nothing is published', async (t) => {
        if (!isLong)
          return t.skip('a worker checks for such runs every ten seconds: npm run faults')
        const { faults, source, integration } = stage()
        const before = await readComments(stage())
        source.state.commentAll('never seen')
        const stall = source.stall('tables sales')
        await integration.trigger()
        for (let attempt = 1; attempt <= 3; attempt += 1) {
          const victim = await faults.startWorker()
          const isClaimed = async (): Promise<boolean> =>
            (await integration.latest()).attempt === attempt
          while (!(await isClaimed())) await sleep(20)
          await victim.kill('SIGKILL')
          await integration.expireLease()
        }
        const reaper = await faults.startWorker()
        const run = await integration.ended()
        await reaper.stop()
        stall.release()
        assert.deepEqual(
          [run.status, run.message],
          ['FAILED', 'The worker stopped responding, 3 times. Nothing was published.'],
        )
        assert.deepEqual(await readComments(stage()), before)
        await assertSound(faults)
      })
    })
  })

  describe('a killed worker without a manual lease expiry', { skip: !isLong }, () => {
    onStage((stage) => {
      test('kill -9 › another worker claims the run within 45 s', async () => {
        const { faults, source, integration } = stage()
        const stall = source.stall('tables sales')
        const victim = await faults.startWorker()
        await integration.trigger()
        await stall.reached
        const rescuer = await faults.startWorker()
        const killedAtMs = performance.now()
        await victim.kill('SIGKILL')
        stall.release()
        const run = await integration.ended(CLAIMED_AGAIN_MS_MAX)
        assert.deepEqual([run.status, run.attempt], ['SUCCESS', 2])
        assert.ok(performance.now() - killedAtMs < toLimit(CLAIMED_AGAIN_MS_MAX))
        await rescuer.stop()
        await assertSound(faults)
      })
    })
  })

  describe('a worker is suspended and resumes after its lease', IN_TURN, () => {
    onStage((stage) => {
      test('SIGSTOP while it lists, past the lease, then SIGCONT › it changes nothing', async () => {
        const { faults, source, integration } = stage()
        for (let round = 0; round < ROUNDS; round += 1) {
          source.state.commentAll(`stopped ${round}`)
          const stall = source.stall('table sales.table_0100')
          const suspended = await faults.startWorker()
          await integration.trigger()
          await stall.reached
          await suspended.kill('SIGSTOP')
          const doesLeaseExpire = isLong && round === 0
          if (doesLeaseExpire) await sleep(STOPPED_MS)
          else await integration.expireLease()
          stall.release()
          const rescuer = await faults.startWorker()
          const run = await integration.ended()
          assert.deepEqual([run.status, run.attempt], ['SUCCESS', 2])
          await rescuer.stop()
          const before = await readTables(faults)
          await suspended.kill('SIGCONT')
          await suspended.logged(({ msg }) => msg === 'an ingestion run went to another worker')
          await suspended.stop()
          assert.deepEqual(await readTables(faults), before)
          assert.deepEqual(await readComments(stage()), new Set([`stopped ${round}`]))
          await assertSound(faults)
        }
      })

      test('SIGSTOP while it publishes › the store terminates its transaction, and another worker publishes', async (t) => {
        if (!isLong) return t.skip('PostgreSQL waits for thirty seconds: npm run faults')
        const { faults, source, integration } = stage()
        source.state.commentAll('stopped in publishing')
        const unlock = await lockAnAsset(faults)
        const suspended = await faults.startWorker()
        await integration.trigger()
        await integration.inPhase('publishing')
        await suspended.kill('SIGSTOP')
        await unlock()
        await integration.expireLease()
        const rescuer = await faults.startWorker()
        const run = await integration.ended(STOPPED_MS)
        assert.deepEqual([run.status, run.attempt], ['SUCCESS', 2])
        await rescuer.stop()
        const before = await readTables(faults)
        await suspended.kill('SIGCONT')
        await suspended.stop()
        assert.deepEqual(await readTables(faults), before)
        await assertSound(faults)
      })
    })
  })

  describe('a worker is asked to stop', IN_TURN, () => {
    onStage((stage) => {
      test('SIGTERM while it lists › it releases the run, and another worker claims it immediately', async () => {
        const { faults, source, integration } = stage()
        const stall = source.stall('tables sales')
        const stoppingWorker = await faults.startWorker()
        await integration.trigger()
        await stall.reached
        const otherWorker = await faults.startWorker()
        const stoppedAtMs = performance.now()
        const { code } = await stoppingWorker.stop()
        assert.equal(code, 0)
        stall.release()
        const run = await integration.ended()
        const tookMs = performance.now() - stoppedAtMs
        assert.ok(tookMs < toLimit(RELEASED_MS_MAX), `released and completed after ${tookMs} ms`)
        assert.deepEqual([run.status, run.attempt], ['SUCCESS', 1], 'the attempt did not count')
        await otherWorker.stop()
        await assertSound(faults)
      })

      test('SIGTERM while it lists › a run that ends within ten seconds is completed', async () => {
        const { faults, source, integration } = stage()
        source.state.commentAll('in time')
        const stall = source.stall('tables sales')
        const stoppingWorker = await faults.startWorker()
        await integration.trigger()
        await stall.reached
        const stopping = stoppingWorker.stop()
        await stoppingWorker.logged(({ msg }) => msg === 'stopping')
        stall.release()
        assert.equal((await stopping).code, 0)
        const run = await integration.latest()
        assert.deepEqual([run.status, run.attempt, run.assetsUpdated], ['SUCCESS', 1, TABLES])
        await assertSound(faults)
      })
    })
  })
})
