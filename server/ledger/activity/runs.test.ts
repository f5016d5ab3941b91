import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeEntry, listEntries } from '../../../test/activity.ts'
import { newIngestionWorld } from '../../../test/ingestion.ts'
import { onStore } from '../../../test/stores.ts'
import { cancelRun } from '../../ingestion/runs/run-store.ts'

onStore((store) => {
  test('a run leaves entries of its start, its end and its assets, with its id as the request', async () => {
    const ingestion = await newIngestionWorld(store())
    const world = { ...ingestion, services: { db: store().db } }
    const list = (...kinds: string[]) => listEntries(world, ...kinds)
    ingestion.source.put(['shop', 'sales', 'orders'])
    const { id } = await ingestion.run()
    await ingestion.run()
    const [started, ingested] = await list('ingestion-attempt', 'ingestion-run')
    assert.deepEqual(
      (await list('ingestion-attempt', 'ingestion-run')).map(
        ({ kind, action }) => `${action} ${kind}`,
      ),
      [
        'started ingestion-attempt',
        'ingested ingestion-run',
        'started ingestion-attempt',
        'completed ingestion-attempt',
      ],
    )
    assert.deepEqual([started?.subject, started?.name, ingested?.subject], [id, 'Scripted', id])
    const assets = await list('ingested-asset')
    assert.ok(assets.length > 0)
    assert.ok(assets.every(({ action, requestId }) => action === 'created' && requestId === id))
    assert.deepEqual(await list('asset'), [])
    ingestion.source.drop(['shop', 'sales', 'orders'])
    await ingestion.run({ forced: true })
    const deleted = (await list('ingested-asset')).filter(({ action }) => action === 'deleted')
    assert.equal(deleted.length, 1)
    assert.equal(deleted[0]?.name, 'orders')
  })

  test('a run that is cancelled before it begins leaves an entry of who cancelled it', async () => {
    const ingestion = await newIngestionWorld(store())
    await ingestion.trigger()
    const { engine, organizationId, integrationId } = ingestion
    const actor = { principal: 'user:x', requestId: 'r' }
    await cancelRun(engine.db, engine.clock, organizationId, integrationId, actor)
    const entries = await listEntries(
      { ...ingestion, services: { db: store().db } },
      'ingestion-run',
      'ingestion-attempt',
    )
    assert.deepEqual(
      entries.map(({ action, principal }) => [action, principal]),
      [
        ['started', 'test'],
        ['cancelled', 'user:x'],
      ],
    )
    assert.match(describeEntry(entries[0] ?? assert.fail()), /^started ingestion-attempt/)
  })
})
