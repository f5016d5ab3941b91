import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { linkPromise, putTable, readJudgements, runOnce } from '../../../test/fresh-promises.ts'
import { newIngestionWorld, type IngestionWorld } from '../../../test/ingestion.ts'
import { onStore } from '../../../test/stores.ts'
import { fixedClock, storeClock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { insertEvents } from '../../reports/lineage-events/store.ts'
import { settleReality } from '../settle-service.ts'
import { deleteExpiredStatistics, judgeDueFreshness } from './upkeep-service.ts'

const HOUR = 3_600_000
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR).toISOString()

onStore((store) => {
  let db: Database
  let world: IngestionWorld
  before(async () => {
    db = store().db
    world = await newIngestionWorld(store())
  })

  async function report(assetId: string, eventAt: string, eventType = 'COMPLETE'): Promise<void> {
    const columns = {
      organizationId: world.organizationId,
      id: crypto.randomUUID(),
      kind: 'run',
      eventType,
      eventAt,
      runId: 'r',
      jobNamespace: 'n',
      jobName: 'j',
      productId: null,
      outputPort: null,
      inputAssets: [],
      outputAssets: [assetId, 'unknown'],
      principal: 'test',
    }
    await insertEvents(db, storeClock, [{ columns, document: '{}' }])
  }

  async function listIncidents(name: string): Promise<unknown[]> {
    const { rows } = await sql<{
      server: string
      facts: { count: number }
      because: string | null
    }>`
      select server, facts, resolved_because as because
      from incident
      where organization_id = ${world.organizationId} and contract_id = ${name} and kind = 'late'
    `.execute(db)
    return rows.map(({ server, facts, because }) => [server, facts.count, because])
  }

  test('judgeDueFreshness › takes the newest completed run of a pipeline, and no other event', async () => {
    const { name, assetId } = await linkPromise(db, world, {})
    const at = hoursAgo(2)
    await report(assetId, hoursAgo(1), 'FAIL')
    await report(assetId, at)
    await report(assetId, hoursAgo(5))
    await judgeDueFreshness({ db, clock: storeClock, settleReality })
    const lateAt = new Date(Date.parse(at) + 24 * HOUR).toISOString()
    assert.deepEqual(await readJudgements(db, world, name), [['lineage', lateAt, false]])
    const { rows } = await sql`select asset_id from asset_write where not is_settled`.execute(db)
    assert.deepEqual(rows, [])
  })

  test('judgeDueFreshness › opens an incident when data become late, and resolves it when data arrive', async () => {
    const { name, assetId } = await linkPromise(db, world, {})
    await report(assetId, hoursAgo(2))
    await judgeDueFreshness({ db, clock: storeClock, settleReality })
    assert.deepEqual(await listIncidents(name), [])
    const later = fixedClock(new Date(Date.now() + 23 * HOUR).toISOString())
    // Two processes at once, and again.
    const judge = async (): Promise<number> =>
      await judgeDueFreshness({ db, clock: later, settleReality })
    await Promise.all([judge(), judge()])
    assert.deepEqual(await listIncidents(name), [['prod', 1, null]])
    await judge()
    assert.deepEqual(await listIncidents(name), [['prod', 1, null]])
    await report(assetId, hoursAgo(0))
    await judgeDueFreshness({ db, clock: later, settleReality })
    assert.deepEqual(await listIncidents(name), [['prod', 1, 'New data arrived.']])
  })

  test('settleFreshness › opens an incident with the run that finds late data', async () => {
    const { name } = await linkPromise(db, world, { changedAt: hoursAgo(48), changedMeans: 'data' })
    assert.deepEqual(await listIncidents(name), [])
    await runOnce(world)
    assert.deepEqual(await listIncidents(name), [['prod', 1, null]])
    putTable(world, name, { changedAt: hoursAgo(1), changedMeans: 'data' })
    await runOnce(world)
    assert.deepEqual(await listIncidents(name), [['prod', 1, 'New data arrived.']])
  })

  test('judgeDueFreshness › opens no incident while the source was not read', async () => {
    const { name } = await linkPromise(db, world, { changedAt: hoursAgo(20), changedMeans: 'data' })
    await runOnce(world)
    const later = fixedClock(new Date(Date.now() + 10 * HOUR).toISOString())
    await judgeDueFreshness({ db, clock: later, settleReality })
    assert.deepEqual(await listIncidents(name), [])
    // It is not judged again and again.
    const { rows } = await sql`
      select model from promise_freshness
      where contract_id = ${name} and judged_at < late_at and late_at <= ${later.now}
    `.execute(db)
    assert.deepEqual(rows, [])
  })

  test('deleteExpiredStatistics › keeps 92 days, then the last of each week for two years', async () => {
    const { assetId } = await linkPromise(db, world, {})
    await sql`
      insert into asset_statistic_day (organization_id, asset_id, day, row_count)
      select ${world.organizationId}, ${assetId}, '2026-06-10'::date - age, age
      from generate_series(0, 1000) as age
    `.execute(db)
    await deleteExpiredStatistics(db, fixedClock('2026-06-10T12:00:00Z'))
    const { rows } = await sql<{ day: string; age: number }>`
      select day, row_count as age from asset_statistic_day where asset_id = ${assetId} order by day desc
    `.execute(db)
    const recent = rows.filter(({ age }) => age <= 92)
    assert.equal(recent.length, 93)
    const older = rows.filter(({ age }) => age > 92)
    assert.ok(rows.length <= 93 + 93, String(rows.length))
    for (const { day, age } of older.slice(1)) {
      assert.ok(age <= 730)
      assert.equal(new Date(day).getUTCDay(), 0, day)
    }
  })
})
