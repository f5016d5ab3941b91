/** Connectors store their state after every event, and get it back as it was. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, expectViolations, readJson, readText } from '../../../test/answers.ts'
import { eventually } from '../../../test/eventually.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'
import { openDatabase } from '../../platform/kit/database.ts'
import type { Tables } from '../../platform/tables.ts'
import { recordStatements } from '../../../test/recorded-statements.ts'
import { writePlainRecord } from './store.ts'

const STATISTICS_MS_MAX = 30_000

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  test('a connector › GET 404, PUT its info, then GET, set the state and PUT the whole', async () => {
    const path = `/api/connectors/${uniqueId()}`
    await expectProblem(world.as('O', 'GET', path), 404)
    const id = path.slice('/api/connectors/'.length)
    const registered = { id, info: { type: 'snowflake' } }
    const answer = await expectOk(world.as('O', 'PUT', path, { body: registered }))
    assert.equal(answer.headers.get('location-html'), `http://portbook.test/connectors/${id}`)
    const current = await readJson<object>(world.as('O', 'GET', path))
    const state = { lastEventId: '0191f5d0-0000-7000-8000-000000000001', startedAt: 1764123456789 }
    const body = {
      ...current,
      health: { status: 'ok', errorMessage: null },
      state,
      custom: { x: [1, '1', null] },
    }
    assert.deepEqual(await readJson(world.as('O', 'PUT', path, { body })), body)
    assert.deepEqual(await readJson(world.as('Or', 'GET', path)), body)
    const all = await readJson<{ id: string }[]>(world.as('Or', 'GET', '/api/connectors'))
    assert.ok(all.some((one) => one.id === id))
  })

  const put = (body: object): Promise<Response> =>
    world.as('O', 'PUT', `/api/connectors/${uniqueId()}`, { body })

  test('PUT /api/connectors/{id} › 422 for members of a wrong type', async () => {
    await expectViolations(put({ info: 'snowflake' }), 422, ['info'])
    await expectViolations(put({ info: { type: 7 } }), 422, ['info.type'])
    await expectViolations(put({ state: 'x', health: { status: 1 } }), 422, [
      'health.status',
      'state',
    ])
  })

  test('PUT /api/connectors/{id} › the connector belongs to the team of the key that created it', async () => {
    const path = `/api/connectors/${uniqueId()}`
    const created = await world.as('T', 'PUT', path, { body: { info: { type: 'kafka' } } })
    assert.equal(created.headers.get('portbook-owner'), 'a')
    for (const caller of ['T', 'Ue', 'O', 'Uo'] as const) {
      await expectOk(world.as(caller, 'PUT', path, { body: { custom: { caller } } }))
    }
    await expectProblem(world.as('Um', 'PUT', path, { body: {} }), 403)
    await expectOk(world.as('T', 'DELETE', path))
  })

  test('PUT /api/connectors/{id} › 403 for a team key if an organization key created the connector', async () => {
    const path = `/api/connectors/${uniqueId()}`
    const created = await expectOk(world.as('O', 'PUT', path, { body: {} }))
    assert.equal(created.headers.get('portbook-owner'), null)
    await expectProblem(world.as('T', 'PUT', path, { body: {} }), 403, /key of a team/)
    await expectProblem(world.as('T', 'DELETE', path), 403)
  })

  test('DELETE /api/teams/{id} › deletes the connectors of the team', async () => {
    const other = await newWorld(world)
    await expectOk(other.as('T', 'PUT', '/api/connectors/c', { body: {} }))
    await expectOk(other.as('O', 'DELETE', '/api/teams/a'))
    assert.equal(await readText(other.as('O', 'GET', '/api/connectors')), '[]')
  })

  test('PUT /api/connectors/{id} › updates are HOT: they write no index', async () => {
    const { services, ...writer } = await newWorld(world)
    const putState = async (connector: string, event: number): Promise<void> => {
      const state = { lastEventId: uniqueId(), at: 1_764_000_000_000 + event }
      const body = { id: connector, info: { type: 'kafka' }, state, custom: { x: 'x'.repeat(600) } }
      await expectOk(writer.as('O', 'PUT', `/api/connectors/${connector}`, { body }))
    }
    await putState('one', 0)
    await putState('two', 0)
    const before = await readStatistics(services.db)
    const count = 300
    for (let event = 1; event <= count; event += 1) {
      await putState('one', event)
      await putState('two', event)
    }
    let after = before
    await eventually(
      STATISTICS_MS_MAX,
      async () => {
        after = await readStatistics(services.db)
        return after.updates >= before.updates + 2 * count
      },
      'the statistics have all updates',
    )
    const updates = after.updates - before.updates
    const hotUpdates = after.hotUpdates - before.hotUpdates
    // Only a full page needs another one: snapshots of other tests keep its dead rows alive.
    const movedUpdates = after.movedUpdates - before.movedUpdates
    assert.equal(updates, 2 * count)
    assert.ok(hotUpdates > 0)
    assert.equal(hotUpdates + movedUpdates, updates, `${hotUpdates} of ${updates} updates are HOT`)
  })

  test('writePlainRecord › counts the records for a new one only', async () => {
    const { clock } = world.services
    const limits = { connectionsMax: 1, connectTimeoutMs: 30_000, queryTimeoutMs: 30_000 }
    const { db, pool, close } = openDatabase<Tables>(store().connection, limits, () => undefined)
    const recording = recordStatements(pool)
    const { organizationId } = world
    const key = { organizationId, kind: 'connector', scope: '', id: uniqueId() }
    const owner = { teamId: null, team: null, principal: 'system', requestId: '' }
    const write = (digest: string, before?: string) => {
      const row = { document: '{}', digest, productId: null, filterValues: {} }
      const change = { ...owner, row, secret: undefined, before, countMax: 1000 }
      return writePlainRecord(db, clock, key, change)
    }
    const explain = async (run: () => Promise<string>): Promise<string> => {
      const [{ text, values } = { text: '', values: [] }] = await recording.record(run)
      await pool.query('begin')
      const { rows } = await pool.query({ text: `explain analyze ${text}`, values: [...values] })
      await pool.query('rollback')
      return rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n')
    }
    const [first, second] = [await explain(() => write('1')), await explain(() => write('2', '1'))]
    assert.doesNotMatch(first, /Aggregate.*never executed/)
    assert.match(second, /Aggregate.*never executed/)
    assert.equal(await write('3', '1'), 'outdated')
    assert.equal(await write('3', '2'), 'written')
    await close()
  })
})

interface Statistics {
  updates: number
  hotUpdates: number
  /** Updates whose new row is on another page. */
  movedUpdates: number
}

async function readStatistics(db: World['services']['db']): Promise<Statistics> {
  // Each connection publishes its statistics at the end of a transaction, and not more often than once a second.
  await sql`select pg_stat_force_next_flush(), pg_stat_clear_snapshot()`.execute(db)
  const { rows } = await sql<Statistics>`
    select n_tup_upd::int as updates, n_tup_hot_upd::int as "hotUpdates",
      n_tup_newpage_upd::int as "movedUpdates"
    from pg_stat_user_tables
    where relname = 'plain_record'
  `.execute(db)
  const [row] = rows
  assert.ok(row)
  return row
}
