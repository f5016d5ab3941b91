import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import {
  ENDED_MS_MAX,
  enqueue,
  newDeliveryServices,
  newTarget,
  type Receive,
} from '../test/deliveries.ts'
import { eventually } from '../test/eventually.ts'
import { newIngestionWorld } from '../test/ingestion.ts'
import { readLogLines } from '../test/log-lines.ts'
import { onStore } from '../test/stores.ts'
import { newProduct, newWorld, putOne } from '../test/world.ts'
import { listStateMetrics } from './about/state-metrics.ts'
import { readInstallationState } from './about/state-service.ts'
import { startDeliveries } from './delivery/deliveries/worker.ts'
import { startFollowers } from './ledger/events/follow-service.ts'
import { storeClock } from './platform/kit/clock.ts'
import { newMetrics, type Metrics } from './platform/kit/metrics.ts'
import { newWorkObserver } from './process-metrics.ts'

const NEVER_MS = 1e9

async function read(metrics: Metrics, name: string): Promise<string[]> {
  const { text } = await metrics.render()
  return text.split('\n').filter((line) => line.startsWith(name))
}

onStore((store) => {
  test('portbook_delivery_attempts_total › counts attempts by channel and result, from 0', async () => {
    const { db } = store()
    const metrics = newMetrics()
    const observer = newWorkObserver(metrics)
    let count = 0
    const target = newTarget()
    const receive: Receive = () => {
      count += 1
      return Promise.resolve(
        count === 1 ? { result: 'failed', error: 'busy' } : { result: 'delivered', status: 204 },
      )
    }
    const services = await newDeliveryServices(db, new Map([[target.target, receive]]))
    observer.started({ followers: [], channels: ['test'] })
    await enqueue(db, target, ['s'])
    const timing = { pollMs: 10, retryDelayMs: () => 20 }
    const worker = startDeliveries({ ...services, observer }, timing)
    const isCounted = async (): Promise<boolean> =>
      (await read(metrics, 'portbook_delivery_attempts_total{')).some((line) =>
        line.endsWith('"delivered"} 1'),
      )
    await eventually(ENDED_MS_MAX, isCounted, 'the delivery is counted')
    await worker.stop(0)
    const name = 'portbook_delivery_attempts_total'
    assert.deepEqual(await read(metrics, `${name}{`), [
      `${name}{channel="test",result="delivered"} 1`,
      `${name}{channel="test",result="retry"} 1`,
      `${name}{channel="test",result="failed"} 0`,
      `${name}{channel="test",result="canceled"} 0`,
    ])
  })

  test('portbook_follower_failures_total › counts failures by follower, from 0', async () => {
    const { db } = store()
    const world = await newWorld(newProduct(store()))
    const metrics = newMetrics()
    const observer = newWorkObserver(metrics)
    observer.started({ followers: ['failing', 'other'], channels: [] })
    const followers = startFollowers(
      { db, log: readLogLines().log, isPaused: () => false, observer },
      [{ name: 'failing', handle: () => Promise.reject(new Error('fails')) }],
      NEVER_MS,
    )
    const readFailures = (): Promise<string[]> => read(metrics, 'portbook_follower_failures_total{')
    await followers.follow()
    const isCounted = async (): Promise<boolean> => {
      await putOne(world, 'teams', { id: 'a-change', name: String(Math.random()) })
      await followers.follow()
      return (await readFailures())[0]?.endsWith(' 0') === false
    }
    await eventually(ENDED_MS_MAX, isCounted, 'a failure is counted')
    await followers.stop()
    assert.match((await readFailures())[1] ?? '', /\{follower="other"\} 0$/)
  })

  test('portbook_runs_ended_total › counts runs by their last state, from 0', async () => {
    const world = await newIngestionWorld(store())
    const metrics = newMetrics()
    world.engine.observer = newWorkObserver(metrics)
    world.source.put(['shop', 'sales', 'orders'])
    await world.run()
    world.source.clear()
    await world.run()
    const name = 'portbook_runs_ended_total'
    assert.deepEqual(await read(metrics, `${name}{`), [
      `${name}{status="SUCCESS"} 1`,
      `${name}{status="FAILED"} 1`,
      `${name}{status="CANCELLED"} 0`,
    ])
  })

  test('metrics of the installation › are absent while its state cannot be read', async () => {
    const metrics = newMetrics()
    const state = await readInstallationState(store().db, storeClock)
    let current: typeof state | undefined = state
    metrics.add(
      listStateMetrics({
        find: () => current,
        getReadSeconds: () => 1_790_000_000,
        stop: () => Promise.resolve(),
      }),
    )
    const count = async (): Promise<number> => (await read(metrics, 'portbook_')).length
    assert.ok((await count()) > state.tables.length)
    current = undefined
    assert.deepEqual(await read(metrics, 'portbook_'), [
      'portbook_state_read_timestamp_seconds 1790000000',
    ])
  })

  test('portbook_store_errors_total › counts a failed statement by its kind, and a change that may have been saved', async () => {
    const { db, health } = store()
    const before = health.countFailures().get('timeout') ?? 0
    await assert.rejects(
      db.transaction().execute(async (transaction) => {
        await sql`set local statement_timeout = 1`.execute(transaction)
        await sql`select pg_sleep(10)`.execute(transaction)
      }),
    )
    assert.equal(health.countFailures().get('timeout'), before + 1)
    health.lostOutcome()
    assert.equal(health.countFailures().get('outcome_unknown'), 1)
  })
})
