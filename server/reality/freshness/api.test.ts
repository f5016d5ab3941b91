import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, odcs, putOne, uniqueId, type World } from '../../../test/world.ts'
import type { AssetStatistics, ContractFreshness } from './statistics.ts'

onStore((store) => {
  let world: World
  let twin: World
  before(async () => {
    const product = newProduct(store())
    world = await newWorld(product)
    twin = await newWorld(product)
  })

  test('GET /api/assets/{id}/statistics › lists the values of days, without those of twins', async () => {
    const id = uniqueId()
    for (const one of [world, twin]) {
      await putOne(one, 'assets', { id, info: { name: 'a', source: 's', type: 'postgres_table' } })
      const { organizationId } = one
      await sql`
        insert into asset_statistic (organization_id, asset_id, row_count, changed_at, changed_means, measured_at)
        values (${organizationId}, ${id}, 7, '2026-01-03T01:02:03Z', 'data', '2026-01-03T02:00:00Z')
      `.execute(store().db)
      await sql`
        insert into asset_statistic_day (organization_id, asset_id, day, row_count)
        select ${organizationId}, ${id}, '2026-01-01'::date + n, n + ${one === world ? 5 : 50}::integer
        from generate_series(0, 2) as n
      `.execute(store().db)
    }
    const path = `/api/assets/${id}/statistics`
    const { current, days } = await readJson<AssetStatistics>(world.as('Um', 'GET', path))
    assert.deepEqual(
      [current?.rowCount, current?.changedMeans, current?.sizeBytes],
      [7, 'data', null],
    )
    assert.deepEqual(
      days.map(({ day, rowCount }) => [day, rowCount]),
      [
        ['2026-01-01', 5],
        ['2026-01-02', 6],
        ['2026-01-03', 7],
      ],
    )
    const some = await readJson<AssetStatistics>(
      world.as('Um', 'GET', `${path}?from=2026-01-02&to=2026-01-02`),
    )
    assert.deepEqual(
      some.days.map(({ day }) => day),
      ['2026-01-02'],
    )
    await expectProblem(world.as('Um', 'GET', `${path}?from=2026-02-30`), 400)
    await expectProblem(world.as('Um', 'GET', '/api/assets/unknown/statistics'), 404)
  })

  test('GET /api/assets/{id}/statistics › has no values of an asset that was not measured', async () => {
    const id = uniqueId()
    await putOne(world, 'assets', { id, info: { name: 'a', source: 's', type: 'postgres_table' } })
    const answer = await readJson(world.as('Um', 'GET', `/api/assets/${id}/statistics`))
    assert.deepEqual(answer, { current: null, days: [] })
  })

  test('GET /api/datacontracts/{id}/freshness › explains each promised model', async () => {
    const id = uniqueId()
    const document = odcs(id, {
      servers: [
        { server: 'prod', type: 'postgres', host: 'db.example', database: 'shop', schema: 'sales' },
      ],
      schema: [{ name: 'orders', properties: [{ name: 'at', logicalType: 'date' }] }],
      slaProperties: [{ property: 'freshness', value: 24, unit: 'h' }],
    })
    await putOne(world, 'datacontracts', document)
    const path = `/api/datacontracts/${id}/freshness`
    const [one] = await readJson<ContractFreshness>(world.as('Um', 'GET', path))
    assert.deepEqual(one, {
      server: 'prod',
      model: 'orders',
      isProduction: true,
      assetId: null,
      state: 'unknown',
      reason: 'not_linked',
      promised: {
        property: 'freshness',
        text: '24 h',
        pointer: '/slaProperties/0',
        unreadable: null,
      },
      evidence: null,
      evidenceAt: null,
      lateAt: null,
    })
    await putOne(world, 'datacontracts', odcs(id))
    assert.deepEqual(await readJson(world.as('Um', 'GET', path)), [])
    await expectProblem(twin.as('Um', 'GET', path), 404)
  })
})
