import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { readJson } from '../../../test/answers.ts'
import { addFinding, addPromise, writeTable, type TableColumn } from '../../../test/drift.ts'
import { listEventsOfSubject } from '../../../test/feed.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, odcs, putOne, uniqueId } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import { storeClock } from '../../platform/kit/clock.ts'
import type { RealitySubject } from '../../platform/reality-change.ts'
import type { ContractDrift, DriftFinding } from './drift.ts'
import { settleDrift } from './settle-service.ts'
import { compareWaiting, deleteOldDrift } from './upkeep-service.ts'

const ID: TableColumn = { name: 'id', type: 'integer', required: true }
const NOTE: TableColumn = { name: 'note', type: 'text' }
const FIELDS = [
  { name: 'id', type: 'integer', required: true as const },
  { name: 'note', type: 'text' },
]

onStore((store) => {
  let world: World
  let twin: World
  before(async () => {
    const product = newProduct(store())
    world = await newWorld(product)
    twin = await newWorld(product)
  })

  /** Registers a contract whose model is linked with a table; the organization beside it has the same. */
  const addLinked = async (columns: readonly TableColumn[] = [ID, NOTE]): Promise<string> => {
    const id = uniqueId()
    for (const one of [world, twin]) {
      await putOne(one, 'datacontracts', odcs(id))
      await writeTable(one, id, one === twin ? [] : columns)
      await addPromise(one, id, { assetId: id, fields: FIELDS })
    }
    return id
  }
  const settle = async (id: string, subject?: RealitySubject): Promise<void> => {
    const { organizationId, services } = world
    await services.db.transaction().execute(async (db) => {
      const change = {
        organizationId,
        principal: 'system',
        requestId: 'request',
        ...(subject ?? { kind: 'assets' as const, ids: [id] }),
      }
      await settleDrift(db, services.clock, change, [toAffected(id)])
    })
  }
  const read = async (id: string): Promise<ContractDrift> =>
    await readJson(world.as('Or', 'GET', `/api/datacontracts/${id}/drift`))
  const list = async (id: string, status = 'open'): Promise<DriftFinding[]> =>
    await readJson(world.as('Or', 'GET', `/api/drift?dataContractId=${id}&status=${status}`))
  const listDriftEvents = async (id: string): Promise<string[]> =>
    (await listEventsOfSubject(world, id))
      .map(({ type }) => type.replace('com.datamesh-manager.events.', ''))
      .filter((type) => type.includes('Drift'))
  const setLink = async (id: string, state: string, assetId: string | null): Promise<void> => {
    await sql`
      update asset_link
      set state = ${state}, asset_id = ${assetId}
      where organization_id = ${world.organizationId}
        and contract_id = ${id}
    `.execute(world.services.db)
  }

  test('a difference opens once, keeps its id, and is resolved with its cause; nothing else is touched', async () => {
    const id = await addLinked()
    await settle(id)
    assert.equal((await read(id)).state, 'none')
    await writeTable(world, id, [ID])
    await settle(id)
    const [opened, ...more] = await list(id)
    assert.deepEqual(more, [])
    assert.deepEqual(
      [opened?.field, opened?.aspect, opened?.level, opened?.firstRunId],
      ['note', 'column.missing', 'breaking', null],
    )
    await settle(id)
    assert.deepEqual(await list(id), [opened])
    await writeTable(world, id, [ID, NOTE])
    await settle(id)
    assert.deepEqual(await list(id), [])
    assert.deepEqual(
      (await list(id, 'resolved')).map((one) => [one.id, one.resolvedBecause]),
      [[opened?.id, 'asset']],
    )
    assert.deepEqual(await listDriftEvents(id), [
      'DataContractDriftDetectedEvent',
      'DataContractDriftResolvedEvent',
    ])
    const foreign = await twin.as('Or', 'GET', `/api/drift?dataContractId=${id}`)
    assert.deepEqual(await foreign.json(), [])
  })

  test('another actual type keeps id and time, and ends the acceptance', async () => {
    const id = await addLinked([ID, { name: 'note', type: 'date' }])
    await settle(id)
    const [before] = await list(id)
    const { db } = world.services
    await sql`
      update drift_finding
      set accepted_until = now() + interval '1 day', accepted_reason = 'Planned', accepted_by = 'system',
        accepted_at = now()
      where organization_id = ${world.organizationId}
        and id = ${before?.id}
    `.execute(db)
    await writeTable(world, id, [
      ID,
      { name: 'note', type: 'date' },
      { name: 'more', type: 'text' },
    ])
    await settle(id)
    assert.equal((await read(id)).state, 'accepted')
    await writeTable(world, id, [ID, { name: 'note', type: 'boolean' }])
    await settle(id)
    const [after] = await list(id)
    assert.deepEqual([after?.id, after?.since], [before?.id, before?.since])
    assert.equal(after?.acceptance, null)
    assert.ok(after !== undefined && before !== undefined && after.changedAt > before.changedAt)
    assert.equal((await read(id)).state, 'drift')
  })

  test('a missing table is one finding; a table that was not read keeps what was found', async () => {
    const id = await addLinked([ID])
    await settle(id)
    await setLink(id, 'not_read', null)
    await settle(id)
    assert.deepEqual(
      (await list(id)).map(({ aspect }) => aspect),
      ['column.missing'],
    )
    await setLink(id, 'not_found', null)
    await settle(id, { kind: 'run', runId: randomUUID(), integrationId: randomUUID() })
    const [missing, ...more] = await list(id)
    assert.deepEqual([missing?.aspect, missing?.promised, more], ['object', 'db.public.orders', []])
    assert.notEqual(missing?.firstRunId, null)
    await setLink(id, 'linked', id)
    await settle(id)
    assert.deepEqual(
      (await list(id)).map(({ aspect }) => aspect),
      ['column.missing'],
    )
  })

  test('without a link or a promise nothing stays open', async () => {
    const id = await addLinked([ID])
    await settle(id)
    await setLink(id, 'excluded', null)
    await settle(id, { kind: 'choice', contractId: id, server: 'production', model: 'orders' })
    assert.deepEqual(
      (await list(id, 'resolved')).map(({ resolvedBecause }) => resolvedBecause),
      ['link'],
    )
    await addFinding(world, id, { model: 'gone' })
    await settle(id, { kind: 'contracts', makesPromises: true, ids: [id] })
    assert.deepEqual(await list(id), [])
    assert.deepEqual(
      (await list(id, 'resolved')).map(({ model, resolvedBecause }) => [model, resolvedBecause]),
      [
        ['orders', 'link'],
        ['gone', 'contract'],
      ],
    )
  })

  test('an incident opens with the first breaking difference and resolves with the last, in production only', async () => {
    const id = await addLinked([ID])
    await settle(id)
    const listIncidents = async (): Promise<(string | null)[]> => {
      const { rows } = await sql<{ because: string | null }>`
        select resolved_because as because
        from incident
        where organization_id = ${world.organizationId}
          and contract_id = ${id}
          and kind = 'drift'
      `.execute(world.services.db)
      return rows.map(({ because }) => because)
    }
    assert.deepEqual(await listIncidents(), [null])
    await writeTable(world, id, [ID, NOTE])
    await settle(id)
    assert.equal((await listIncidents()).length, 1)
    assert.notEqual((await listIncidents())[0], null)
    const elsewhere = uniqueId()
    await putOne(world, 'datacontracts', odcs(elsewhere))
    await writeTable(world, elsewhere, [ID])
    await addPromise(world, elsewhere, { assetId: elsewhere, fields: FIELDS, isProduction: false })
    await settle(elsewhere)
    assert.equal((await list(elsewhere)).length, 1)
    assert.equal((await read(elsewhere)).state, 'unknown')
  })

  test('what does not fit into the transaction is compared by the upkeep', async () => {
    const id = await addLinked([ID])
    const { db, clock, offload } = world.services
    await sql`
      update asset_link
      set comparing_since = now()
      where organization_id = ${world.organizationId}
        and contract_id = ${id}
    `.execute(db)
    assert.equal((await read(id)).state, 'unknown')
    assert.equal(await compareWaiting({ db, clock, offload }), 1)
    assert.equal(await compareWaiting({ db, clock, offload }), 0)
    assert.equal((await read(id)).state, 'drift')
    assert.deepEqual(await listDriftEvents(id), ['DataContractDriftDetectedEvent'])
  })

  test('resolved findings are kept for a year, open ones for ever', async () => {
    const id = await addLinked()
    await addFinding(world, id, { field: 'old', resolvedAt: '2020-01-01T00:00:00Z' })
    await addFinding(world, id, { field: 'new', resolvedAt: new Date().toISOString() })
    await addFinding(world, id, { field: 'open', firstSeenAt: '2020-01-01T00:00:00Z' })
    assert.equal(await deleteOldDrift(world.services.db, storeClock), 1)
    assert.deepEqual(
      [...(await list(id, 'resolved')), ...(await list(id))].map(({ field }) => field),
      ['new', 'open'],
    )
  })
})

function toAffected(contractId: string) {
  return {
    contractId,
    server: 'production',
    model: 'orders',
    isProduction: true,
    state: 'linked' as const,
    assetId: contractId,
    formerState: null,
    formerAssetId: null,
  }
}
