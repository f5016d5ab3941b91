import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { ENDED_MS_MAX, enqueue, prepareDeliveryTests } from '../../../test/deliveries.ts'
import { eventually } from '../../../test/eventually.ts'
import { onStore } from '../../../test/stores.ts'
import { storeClock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { claimLanes } from './claim-store.ts'

onStore((store) => {
  const { start, add, ledger, untilEnded, countLanes } = prepareDeliveryTests(store)
  let db: Database
  before(() => {
    db = store().db
  })

  describe('the queue', () => {
    test('lanes of a process that died are claimed by another when their lease ends', async () => {
      const { target, received } = add()
      await enqueue(db, target, ['s', 's'])
      const { lanes } = await claimLanes(db, storeClock, {
        claim: randomUUID(),
        channels: [{ kind: 'test', leaseMs: 300, lanesMax: 1 }],
        limits: [],
        held: [],
        after: undefined,
        targetsMax: 500,
        lanesMax: 500,
      })
      assert.ok(lanes.some((lane) => lane.target === target.target))
      await start()
      await untilEnded(target, 2)
      assert.deepEqual(received, ['0', '1'])
    })

    test('a worker that is stopped returns what it has not sent, without a failure', async () => {
      let isStopped = false
      const { target } = add(async (_, signal) => {
        if (isStopped) return { result: 'delivered' }
        return await new Promise((_done, failed) => {
          signal.addEventListener('abort', () => failed(signal.reason))
        })
      })
      await enqueue(
        db,
        target,
        Array.from({ length: 20 }, (_, at) => `s${at}`),
      )
      const worker = await start()
      const isSending = async (): Promise<boolean> => {
        const { rows } = await sql`
          select from delivery_lane where target = ${target.target} and claim is not null
        `.execute(db)
        return rows.length >= 2
      }
      await eventually(ENDED_MS_MAX, isSending, 'the worker sends')
      await worker.stop(0)
      isStopped = true
      await start()
      const all = await untilEnded(target, 20)
      assert.ok(all.every(({ attempts }) => attempts === 1))
    })

    test('nothing is forgotten that is enqueued while its lane ends', async () => {
      const { target } = add()
      await start()
      await start()
      for (let round = 0; round < 150; round += 1) await enqueue(db, target, ['s'], round)
      const payloads = await untilEnded(target, 150)
      assert.equal(payloads.length, 100)
      assert.equal(await countLanes(target), 0)
    })

    test('a channel that the process does not have is left to others', async () => {
      const target = { organizationId: randomUUID(), channel: 'later', target: 'x' }
      await enqueue(db, target, ['s'])
      const other = add()
      await enqueue(db, other.target, ['s'])
      await start()
      await untilEnded(other.target, 1)
      const [delivery] = await ledger(target)
      assert.partialDeepStrictEqual(delivery, { state: 'pending', attempts: 0 })
    })
  })
})
