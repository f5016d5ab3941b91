import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeyTurns, type QueueLimits } from './key-turns.ts'

const LIMITS: QueueLimits = { jobsPerKeyMax: 3, bytesPerKeyMax: 100, bytesMax: 150 }

test('fair queue › serves keys in turn, and the jobs of a key in their order', () => {
  const queue = new KeyTurns<string>(LIMITS)
  for (const job of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(job.slice(0, 1), job, 1)
  const order = Array.from({ length: 7 }, () => queue.next()?.job)
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

test('fair queue › a key whose jobs take long waits for as much time of the others', () => {
  const queue = new KeyTurns<string>({ ...LIMITS, jobsPerKeyMax: 20 })
  for (const job of ['a1', 'a2', 'b1', 'b2', 'b3', 'b4', 'b5']) queue.push(job.slice(0, 1), job, 0)
  const order: string[] = []
  for (let taken = queue.next(); taken !== undefined; taken = queue.next()) {
    order.push(taken.job)
    taken.end(taken.job.startsWith('a') ? 4 : 1)
  }
  assert.deepEqual(order, ['a1', 'b1', 'b2', 'b3', 'b4', 'a2', 'b5'])
})
