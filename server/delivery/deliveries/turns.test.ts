import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { ENDED_MS_MAX, enqueue, newTarget, prepareDeliveryTests } from '../../../test/deliveries.ts'
import { eventually } from '../../../test/eventually.ts'
import { onStore } from '../../../test/stores.ts'
import { storeClock } from '../../platform/kit/clock.ts'
import { claimLanes } from './claim-store.ts'
import type { DeliveryTarget } from './delivery.ts'
import type { Claimed, ClaimRequest } from './lane.ts'

const listSubjects = (count: number): string[] => Array.from({ length: count }, (_, at) => `s${at}`)

/** Counts the lanes of each target, and of the twin with the same name in another organization separately. */
function countLanes({ lanes }: Claimed, targets: readonly DeliveryTarget[]): number[] {
  return targets.map(
    ({ organizationId, target }) =>
      lanes.filter((lane) => lane.organizationId === organizationId && lane.target === target)
        .length,
  )
}

onStore((store) => {
  const { start, add, untilEnded } = prepareDeliveryTests(store)
  beforeEach(async () => {
    await sql`delete from delivery_lane`.execute(store().db)
    await sql`delete from delivery`.execute(store().db)
  })

  async function claim(request: Partial<ClaimRequest>): Promise<Claimed> {
    return await claimLanes(store().db, storeClock, {
      claim: randomUUID(),
      channels: [{ kind: 'test', leaseMs: 60_000, lanesMax: 2 }],
      limits: [],
      held: [],
      after: undefined,
      targetsMax: 500,
      lanesMax: 100,
      ...request,
    })
  }

  describe('a full channel', () => {
    test('sends the only delivery of an organization before the backlog of another', async () => {
      const order: string[] = []
      const queued = Promise.withResolvers<void>()
      const many = Array.from({ length: 4 }, () =>
        add(async () => {
          order.push('many')
          await queued.promise
          return { result: 'delivered' }
        }),
      )
      const organizationId = randomUUID()
      for (const { target } of many) {
        // Lanes with many deliveries, and several lanes.
        const subjects = Array.from({ length: 40 }, (_, at) => `s${at % 2}`)
        target.organizationId = organizationId
        await enqueue(store().db, target, subjects)
      }
      await start({}, { concurrency: 1 })
      await eventually(ENDED_MS_MAX, async () => order.length === 1, 'the channel is full')
      const few = add(async () => {
        order.push('few')
        return { result: 'delivered' }
      })
      await enqueue(store().db, few.target, ['s'])
      const isClaimed = async (): Promise<boolean> => {
        const { rows } = await sql`
          select from delivery_lane where target = ${few.target.target} and claim is not null
        `.execute(store().db)
        return rows.length === 1
      }
      await eventually(ENDED_MS_MAX, isClaimed, 'the delivery is claimed')
      queued.resolve()
      await untilEnded(few.target, 1)
      for (const { target } of many) await untilEnded(target, 40)
      // The process may learn of its claim a moment later than the test.
      assert.ok(order.indexOf('few') <= 3, order.join(' '))
    })
  })

  describe('a claim', () => {
    test('shares the free places among organizations, and leaves some', async () => {
      const [one, two, twin] = [newTarget(), newTarget(), newTarget()]
      two.organizationId = one.organizationId
      twin.target = one.target
      for (const target of [one, two, twin]) {
        await enqueue(store().db, target, listSubjects(100))
      }
      const targets = [one, two, twin]
      const limits = targets.map((target) => ({ ...target, lanesMax: 250 }))
      const claimed = await claim({ limits, lanesMax: 90 })
      // Two organizations have three times as many each as the 14 places that are left.
      assert.deepEqual(countLanes(claimed, targets), [19, 19, 38])
    })

    test('gives an organization nothing that has three times as many lanes as are free', async () => {
      const [many, few] = [newTarget(), newTarget()]
      await enqueue(store().db, many, listSubjects(50))
      await enqueue(store().db, few, ['s'])
      const limits = [{ ...many, lanesMax: 250 }]
      const held = [{ organizationId: many.organizationId, lanesCount: 30 }]
      const full = await claim({ limits, held, lanesMax: 10 })
      assert.deepEqual(countLanes(full, [many, few]), [0, 1])
      const free = await claim({ limits, held, lanesMax: 30 })
      assert.deepEqual(countLanes(free, [many, few]), [15, 0])
    })

    test('goes on after the receivers that got the last free places', async () => {
      const targets = Array.from({ length: 5 }, () => newTarget())
      for (const target of targets) await enqueue(store().db, target, listSubjects(3))
      const counts = targets.map(() => 0)
      let after: DeliveryTarget | undefined
      for (let round = 0; round < 3; round += 1) {
        const claimed = await claim({ after, lanesMax: 2 })
        for (const [at, count] of countLanes(claimed, targets).entries()) {
          counts[at] = (counts[at] ?? 0) + count
        }
        after = claimed.last
      }
      assert.deepEqual(counts, [1, 1, 1, 1, 1])
      assert.equal(after, undefined)
    })
  })
})
