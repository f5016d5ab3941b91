import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SendSlots, type SlotLimits } from './send-slots.ts'

const newTarget = (organizationId: string, channel = 'webhook') => ({
  organizationId,
  channel,
  target: 'receiver',
})

function newSlots(limit: Partial<SlotLimits> = {}): SendSlots {
  const limits = new Map([['email', 1]])
  return new SendSlots({
    process: 4,
    organization: 2,
    reserved: 0,
    findChannelLimit: (channel) => limits.get(channel),
    ...limit,
  })
}

test('an organization leaves attempts to others', () => {
  const slots = newSlots()
  slots.begin(newTarget('a'))
  slots.begin(newTarget('a'))
  assert.equal(slots.isFree(newTarget('a')), false)
  assert.equal(slots.isFree(newTarget('b')), true)
  slots.end(newTarget('a'))
  assert.equal(slots.isFree(newTarget('a')), true)
})

test('a channel has its own limit', () => {
  const slots = newSlots()
  slots.begin(newTarget('a', 'email'))
  assert.equal(slots.isFree(newTarget('b', 'email')), false)
  assert.equal(slots.isFree(newTarget('b')), true)
})

test('a process has a limit', () => {
  const slots = newSlots()
  for (const organization of ['a', 'a', 'b', 'b']) slots.begin(newTarget(organization))
  assert.equal(slots.isFull, true)
  assert.equal(slots.isFree(newTarget('c')), false)
})

test('the last attempts are only for organizations with few under way', () => {
  const slots = newSlots({ process: 6, organization: 4, reserved: 2 })
  for (const organization of ['a', 'a', 'a', 'b']) slots.begin(newTarget(organization))
  assert.equal(slots.isFree(newTarget('a')), false)
  assert.equal(slots.isFree(newTarget('b')), true)
  assert.equal(slots.isFree(newTarget('c')), true)
  slots.begin(newTarget('b'))
  assert.equal(slots.isFree(newTarget('b')), false)
  slots.begin(newTarget('c'))
  assert.equal(slots.isFull, true)
  assert.equal(slots.isFree(newTarget('d')), false)
})
