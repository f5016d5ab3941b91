import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, uniqueId, type World } from '../../../test/world.ts'

const HOUR = 3_600_000

const state = (at: string): unknown[] => [
  ['orders', '24h', `check ${new Date(Date.parse(at) + 24 * HOUR).toISOString()}`],
]

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  async function put(id: string, value: string | null): Promise<void> {
    const more = {
      servers: [
        {
          server: 'prod',
          type: 'postgres',
          host: 'db.example',
          database: 'shop',
          schema: 'sales',
          environment: 'prod',
        },
      ],
      schema: [
        {
          name: 'orders',
          physicalName: 'raw_orders',
          properties: [{ name: 'at', logicalType: 'date' }],
        },
        { name: 'wagons', properties: [{ name: 'at', logicalType: 'date' }] },
      ],
      ...(value === null
        ? {}
        : { slaProperties: [{ property: 'freshness', value, element: 'orders.at' }] }),
    }
    await expectOk(world.as('O', 'PUT', `/api/datacontracts/${id}`, { body: odcs(id, more) }))
  }

  async function sendTest(id: string, latest: string, more: object = {}): Promise<void> {
    const check = {
      type: 'servicelevel_freshness',
      result: 'passed',
      model: 'raw_orders',
      diagnostics: { latest_timestamp: latest },
    }
    const body = { dataContractId: id, server: 'prod', result: 'passed', checks: [check], ...more }
    await expectOk(world.as('O', 'POST', '/api/test-results', { body }))
  }

  async function read(id: string): Promise<unknown[]> {
    const { rows } = await sql<{
      model: string
      text: string
      evidence: string
      because: string
      late_at: string
    }>`
      select model, promised ->> 'text' as text, evidence, unknown_because as because, late_at
      from promise_freshness
      where organization_id = ${world.organizationId} and contract_id = ${id}
    `.execute(store().db)
    return rows.map(({ model, text, evidence, because, late_at }) => [
      model,
      text,
      because ?? `${evidence} ${new Date(late_at).toISOString()}`,
    ])
  }

  test('PUT /api/datacontracts/{id} › judges the models that its service levels promise', async () => {
    const id = uniqueId()
    await put(id, '24h')
    assert.deepEqual(await read(id), [['orders', '24h', 'not_linked']])
    await put(id, '48h')
    assert.deepEqual(await read(id), [['orders', '48h', 'not_linked']])
    await put(id, 'soon')
    assert.deepEqual(await read(id), [['orders', 'soon', 'unreadable']])
    await put(id, null)
    assert.deepEqual(await read(id), [])
  })

  test('POST /api/test-results › judges by the newest timestamp in the data', async () => {
    const id = uniqueId()
    await put(id, '24h')
    const [newer, older] = [1, 5].map((hours) => new Date(Date.now() - hours * HOUR).toISOString())
    assert.ok(newer !== undefined && older !== undefined)
    await sendTest(id, older)
    assert.deepEqual(await read(id), state(older))
    await sendTest(id, newer, { id: `${id}-result` })
    assert.deepEqual(await read(id), state(newer))
    // Neither branches nor dry runs test the data, and late results are older.
    await sendTest(id, older, { branch: 'b' })
    await sendTest(id, older, { dryRun: true })
    await sendTest(id, older, { timestampEnd: '2026-01-01T00:00:00Z' })
    assert.deepEqual(await read(id), state(newer))
    await expectOk(world.as('O', 'DELETE', `/api/test-results/${id}-result`))
    assert.deepEqual(await read(id), [['orders', '24h', 'not_linked']])
    // A replaced result counts as it is now.
    await sendTest(id, newer, { id: `${id}-again` })
    assert.deepEqual(await read(id), state(newer))
    await sendTest(id, newer, { id: `${id}-again`, checks: [] })
    assert.deepEqual(await read(id), [['orders', '24h', 'not_linked']])
  })
})
