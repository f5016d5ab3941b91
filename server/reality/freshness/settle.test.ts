import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import {
  DAILY,
  linkPromise,
  putTable,
  readJudgements,
  runOnce,
} from '../../../test/fresh-promises.ts'
import { newIngestionWorld, type IngestionWorld } from '../../../test/ingestion.ts'
import type { ScriptedTable } from '../../../test/scripted-connector.ts'
import { onStore } from '../../../test/stores.ts'
import { uniqueId } from '../../../test/world.ts'
import type { Database } from '../../platform/tables.ts'

const HOUR = 3_600_000
const FIRST_YEAR = '1970-01-01T00:00:00Z'

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR).toISOString()

const lateAt = (at: string): string => new Date(Date.parse(at) + 24 * HOUR).toISOString()

onStore((store) => {
  let db: Database
  let world: IngestionWorld

  const link = async (
    statistic: ScriptedTable['statistic'],
    more: Parameters<typeof linkPromise>[3] = {},
  ): Promise<string> => (await linkPromise(db, world, statistic, more)).name
  const read = async (name: string): Promise<unknown[]> => readJudgements(db, world, name)

  before(async () => {
    db = store().db
    world = await newIngestionWorld(store())
  })

  test('settleFreshness › judges the tables of a run by what the source reports', async () => {
    const [hourAgo, daysAgo] = [hoursAgo(1), hoursAgo(48)]
    const rows: [ScriptedTable['statistic'], unknown[], Partial<ScriptedTable>?][] = [
      [{ changedAt: hourAgo, changedMeans: 'data' }, [['data', lateAt(hourAgo), false]]],
      [{ changedAt: daysAgo, changedMeans: 'data' }, [['data', lateAt(daysAgo), true]]],
      [{ changedAt: daysAgo, changedMeans: 'any' }, [['any', lateAt(daysAgo), true]]],
      [{ changedAt: hourAgo, changedMeans: 'definition' }, ['no_evidence']],
      [{ changedAt: FIRST_YEAR, changedMeans: 'data' }, [['data', lateAt(FIRST_YEAR), true]]],
      [{ changedAt: '9999-12-31T23:59:59Z', changedMeans: 'data' }, ['no_evidence']],
      [{ rowCount: 5 }, ['no_evidence']],
      [undefined, ['no_evidence']],
      [{ changedAt: hourAgo, changedMeans: 'data' }, ['view'], { kind: 'view' }],
    ]
    const names: string[] = []
    for (const [statistic, , more] of rows)
      names.push(await link(statistic, more && { table: more }))
    await runOnce(world)
    for (const [at, [, expected]] of rows.entries()) {
      assert.deepEqual(await read(names[at] ?? ''), expected, String(at))
    }
    const unreadable = await link(
      { changedAt: hourAgo, changedMeans: 'data' },
      { promise: { ...DAILY, unreadable: 'No.' } },
    )
    const none = await link({ changedAt: hourAgo, changedMeans: 'data' }, { promise: null })
    await runOnce(world)
    assert.deepEqual(await read(unreadable), ['unreadable'])
    assert.deepEqual(await read(none), [])
  })

  test('settleFreshness › confirms that a table is late only by a reading after it was due', async () => {
    const changedAt = hoursAgo(24)
    const name = await link({ changedAt, changedMeans: 'data' })
    await runOnce(world)
    await sql`update ingestion_run set started_at = started_at - interval '2 days'
      where organization_id = ${world.organizationId}`.execute(db)
    await sql`update promise_freshness set is_confirmed = false where contract_id = ${name}`.execute(
      db,
    )
    world.source.deny('shop', 'sales')
    await world.run({ forced: true })
    assert.deepEqual((await read(name))[0], [
      'data',
      new Date(Date.parse(changedAt) + 24 * HOUR).toISOString(),
      false,
    ])
    world.source.deny('shop', 'sales', false)
    await runOnce(world)
    assert.deepEqual((await read(name))[0], [
      'data',
      new Date(Date.parse(changedAt) + 24 * HOUR).toISOString(),
      true,
    ])
  })

  test('settleFreshness › takes a higher count, a reset or another object as a change, and nothing else', async () => {
    const name = await link({ changeCount: 5 }, { table: { sourceId: '1' } })
    const next = async (changeCount: number | undefined, sourceId = '1'): Promise<unknown> => {
      putTable(world, name, changeCount === undefined ? {} : { changeCount }, { sourceId })
      await runOnce(world)
      const [state] = await read(name)
      return Array.isArray(state) ? state[0] : state
    }
    assert.equal(await next(5), 'no_evidence')
    assert.equal(await next(6), 'counter')
    const since = await countChangedAt(name)
    assert.equal(await next(6), 'counter')
    assert.deepEqual(await countChangedAt(name), since)
    // The server began again: it counted since, or it counted nothing.
    assert.equal(await next(2), 'counter')
    assert.notDeepEqual(await countChangedAt(name), since)
    assert.equal(await next(0), 'no_evidence')
    assert.equal(await next(1), 'counter')
    // A standby counts nothing.
    assert.equal(await next(undefined), 'no_evidence')
    assert.equal(await next(9), 'no_evidence')
    // Another table under the same name.
    assert.equal(await next(9, '2'), 'counter')
    assert.equal(await next(0, '3'), 'no_evidence')
  })

  async function countChangedAt(name: string): Promise<unknown> {
    const { rows } = await sql`
      select count_changed_at, count_changed_after
      from asset_statistic
      join asset on asset.organization_id = asset_statistic.organization_id
        and asset.external_id = asset_statistic.asset_id
      where asset.organization_id = ${world.organizationId} and asset.name = ${name}
    `.execute(db)
    return rows[0]
  }

  test('writeStatistics › keeps the values of each day for linked assets, and makes no version', async () => {
    const linked = await link({ rowCount: 5, sizeBytes: 100 })
    const other = `table_${uniqueId().replaceAll('-', '_')}`
    putTable(world, other, { rowCount: 5 })
    await runOnce(world)
    const versions = (await world.assets()).get(`shop.sales.${linked}`)?.version
    assert.deepEqual(await history(linked), [])
    for (const rowCount of [6, 7, 7]) {
      putTable(world, linked, { rowCount, sizeBytes: 100 })
      putTable(world, other, { rowCount })
      await runOnce(world)
    }
    assert.deepEqual(await history(linked), [{ row_count: 7, size_bytes: 100, changed_at: null }])
    assert.deepEqual(await history(other), [])
    assert.equal((await world.assets()).get(`shop.sales.${linked}`)?.version, versions)
  })

  async function history(name: string): Promise<unknown> {
    const { rows } = await sql`
      select day.row_count, day.size_bytes, day.changed_at
      from asset_statistic_day as day
      join asset on asset.organization_id = day.organization_id and asset.external_id = day.asset_id
      where asset.organization_id = ${world.organizationId} and asset.name = ${name}
    `.execute(db)
    return rows
  }
})
