import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TargetQueue } from './target-queue.ts'

const target = { organizationId: 'organization', channel: 'test', target: 'receiver' }

/** Returns the number of attempts that may run at the same time; the queue has enough lanes. */
function countAllowed(queue: TargetQueue): number {
  let count = 0
  while (queue.take() !== undefined) count += 1
  for (let ended = 0; ended < count; ended += 1) queue.end()
  return count
}

function newQueue(concurrencyMax: number): TargetQueue {
  const queue = new TargetQueue(target, concurrencyMax)
  const lane = { ...target, subject: 's', claim: 'c' }
  for (let at = 0; at < 500; at += 1) queue.add({ lane, deliveries: [], leaseEndsMs: Infinity })
  return queue
}

describe('the number of concurrent attempts at a receiver', () => {
  test('is two at first, or the limit of the channel', () => {
    assert.equal(countAllowed(newQueue(32)), 2)
    assert.equal(countAllowed(newQueue(1)), 1)
  })

  test('grows with each answer, up to the limit of the channel', () => {
    const queue = newQueue(32)
    queue.measure(10, false)
    assert.equal(countAllowed(queue), 3)
    for (let answers = 0; answers < 100; answers += 1) queue.measure(10, false)
    assert.equal(countAllowed(queue), 32)
  })

  test('falls to two while the receiver is slow', () => {
    const queue = newQueue(32)
    for (let answers = 0; answers < 100; answers += 1) queue.measure(10, false)
    for (let answers = 0; answers < 100; answers += 1) queue.measure(5000, false)
    assert.equal(countAllowed(queue), 2)
  })

  test('falls to one after a failure, and grows again', () => {
    const queue = newQueue(32)
    for (let answers = 0; answers < 100; answers += 1) queue.measure(10, false)
    queue.measure(10, true)
    assert.equal(countAllowed(queue), 1)
    queue.measure(10, false)
    assert.equal(countAllowed(queue), 2)
  })
})

describe('the lanes to hold', () => {
  test('are those of a second, and no more than 250', () => {
    const queue = new TargetQueue(target, 32)
    assert.equal(queue.freeCount, 2)
    for (let answers = 0; answers < 100; answers += 1) queue.measure(500, false)
    assert.equal(queue.freeCount, 64)
    for (let answers = 0; answers < 100; answers += 1) queue.measure(1, false)
    assert.equal(queue.freeCount, 250)
  })

  test('are returned if they are too many for a receiver that fails', () => {
    const queue = newQueue(32)
    queue.measure(10, true)
    assert.equal(queue.removeExcess().length, 498)
    assert.equal(queue.heldCount, 2)
  })
})
