import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { ENDED_MS_MAX, enqueue, prepareDeliveryTests } from '../../../test/deliveries.ts'
import { eventually } from '../../../test/eventually.ts'
import { onStore } from '../../../test/stores.ts'
import { storeClock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { deleteExpiredDeliveries, getDelivery, replayDelivery, replayRange } from './service.ts'

onStore((store) => {
  const { start, add, ledger, untilEnded } = prepareDeliveryTests(store)
  let db: Database
  before(() => {
    db = store().db
  })

  describe('the ledger', () => {
    test('keeps at most a kilobyte of an answer, without NUL and broken characters', async () => {
      const { target } = add(async () => ({
        result: 'delivered',
        response: `\0${'ä'.repeat(5000)}`,
      }))
      await enqueue(db, target, ['s'])
      await start()
      const [delivery] = await untilEnded(target, 1)
      const { attemptList } = await getDelivery(db, target, delivery?.id ?? '')
      const response = attemptList[0]?.response ?? ''
      assert.match(response, /^\uFFFDä+$/)
      assert.ok(Buffer.byteLength(response) > 1000 && Buffer.byteLength(response) <= 1024)
    })

    test('deliveries are sent again: one, or those of a time range', async () => {
      const { target, received } = add()
      await enqueue(db, target, ['a', 'b', 'c'])
      await start()
      const all = await untilEnded(target, 3)
      const [first, second, third] = all
      assert.ok(first && second && third)
      received.length = 0
      await replayDelivery({ db, clock: storeClock }, target, second.id)
      await eventually(ENDED_MS_MAX, async () => received.length === 1, 'it is sent again')
      await untilEnded(target, 3)
      assert.deepEqual(received, [second.subject === 'b' ? '1' : ''])
      const range = { from: first.createdAt, until: third.createdAt }
      const count = await replayRange({ db, clock: storeClock }, target, range)
      assert.equal(count, 2)
      await untilEnded(target, 3)
      assert.deepEqual(
        (await ledger(target)).map(({ attempts }) => attempts),
        [2, 3, 1],
      )
    })

    test('a delivery that waits for its next attempt is sent now', async () => {
      let fails = true
      const { target } = add(async () =>
        fails ? { result: 'failed', error: 'no' } : { result: 'delivered' },
      )
      await enqueue(db, target, ['s'])
      await start({ retryDelayMs: () => 3_600_000 })
      const isWaiting = async (): Promise<boolean> =>
        (await ledger(target))[0]?.nextAttemptAt !== null
      await eventually(ENDED_MS_MAX, isWaiting, 'it waits')
      fails = false
      const [delivery] = await ledger(target)
      await replayDelivery({ db, clock: storeClock }, target, delivery?.id ?? '')
      await untilEnded(target, 1)
    })

    test('a delivery of another receiver is not found', async () => {
      const { target } = add()
      await enqueue(db, target, ['s'])
      const [delivery] = await ledger(target)
      const other = { ...target, target: 'other' }
      for (const id of [delivery?.id ?? '', randomUUID(), 'x']) {
        await assert.rejects(getDelivery(db, other, id), /not found/i)
        await assert.rejects(replayDelivery({ db, clock: storeClock }, other, id), /not found/i)
      }
      await start()
      await untilEnded(target, 1)
    })

    test('deliveries that ended a month ago are deleted with their attempts', async () => {
      const { target } = add()
      await enqueue(db, target, ['old', 'new'])
      await start()
      await untilEnded(target, 2)
      await sql`
        update delivery set ended_at = ended_at - interval '31 days'
        where target = ${target.target} and subject = 'old'
      `.execute(db)
      assert.equal(await deleteExpiredDeliveries(db, storeClock), 1)
      const subjects = (await ledger(target)).map(({ subject }) => subject)
      assert.deepEqual(subjects, ['new'])
      const { rows } = await sql`
        select from delivery_attempt where organization_id = ${target.organizationId}
      `.execute(db)
      assert.equal(rows.length, 1)
    })
  })
})
