import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeyTurns, fairSlots, TurnsFull, type QueueLimits } from './key-turns.ts'

const LIMITS: QueueLimits = { jobsPerKeyMax: 3, bytesPerKeyMax: 100, bytesMax: 150 }

test('fair queue › serves keys in turn, and the jobs of a key in their order', () => {
  const queue = new KeyTurns<string>(LIMITS)
  for (const job of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(job.slice(0, 1), job, 1)
  const order = Array.from({ length: 7 }, () => queue.next())
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined])
})

test('fair queue › rejects jobs over the limits of a key or over the total size', () => {
  const queue = new KeyTurns<string>(LIMITS)
  assert.ok(['1', '2', '3'].every((job) => queue.push('jobs', job, 1)))
  assert.ok(!queue.push('jobs', '4', 1))
  // A single job may be larger than the limit.
  assert.ok(queue.push('bytes', '1', 120))
  assert.ok(!queue.push('bytes', '2', 1))
  assert.ok(queue.push('other', '1', 10))
  assert.ok(!queue.push('other', '2', 30))
  while (queue.next() !== undefined) continue
  assert.ok(queue.push('bytes', '2', 90))
})

test('fair slots › limits concurrent work, and releases the slot of failed work', async () => {
  const inSlot = fairSlots(1, LIMITS)
  const order: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = inSlot('a', 1, async () => {
    await gate.promise
    order.push('a1')
    throw new Error('broken')
  })
  const rest = ['a2', 'b1', 'a3'].map((name) =>
    inSlot(name.slice(0, 1), 1, async () => {
      order.push(name)
    }),
  )
  const third = inSlot('a', 1, async () => undefined)
  await assert.rejects(
    inSlot('a', 1, async () => undefined),
    TurnsFull,
  )
  gate.resolve()
  await assert.rejects(first, /broken/)
  await Promise.all([...rest, third])
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'a3'])
})
