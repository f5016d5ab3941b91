import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { newIngestionWorld, type IngestionWorld } from '../../../test/ingestion.ts'
import type { ScriptedTable } from '../../../test/scripted-connector.ts'
import { onStore } from '../../../test/stores.ts'
import { uniqueId } from '../../../test/world.ts'
import type { Database } from '../../platform/tables.ts'

const HOUR = 3_600_000
const DAILY = { property: 'freshness', text: '24 h', origin: '', seconds: 86_400 }

interface StoredRow {
  evidence: string | null
  late_at: string | null
  is_confirmed: boolean
  unknown_because: string | null
}

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR).toISOString()

const lateAt = (at: string): string => new Date(Date.parse(at) + 24 * HOUR).toISOString()

onStore((store) => {
  let db: Database
  let world: IngestionWorld

  before(async () => {
    db = store().db
    world = await newIngestionWorld(store())
  })

  /** Puts a table into the source of the world, reads it, and links a promise with it. Returns the name of the table. */
  async function link(
    statistic: ScriptedTable['statistic'],
    more: Partial<ScriptedTable> = {},
    promise: object | null = DAILY,
  ): Promise<string> {
    const name = `table_${uniqueId().replaceAll('-', '_')}`
    put(name, statistic, more)
    await run()
    const { organizationId } = world
    const { rows } = await sql<{ id: string }>`
      select external_id as id from asset
      where organization_id = ${organizationId} and path = ${JSON.stringify(['shop', 'sales', name])}
    `.execute(db)
    await sql`
      insert into data_contract (
        organization_id, external_id, document, media_type, format, version, digest, name, created_at, updated_at,
        updated_by, tags
      )
      select ${organizationId}, ${name}, '{}', 'application/json', 'odcs', 1, 'digest', ${name}, now(), now(), 'test', '{}'
    `.execute(db)
    await sql`
      insert into contract_promise (
        organization_id, contract_id, server, model, platform, is_production, path, promise, digest,
        contract_version, freshness
      )
      values (${organizationId}, ${name}, 'prod', 'orders', 'postgres', true, ${JSON.stringify(['shop', 'sales', name])},
        '{}', 'digest', 1, ${promise === null ? null : JSON.stringify(promise)}::jsonb)
    `.execute(db)
    await sql`
      insert into asset_link_choice (organization_id, contract_id, server, model, asset_id, reason, chosen_by)
      values (${organizationId}, ${name}, 'prod', 'orders', ${rows[0]?.id ?? null}, 'test', 'test')
    `.execute(db)
    await sql`
      insert into asset_link (organization_id, contract_id, server, model, state, asset_id, origin, linked_at)
      values (${organizationId}, ${name}, 'prod', 'orders', 'linked', ${rows[0]?.id ?? null}, 'location', now())
      on conflict (organization_id, contract_id, server, model) do update
      set state = excluded.state, asset_id = excluded.asset_id
    `.execute(db)
    return name
  }

  function put(
    name: string,
    statistic: ScriptedTable['statistic'],
    more: Partial<ScriptedTable> = {},
  ): void {
    world.source.put(['shop', 'sales', name], { ...(statistic && { statistic }), ...more })
  }

  async function run(): Promise<void> {
    assert.equal((await world.run()).status, 'SUCCESS')
  }

  async function read(name: string): Promise<unknown[]> {
    const { rows } = await sql<StoredRow>`
      select evidence, evidence_at, late_at, is_confirmed, unknown_because
      from promise_freshness
      where organization_id = ${world.organizationId} and contract_id = ${name}
    `.execute(db)
    return rows.map(({ evidence, late_at, is_confirmed, unknown_because }) =>
      unknown_because === null
        ? [evidence, late_at === null ? null : new Date(late_at).toISOString(), is_confirmed]
        : unknown_because,
    )
  }

  test('settleFreshness › judges the tables of a run by what the source reports', async () => {
    const [hourAgo, daysAgo] = [hoursAgo(1), hoursAgo(48)]
    const rows: [ScriptedTable['statistic'], unknown[], Partial<ScriptedTable>?][] = [
      [{ changedAt: hourAgo, changedMeans: 'data' }, [['data', lateAt(hourAgo), false]]],
      [{ changedAt: daysAgo, changedMeans: 'data' }, [['data', lateAt(daysAgo), true]]],
      [{ changedAt: daysAgo, changedMeans: 'any' }, [['any', lateAt(daysAgo), true]]],
      [{ changedAt: hourAgo, changedMeans: 'definition' }, ['no_evidence']],
      [{ rowCount: 5 }, ['no_evidence']],
      [undefined, ['no_evidence']],
      [{ changedAt: hourAgo, changedMeans: 'data' }, ['view'], { kind: 'view' }],
    ]
    const names: string[] = []
    for (const [statistic, , more] of rows) names.push(await link(statistic, more))
    await run()
    for (const [at, [, expected]] of rows.entries()) {
      assert.deepEqual(await read(names[at] ?? ''), expected, String(at))
    }
    const unreadable = await link(
      { changedAt: hourAgo, changedMeans: 'data' },
      {},
      { ...DAILY, unreadable: 'No.' },
    )
    const none = await link({ changedAt: hourAgo, changedMeans: 'data' }, {}, null)
    await run()
    assert.deepEqual(await read(unreadable), ['unreadable'])
    assert.deepEqual(await read(none), [])
  })

  test('settleFreshness › confirms that a table is late only by a reading after it was due', async () => {
    const changedAt = hoursAgo(24)
    const name = await link({ changedAt, changedMeans: 'data' })
    await run()
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
    await run()
    assert.deepEqual((await read(name))[0], [
      'data',
      new Date(Date.parse(changedAt) + 24 * HOUR).toISOString(),
      true,
    ])
  })

  test('settleFreshness › takes a higher count, a reset or another object as a change, and nothing else', async () => {
    const name = await link({ changeCount: 5 }, { sourceId: '1' })
    const next = async (changeCount: number | undefined, sourceId = '1'): Promise<unknown> => {
      put(name, changeCount === undefined ? {} : { changeCount }, { sourceId })
      await run()
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
    put(other, { rowCount: 5 })
    await run()
    const versions = (await world.assets()).get(`shop.sales.${linked}`)?.version
    assert.deepEqual(await history(linked), [])
    for (const rowCount of [6, 7, 7]) {
      put(linked, { rowCount, sizeBytes: 100 })
      put(other, { rowCount })
      await run()
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
