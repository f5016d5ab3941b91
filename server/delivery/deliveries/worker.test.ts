import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import {
  ENDED_MS_MAX,
  enqueue,
  prepareDeliveryTests,
  type Receive,
} from '../../../test/deliveries.ts'
import { eventually } from '../../../test/eventually.ts'
import { onStore } from '../../../test/stores.ts'
import type { Database } from '../../platform/tables.ts'
import { getDelivery } from './service.ts'

onStore((store) => {
  const { start, add, ledger, untilEnded, countLanes } = prepareDeliveryTests(store)
  let db: Database
  before(() => {
    db = store().db
  })

  describe('a delivery', () => {
    test('is sent once, and the ledger has its attempt', async () => {
      const { target, received } = add(async () => ({
        result: 'delivered',
        status: 200,
        response: 'thank you',
      }))
      await enqueue(db, target, ['s'])
      await start()
      const [delivery] = await untilEnded(target, 1)
      assert.deepEqual(received, ['0'])
      assert.partialDeepStrictEqual(delivery, {
        state: 'delivered',
        attempts: 1,
        lastStatus: 200,
        lastError: null,
        subject: 's',
        topic: 'TestEvent',
      })
      const { attemptList, payload } = await getDelivery(db, target, delivery?.id ?? '')
      assert.equal(payload, '0')
      const [attempt, ...others] = attemptList
      assert.deepEqual(others, [])
      assert.partialDeepStrictEqual(attempt, { status: 200, error: null, response: 'thank you' })
      assert.equal(await countLanes(target), 0)
    })

    test('that fails is attempted again, and every attempt is kept', async () => {
      let count = 0
      const { target } = add(async () => {
        count += 1
        if (count > 2) return { result: 'delivered', status: 204 }
        return { result: 'failed', status: 500, error: `answered ${count}`, response: 'oops' }
      })
      await enqueue(db, target, ['s'])
      await start()
      const [delivery] = await untilEnded(target, 1)
      assert.partialDeepStrictEqual(delivery, { state: 'delivered', attempts: 3 })
      const { attemptList } = await getDelivery(db, target, delivery?.id ?? '')
      assert.deepEqual(
        attemptList.map(({ status, error, response }) => ({ status, error, response })),
        [
          { status: 500, error: 'answered 1', response: 'oops' },
          { status: 500, error: 'answered 2', response: 'oops' },
          { status: 204, error: null, response: null },
        ],
      )
    })

    test('waits as long as the receiver asks for', async () => {
      const delays: (number | undefined)[] = []
      const { target } = add(async () => ({
        result: 'failed',
        error: 'busy',
        status: 429,
        retryAfterMs: 90_000,
      }))
      await enqueue(db, target, ['s'])
      await start({
        retryDelayMs: (_, asked) => {
          delays.push(asked)
          return asked ?? 0
        },
      })
      const isRecorded = async (): Promise<boolean> => (await ledger(target))[0]?.attempts === 1
      await eventually(ENDED_MS_MAX, isRecorded, 'the attempt is recorded')
      assert.deepEqual(delays, [90_000])
      const { rows } = await sql<{ seconds: number }>`
        select round(extract(epoch from lane.due_at - attempt.attempted_at))::integer as seconds
        from delivery
        join delivery_lane as lane using (organization_id, channel, target, subject)
        join delivery_attempt as attempt
          on attempt.organization_id = delivery.organization_id and delivery_id = delivery.id
        where delivery.target = ${target.target} and lane.due_at = next_attempt_at
      `.execute(db)
      assert.deepEqual(rows, [{ seconds: 90 }])
    })

    test('that fails for three days has failed, and the next one is attempted', async () => {
      const { target, received } = add(async ({ payload }) =>
        payload === '0' ? { result: 'failed', error: 'no' } : { result: 'delivered' },
      )
      await enqueue(db, target, ['s', 's'])
      await sql`
        update delivery set queued_at = queued_at - interval '3 days'
        where target = ${target.target}
      `.execute(db)
      await start()
      const states = (await untilEnded(target, 2)).map(({ state }) => state)
      assert.deepEqual(states, ['failed', 'delivered'])
      assert.deepEqual(received, ['0', '1'])
    })

    test('without a receiver is canceled', async () => {
      const { target } = add(async () => ({ result: 'canceled', reason: 'was removed' }))
      await enqueue(db, target, ['s', 's', 't'])
      await start()
      const all = await untilEnded(target, 3)
      for (const { state, lastError } of all) {
        assert.deepEqual({ state, lastError }, { state: 'canceled', lastError: 'was removed' })
      }
    })

    test('whose receiver rejects it for ever has failed at once', async () => {
      const { target } = add(async () => ({ result: 'failed', error: 'gone', isFinal: true }))
      await enqueue(db, target, ['s'])
      await start()
      const [delivery] = await untilEnded(target, 1)
      assert.partialDeepStrictEqual(delivery, { state: 'failed', attempts: 1 })
    })

    test('without an answer in time is attempted again', async () => {
      let count = 0
      const { target } = add(async (_, signal) => {
        count += 1
        if (count > 1) return { result: 'delivered' }
        return await new Promise((_done, failed) => {
          signal.addEventListener('abort', () => failed(signal.reason))
        })
      })
      await enqueue(db, target, ['s'])
      await start({ attemptMs: 50 })
      const [delivery] = await untilEnded(target, 1)
      const { attemptList } = await getDelivery(db, target, delivery?.id ?? '')
      assert.match(attemptList[0]?.error ?? '', /^No complete answer within/)
      assert.equal(attemptList[1]?.error, null)
    })

    test('an error of a channel is attempted again, and the ledger does not show it', async () => {
      let count = 0
      const { target } = add(async () => {
        count += 1
        if (count === 1) throw new Error('a secret')
        return { result: 'delivered' }
      })
      await enqueue(db, target, ['s'])
      await start()
      const [delivery] = await untilEnded(target, 1)
      const { attemptList } = await getDelivery(db, target, delivery?.id ?? '')
      assert.equal(attemptList[0]?.error, 'An internal error occurred')
    })
  })

  describe('the order', () => {
    test('deliveries about a subject arrive in their order, although some fail', async () => {
      const arrived: string[] = []
      const { target } = add(async ({ payload, subject }) => {
        if (Math.random() < 0.3) return { result: 'failed', error: 'by chance' }
        arrived.push(`${subject} ${payload}`)
        return { result: 'delivered' }
      })
      const subjects = Array.from({ length: 120 }, (_, at) => `s${at % 6}`)
      await enqueue(db, target, subjects.slice(0, 60))
      await start()
      await start()
      await enqueue(db, target, subjects.slice(60), 60)
      await untilEnded(target, 120)
      for (const subject of new Set(subjects)) {
        const positions = arrived
          .filter((one) => one.startsWith(`${subject} `))
          .map((one) => Number(one.split(' ')[1]))
        assert.equal(positions.length, 20)
        assert.deepEqual(
          positions,
          positions.toSorted((a, b) => a - b),
        )
      }
    })

    test('a failing subject does not delay the others of its receiver', async () => {
      const { target, received } = add(async ({ subject }) =>
        subject === 'bad' ? { result: 'failed', error: 'no' } : { result: 'delivered' },
      )
      await enqueue(db, target, ['bad', 'bad', 'good', 'good'])
      await start({ retryDelayMs: () => 60_000 })
      await untilEnded(target, 2)
      assert.deepEqual(received.toSorted(), ['0', '2', '3'])
    })

    test('two workers never send about one subject at the same time', async () => {
      const active = new Set<string>()
      const { target, received } = add(async ({ subject }) => {
        assert.ok(!active.has(subject))
        active.add(subject)
        await new Promise((done) => setImmediate(done))
        active.delete(subject)
        return { result: 'delivered' }
      })
      await Promise.all([start(), start(), start()])
      for (let round = 0; round < 20; round += 1) {
        await enqueue(db, target, ['a', 'b', 'c', 'a'], round * 4)
      }
      await untilEnded(target, 80)
      assert.equal(received.length, 80)
    })
  })

  describe('a channel', () => {
    test('has its own timeout and limit of attempts, and leases that are long enough', async () => {
      let active = 0
      let highest = 0
      const isFull = Promise.withResolvers<void>()
      const receive: Receive = async (_, signal) => {
        active += 1
        highest = Math.max(highest, active)
        if (active === 3) isFull.resolve()
        await isFull.promise
        const leased = await sql<{ seconds: number }>`
          select extract(epoch from due_at - now())::float8 as seconds
          from delivery_lane
          where target in (${one.target.target}, ${other.target.target}) and claim is not null
        `.execute(db)
        assert.ok(leased.rows.every(({ seconds }) => seconds > 200))
        assert.equal(signal.aborted, false)
        active -= 1
        return { result: 'delivered' }
      }
      const one = add(receive)
      const other = add(receive)
      await enqueue(db, one.target, ['a', 'b', 'c', 'd'])
      await enqueue(db, other.target, ['a', 'b', 'c', 'd'])
      await start({ attemptMs: 1 }, { concurrency: 3, attemptMs: 100_000 })
      const all = [...(await untilEnded(one.target, 4)), ...(await untilEnded(other.target, 4))]
      assert.ok(all.every(({ attempts }) => attempts === 1))
      assert.equal(highest, 3)
    })
  })

  describe('receivers', () => {
    test('a silent one does not delay another', async () => {
      const silent = add(async () => await new Promise(() => undefined))
      const quick = add()
      const subjects = Array.from({ length: 300 }, (_, at) => `s${at}`)
      await enqueue(db, silent.target, subjects)
      await enqueue(db, quick.target, subjects)
      await start()
      await untilEnded(quick.target, 300)
      assert.equal((await ledger(silent.target)).filter(({ attempts }) => attempts > 0).length, 0)
      assert.equal(silent.received.length, 2)
    })

    test('a receiver gets only a few deliveries at a time', async () => {
      let active = 0
      let highest = 0
      const { target } = add(async () => {
        active += 1
        highest = Math.max(highest, active)
        await new Promise((done) => setImmediate(done))
        active -= 1
        return { result: 'delivered' }
      })
      await enqueue(
        db,
        target,
        Array.from({ length: 100 }, (_, at) => `s${at}`),
      )
      await start({}, { concurrencyPerTarget: 3 })
      await untilEnded(target, 100)
      assert.equal(highest, 3)
    })
  })
})
