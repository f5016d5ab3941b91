import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually, untilBlocked } from '../../../test/eventually.ts'
import { newIngestionWorld, type IngestionWorld } from '../../../test/ingestion.ts'
import { onStore } from '../../../test/stores.ts'
import { StoreUnavailable } from '../../platform/kit/store-errors.ts'
import { storeClock } from '../../platform/kit/clock.ts'
import { beat, claimRun, closeRun, reapRuns, releaseRun, updateProgress } from './claim-store.ts'
import { cancelRun } from './run-store.ts'
import { insertStaged } from './staging-store.ts'
import { startWorkers } from './worker.ts'

async function set(world: IngestionWorld, runId: string, assignment: string): Promise<void> {
  await sql`update ingestion_run set ${sql.raw(assignment)} where id = ${runId}`.execute(
    world.engine.db,
  )
}

async function cancel({ engine, organizationId, integrationId }: IngestionWorld): Promise<void> {
  await cancelRun(engine.db, storeClock, organizationId, integrationId)
}

async function staged({ engine }: IngestionWorld, runId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from staged_asset where run_id = ${runId}
  `.execute(engine.db)
  return rows[0]?.count ?? 0
}

onStore((store) => {
  test('cancels a waiting run immediately, and no worker claims it', async () => {
    const world = await newIngestionWorld(store())
    const id = (await world.trigger()) ?? ''
    await cancel(world)
    const run = await world.find(id)
    assert.deepEqual([run.status, run.phase], ['CANCELLED', 'waiting'])
    assert.equal(await claimRun(world.engine.db, storeClock), undefined)
    // A final state never changes.
    await cancel(world)
    assert.deepEqual(await world.find(id), run)
  })

  for (const moment of ['open', 'scopes', 'read', 'read end'] as const) {
    test(`a run that is cancelled at '${moment}' ends, publishes nothing, and its source stops`, async () => {
      const world = await newIngestionWorld(store())
      world.source.put(['shop', 'sales', 'orders'])
      const stall = world.source.stall(moment)
      const id = (await world.trigger()) ?? ''
      const { working } = await world.start()
      await stall.reached
      await cancel(world)
      await working.done
      const run = await world.find(id)
      assert.deepEqual(
        [run.status, run.message],
        ['CANCELLED', 'Cancelled. Nothing was published.'],
      )
      assert.equal(world.source.cancelCount, 1)
      assert.equal((await world.assets()).size, 0)
      assert.equal(await staged(world, id), 0)
      assert.equal(await world.eventCount(), 0)
    })
  }

  test('a run that is cancelled during publication is CANCELLED, and nothing is published', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'])
    const id = (await world.trigger()) ?? ''
    const { db } = world.engine
    // The last statement of the publication sees the flag, and no earlier beat reports it.
    world.engine.timing = { ...world.engine.timing, beatMs: 60_000 }
    await set(world, id, `message = message`)
    const working = await db.transaction().execute(async (blocker) => {
      await sql`lock table asset in share mode`.execute(blocker)
      const started = await world.start()
      await untilBlocked(db)
      await sql`update ingestion_run set cancel_requested_at = now() where id = ${id}`.execute(db)
      return started.working
    })
    await working.done
    const run = await world.find(id)
    assert.equal(run.status, 'CANCELLED')
    assert.equal((await world.assets()).size, 0)
    assert.equal(await world.eventCount(), 0)
  })

  test('a cancelled run ends although a statement of its publication is still running', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'])
    await world.run()
    world.source.put(['shop', 'sales', 'orders'], { description: 'changed' })
    const { db } = world.engine
    const id = (await world.trigger()) ?? ''
    await db.transaction().execute(async (blocker) => {
      await sql`
        select from asset where integration_id = ${world.integrationId} for update
      `.execute(blocker)
      const { working } = await world.start()
      await untilBlocked(db)
      await cancel(world)
      await working.done
    })
    const run = await world.find(id)
    assert.deepEqual([run.status, run.phase], ['CANCELLED', 'publishing'])
  })

  test('a second trigger while a run is RUNNING starts none', async () => {
    const world = await newIngestionWorld(store())
    const first = await world.trigger()
    assert.ok(first)
    assert.equal(await world.trigger(), undefined)
    await cancel(world)
    assert.ok(await world.trigger())
    await cancel(world)
  })

  test('starts one run for 200 simultaneous triggers', async () => {
    const world = await newIngestionWorld(store())
    const ids = await Promise.all(Array.from({ length: 200 }, () => world.trigger()))
    assert.equal(ids.filter((id) => id !== undefined).length, 1)
    await cancel(world)
  })

  test('an expired lease is claimed again, and the late worker changes nothing', async () => {
    const world = await newIngestionWorld(store())
    const { db } = world.engine
    world.source.put(['shop', 'sales', 'orders'])
    const id = (await world.trigger()) ?? ''
    const late = await claimRun(db, storeClock)
    assert.ok(late)
    assert.equal(await claimRun(db, storeClock), undefined)
    await set(world, id, `lease_until = now() - interval '1 second'`)
    const { claim, working } = await world.start()
    assert.deepEqual([claim.runId, claim.attempt, claim.fence], [id, 2, late.fence + 1])
    assert.equal(await beat(db, storeClock, late), undefined)
    const update = { phase: 'listing' as const, message: 'late', processedCount: 9 }
    assert.equal(await updateProgress(db, storeClock, late, update), false)
    const counts = { processed: 9, created: 9, updated: 9, deleted: 9, held: 9 }
    for (const status of ['SUCCESS', 'FAILED', 'CANCELLED'] as const) {
      assert.equal(await closeRun(db, storeClock, late, { status, message: 'late', counts }), false)
    }
    await releaseRun(db, late)
    await insertStaged(db, late, [
      {
        id: 'late',
        parentId: null,
        path: '["late"]',
        scope: '["late"]',
        kind: 'table',
        sourceId: null,
        sourceVersion: null,
        digest: '',
        document: '{}',
        name: 'late',
        type: 'late',
        rowCount: null,
        sizeBytes: null,
        changedAt: null,
        changedMeans: null,
        changeCount: null,
        assetId: null,
      },
    ])
    await working.done
    const run = await world.find(id)
    assert.deepEqual([run.status, run.attempt, run.assets_created], ['SUCCESS', 2, 3])
    assert.equal((await world.assets()).has('late'), false)
  })

  test('a worker that hangs during publication and returns late changes nothing', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'])
    world.engine.timing = { ...world.engine.timing, beatMs: 60_000 }
    const stall = world.source.stall('read end')
    const id = (await world.trigger()) ?? ''
    const { working: late } = await world.start()
    await stall.reached
    await set(world, id, `lease_until = now() - interval '1 second'`)
    const second = await world.start()
    await second.working.done
    const [assets, events] = [await world.assets(), await world.eventCount()]
    stall.release()
    await late.done
    assert.deepEqual(await world.assets(), assets)
    assert.equal(await world.eventCount(), events)
    const run = await world.find(id)
    assert.deepEqual([run.status, run.attempt], ['SUCCESS', 2])
  })

  test('fails a run after three unfinished attempts', async () => {
    const world = await newIngestionWorld(store())
    const { db } = world.engine
    const id = (await world.trigger()) ?? ''
    for (const attempt of [1, 2, 3]) {
      const claim = await claimRun(db, storeClock)
      assert.equal(claim?.attempt, attempt)
      assert.deepEqual(await reapRuns(db, storeClock), [])
      await set(world, id, `lease_until = now() - interval '1 second'`)
    }
    assert.equal(await claimRun(db, storeClock), undefined)
    await reapRuns(db, storeClock)
    const run = await world.find(id)
    assert.equal(run.status, 'FAILED')
    assert.match(run.message ?? '', /stopped responding/)
  })

  test('fails a run without progress for 15 minutes, or above six hours', async () => {
    for (const [assignment, message] of [
      [`progressed_at = now() - interval '16 minutes'`, /no progress/],
      [`started_at = now() - interval '7 hours'`, /six hours/],
    ] as const) {
      const world = await newIngestionWorld(store())
      const id = (await world.trigger()) ?? ''
      const claim = await claimRun(world.engine.db, storeClock)
      assert.ok(claim)
      await set(world, id, assignment)
      await reapRuns(world.engine.db, storeClock)
      const run = await world.find(id)
      assert.equal(run.status, 'FAILED')
      assert.match(run.message ?? '', message)
      assert.equal(await beat(world.engine.db, storeClock, claim), undefined)
    }
  })

  test('closes a cancelled run of a dead worker as CANCELLED', async () => {
    const world = await newIngestionWorld(store())
    const id = (await world.trigger()) ?? ''
    await claimRun(world.engine.db, storeClock)
    await cancel(world)
    assert.equal((await world.find(id)).status, 'RUNNING')
    await set(world, id, `lease_until = now() - interval '1 second'`)
    await reapRuns(world.engine.db, storeClock)
    assert.equal((await world.find(id)).status, 'CANCELLED')
  })

  test('a terminating process releases its run, and another claims it immediately', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'])
    const stall = world.source.stall('read')
    const id = (await world.trigger()) ?? ''
    const workers = startWorkers(world.engine, 1)
    await stall.reached
    await workers.stop(0)
    assert.equal((await world.find(id)).status, 'RUNNING')
    const { claim, working } = await world.start()
    assert.deepEqual([claim.runId, claim.attempt], [id, 1])
    await working.done
    assert.equal((await world.find(id)).status, 'SUCCESS')
  })

  for (const [state, pause] of [
    ['the disk is full', 'isDiskFull'],
    ['the schema is of another version', 'isPaused'],
  ] as const) {
    test(`workers claim no run while ${state}, but claim it afterwards`, async () => {
      const world = await newIngestionWorld(store())
      world.source.put(['shop', 'sales', 'orders'])
      let looks = 0
      // Only for the first checks of the worker.
      const isPaused = (): boolean => (looks += 1) <= 3
      const id = (await world.trigger()) ?? ''
      const workers = startWorkers({ ...world.engine, [pause]: isPaused }, 1)
      await eventually(
        5000,
        async () => {
          const { status, attempt } = await world.find(id)
          assert.ok(attempt === 0 || looks > 3, 'no run is claimed until then')
          return status === 'SUCCESS'
        },
        'the run ends',
      )
      await workers.stop(0)
    })
  }

  test('a run is claimed again and succeeds after the store was unavailable', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'])
    world.source.fail('read', new StoreUnavailable('the database did not respond'), { times: 1 })
    const id = (await world.trigger()) ?? ''
    const { working } = await world.start()
    await working.done
    assert.equal((await world.find(id)).status, 'RUNNING')
    await set(world, id, `lease_until = now() - interval '1 second'`)
    const second = await world.start()
    await second.working.done
    const run = await world.find(id)
    assert.deepEqual([run.status, run.assets_created, run.attempt], ['SUCCESS', 3, 2])
  })

  test('workers process twenty due runs, one at a time each', async () => {
    const worlds = await Promise.all(Array.from({ length: 20 }, () => newIngestionWorld(store())))
    const [first] = worlds
    assert.ok(first)
    const ids: string[] = []
    for (const world of worlds) {
      world.source.put(['shop', 'sales', 'orders'])
      ids.push((await world.trigger()) ?? '')
    }
    // One connector for all runs: their sources do not matter here.
    const workers = startWorkers(first.engine, 3)
    const states = async (): Promise<string[]> =>
      await Promise.all(worlds.map(async (world, at) => (await world.find(ids[at] ?? '')).status))
    const haveAllEnded = async (): Promise<boolean> =>
      (await states()).every((status) => status === 'SUCCESS')
    try {
      await eventually(30_000, haveAllEnded, 'every run ends well')
    } finally {
      await workers.stop(1000)
    }
  })
})
