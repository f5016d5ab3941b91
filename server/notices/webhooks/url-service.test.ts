import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDialer } from '../../platform/kit/dialer.ts'
import { newFairQueue } from '../../platform/kit/fair-queue.ts'
import { holdSlot } from '../../platform/kit/held-slot.ts'
import { findUrlProblem } from './url-service.ts'

const turn = (name: string) => ({ flow: [name], cost: 1, lane: 'point' })

test('findUrlProblem › a request whose look-up is aborted goes on only with a slot', async () => {
  const queue = newFairQueue({ runningMax: 1, waitingMax: 10 })
  const isAsked = Promise.withResolvers<void>()
  const dialer = newDialer({ privateAddresses: 'deny', allowed: [], ownStore: undefined }, () => {
    isAsked.resolve()
    return new Promise(() => {})
  })
  const lookup = new AbortController()
  const order: string[] = []
  const asking = holdSlot(queue, turn('a'), async () => {
    const problem = await findUrlProblem('https://hooks.example', dialer, lookup.signal)
    order.push('goes on')
    assert.equal(problem, undefined)
  })
  await isAsked.promise
  await holdSlot(queue, turn('b'), async () => {
    lookup.abort()
    // The abort is noticed, but the only slot is held.
    await new Promise(setImmediate)
    order.push('the other ends')
  })
  await asking
  assert.deepEqual(order, ['the other ends', 'goes on'])
})
