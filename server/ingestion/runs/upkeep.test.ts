import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { newIngestionWorld, type IngestionWorld } from '../../../test/ingestion.ts'
import { onStore } from '../../../test/stores.ts'
import { claimRun } from './claim-store.ts'
import { cancelRun, listLogLines, listRuns } from './run-store.ts'
import type { RunRow } from '../integrations/run.ts'
import { startDue, type RunUpkeepServices } from './upkeep-service.ts'

/** Makes the schedule due for the given interval. */
async function makeDue(
  world: IngestionWorld,
  ago: string,
  expression = '0 6 * * *',
): Promise<void> {
  await sql`
    update integration
    set enabled = true, schedule_expression = ${expression},
      next_due_at = now() - ${ago}::interval
    where id = ${world.integrationId}
  `.execute(world.engine.db)
}

async function nextDueInMs({ engine, integrationId }: IngestionWorld): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from next_due_at - now()) * 1000)::float8 as ms
    from integration
    where id = ${integrationId}
  `.execute(engine.db)
  return rows[0]?.ms ?? Number.NaN
}

async function listRunsOfIntegration({
  engine,
  organizationId,
  integrationId,
}: IngestionWorld): Promise<RunRow[]> {
  return await listRuns(engine.db, { organizationId, integrationId, limit: 200 })
}

const DAY_MS = 24 * 60 * 60_000

function services({ engine }: IngestionWorld): RunUpkeepServices {
  return { ...engine, bulkDb: engine.db }
}

onStore((store) => {
  test('a due schedule starts a run and advances from now, however long it was due', async () => {
    const world = await newIngestionWorld(store())
    await makeDue(world, '3 days')
    await startDue(services(world))
    const [run, ...more] = await listRunsOfIntegration(world)
    assert.equal(run?.status, 'RUNNING')
    assert.deepEqual(more, [])
    const inMs = await nextDueInMs(world)
    assert.ok(inMs > 0 && inMs <= DAY_MS + 60_000, String(inMs))
    assert.equal((await startDue(services(world))).length, 0)
    const { working } = await world.start()
    await working.done
  })

  test('a schedule that is not due, disabled or paused starts nothing', async () => {
    const world = await newIngestionWorld(store())
    for (const assignment of [
      `next_due_at = now() + interval '1 minute'`,
      `next_due_at = now() - interval '1 minute', enabled = false`,
      `next_due_at = now() - interval '1 minute', enabled = true, paused_because = 'refused'`,
    ]) {
      await makeDue(world, '0')
      await sql`
        update integration set ${sql.raw(assignment)} where id = ${world.integrationId}
      `.execute(world.engine.db)
      await startDue(services(world))
      assert.deepEqual(await listRunsOfIntegration(world), [], assignment)
    }
  })

  test('concurrent processes start one run', async () => {
    const world = await newIngestionWorld(store())
    await makeDue(world, '1 minute')
    const started = await Promise.all(Array.from({ length: 8 }, () => startDue(services(world))))
    assert.equal(started.flat().filter(({ runId }) => runId !== null).length, 1)
    assert.equal((await listRunsOfIntegration(world)).length, 1)
    await cancelRun(world.engine.db, world.engine.clock, world.organizationId, world.integrationId)
  })

  test('skips a due schedule while a run is in progress, and records it in that run’s log', async () => {
    const world = await newIngestionWorld(store())
    const id = (await world.trigger()) ?? ''
    const claim = await claimRun(world.engine.db, world.engine.clock)
    assert.equal(claim?.runId, id)
    await makeDue(world, '1 minute')
    const [due] = await startDue(services(world))
    assert.equal(due?.runId, null)
    assert.equal((await listRunsOfIntegration(world)).length, 1)
    assert.ok((await nextDueInMs(world)) > 0)
    const lines = await listLogLines(world.engine.db, world.organizationId, id)
    assert.match(lines[0]?.text ?? '', /no other run was started/)
    await cancelRun(world.engine.db, world.engine.clock, world.organizationId, world.integrationId)
  })

  test('twenty schedules that are due at once start twenty runs', async () => {
    const worlds: IngestionWorld[] = []
    for (let at = 0; at < 20; at += 1) worlds.push(await newIngestionWorld(store()))
    for (const world of worlds) await makeDue(world, '1 second')
    const [first] = worlds
    assert.ok(first)
    assert.equal((await startDue(services(first))).length, 20)
    for (const world of worlds) {
      assert.equal((await listRunsOfIntegration(world)).length, 1)
      await cancelRun(
        first.engine.db,
        first.engine.clock,
        world.organizationId,
        world.integrationId,
      )
    }
  })
})
