import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/eventually.ts'
import { newIngestionWorld, type IngestionWorld } from '../../../test/ingestion.ts'
import { onStore } from '../../../test/stores.ts'
import { storeClock } from '../../platform/kit/clock.ts'
import { claimRun } from './claim-store.ts'
import { SourceFailure, type Connector } from '../../connectors/connector.ts'
import { cancelRun, listLogLines } from './run-store.ts'
import { startWorkers } from './worker.ts'

async function attempt(world: IngestionWorld): Promise<void> {
  const { working } = await world.start()
  await working.done
}

async function set(world: IngestionWorld, assignment: string): Promise<void> {
  const { db } = world.engine
  await sql`
    update ingestion_run set ${sql.raw(assignment)}
    where integration_id = ${world.integrationId} and status = 'RUNNING'
  `.execute(db)
}

async function cancel({ engine, organizationId, integrationId }: IngestionWorld): Promise<void> {
  await cancelRun(engine.db, storeClock, organizationId, integrationId)
}

async function triggered(world: IngestionWorld): Promise<string> {
  const id = await world.trigger()
  assert.ok(id !== undefined)
  return id
}

async function ended(world: IngestionWorld, id: string): Promise<void> {
  const hasEnded = async (): Promise<boolean> => (await world.find(id)).status !== 'RUNNING'
  await eventually(20_000, hasEnded, 'the run ends')
}

onStore((store) => {
  test('a source that cannot be reached › the run returns to the queue and reports when it continues', async () => {
    const world = await newIngestionWorld(store())
    world.engine.timing = { ...world.engine.timing, retryMs: [60_000] }
    world.source.put(['shop', 'sales', 'orders'])
    world.source.fail('open', 'unreachable', { times: 1 })
    const id = await triggered(world)
    await attempt(world)
    const waiting = await world.find(id)
    assert.deepEqual([waiting.status, waiting.phase, waiting.attempt], ['RUNNING', 'waiting', 0])
    assert.match(
      waiting.message ?? '',
      /^The source fails: unreachable\. Next attempt at \d\d:\d\d:\d\d UTC\.$/,
    )
    const lines = await listLogLines(world.engine.db, world.organizationId, id)
    assert.equal(lines.at(-1)?.text, 'The source fails: unreachable. The run continues in 60 s.')
    assert.equal(await claimRun(world.engine.db, storeClock), undefined)
    await set(world, `not_before = now() - interval '1 second'`)
    await attempt(world)
    const run = await world.find(id)
    assert.deepEqual([run.status, run.assets_created, run.attempt], ['SUCCESS', 3, 1])
  })

  test('a source that cannot be reached › the run fails after its last attempt', async () => {
    const world = await newIngestionWorld(store())
    world.source.fail('scopes', new SourceFailure('unreachable', 'The catalog is away'))
    const id = await triggered(world)
    for (const _ of world.engine.timing.retryMs) {
      await attempt(world)
      assert.equal((await world.find(id)).status, 'RUNNING')
    }
    await attempt(world)
    const run = await world.find(id)
    assert.equal(run.status, 'FAILED')
    assert.equal(run.message, 'The catalog is away. Nothing was published.')
  })

  test('a source that requests a delay › the run waits for that time', async () => {
    const world = await newIngestionWorld(store())
    const busy = new SourceFailure('rate_limited', 'Too many requests.', { retryAfterMs: 120_000 })
    world.source.fail('open', busy, { times: 1 })
    await triggered(world)
    await attempt(world)
    const { rows } = await sql<{ isLater: boolean }>`
      select not_before between now() + interval '90 seconds' and now() + interval '120 seconds' as "isLater"
      from ingestion_run where integration_id = ${world.integrationId}
    `.execute(world.engine.db)
    assert.deepEqual(rows, [{ isLater: true }])
    await cancel(world)
  })

  test('a run that waits for its source is cancelled immediately, also while it is postponed', async () => {
    const world = await newIngestionWorld(store())
    world.engine.timing = { ...world.engine.timing, retryMs: [60_000], beatMs: 60_000 }
    world.source.fail('open', 'unreachable')
    const first = await triggered(world)
    await attempt(world)
    await cancel(world)
    const cancelled = await world.find(first)
    const ends = ['CANCELLED', 'Cancelled. Nothing was published.']
    assert.deepEqual([cancelled.status, cancelled.message], ends)
    const stall = world.source.stall('open')
    const second = await triggered(world)
    const { working } = await world.start()
    await stall.reached
    await set(world, 'cancel_requested_at = now()')
    stall.release()
    await working.done
    const run = await world.find(second)
    assert.deepEqual([run.status, run.message], ends)
    assert.ok(run.completed_at !== null)
  })

  test('a crash of the reader › the run fails, and no other reading starts', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'])
    world.source.put(['other', 'public', 'things'])
    world.source.fail('read', 'crashed')
    const run = await world.run()
    assert.deepEqual(
      [run.status, run.message],
      ['FAILED', 'The source fails: crashed. Nothing was published.'],
    )
    assert.equal(world.source.openCount, 1)
  })

  test('five silent sources › reads a healthy one after them and cancels a silent one', async () => {
    const worlds = await Promise.all(Array.from({ length: 6 }, () => newIngestionWorld(store())))
    const [healthy, ...silent] = worlds
    assert.ok(healthy !== undefined)
    const connectors = new Map<string, Connector>()
    for (const [index, { source, integrationId, engine }] of worlds.entries()) {
      connectors.set(`scripted${index}`, { ...source.connector, source: `scripted${index}` })
      await sql`update integration set source = ${`scripted${index}`} where id = ${integrationId}`.execute(
        engine.db,
      )
    }
    healthy.source.put(['shop', 'sales', 'orders'])
    for (const { source } of silent) source.stall('open')
    const silentIds = await Promise.all(silent.map(triggered))
    const healthyId = await triggered(healthy)
    const workers = startWorkers({ ...healthy.engine, connectors }, 4)
    await ended(healthy, healthyId)
    assert.equal((await healthy.find(healthyId)).status, 'SUCCESS')
    for (const [index, world] of silent.entries()) {
      const id = silentIds[index] ?? ''
      assert.equal((await world.find(id)).status, 'RUNNING')
      await cancel(world)
      await ended(world, id)
      assert.equal((await world.find(id)).status, 'CANCELLED')
    }
    await workers.stop(0)
  })
})
