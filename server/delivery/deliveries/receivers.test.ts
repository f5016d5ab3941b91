import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Receivers, type StartedLane } from './receivers.ts'

const always = (): boolean => true

/** Adds lanes with the names of their organization, channel and receiver, such as `a email 1`. */
function newReceivers(lanes: Record<string, number>, concurrencyMax = 2): Receivers {
  const receivers = new Receivers(() => concurrencyMax)
  for (const [name, count] of Object.entries(lanes)) add(receivers, name, count)
  return receivers
}

function add(receivers: Receivers, name: string, count: number): void {
  const [organizationId = '', channel = '', target = ''] = name.split(' ')
  for (let at = 0; at < count; at += 1) {
    const lane = { organizationId, channel, target, subject: `s${at}`, claim: 'c' }
    receivers.get(lane).add({ lane, deliveries: [], leaseEndsMs: Infinity })
  }
}

const getName = ({ queue: { target } }: StartedLane): string => Object.values(target).join(' ')

/** Works on lanes with a number of attempts at a time, until none is left. Returns the names in the order of their starts. */
function serve(receivers: Receivers, concurrency: number): string[] {
  const started: string[] = []
  const running: StartedLane[] = []
  for (;;) {
    const next = running.length < concurrency ? receivers.take(always) : undefined
    if (next !== undefined) {
      started.push(getName(next))
      running.push(next)
      continue
    }
    const ended = running.shift()
    if (ended === undefined) return started
    receivers.end(ended.queue)
  }
}

describe('receivers', () => {
  test('organizations take turns, however long the backlog of one is', () => {
    const receivers = newReceivers({ 'a email 1': 6, 'b email 1': 1, 'c email 1': 2 })
    assert.deepEqual(serve(receivers, 1), [
      'a email 1',
      'b email 1',
      'c email 1',
      'a email 1',
      'c email 1',
      'a email 1',
      'a email 1',
      'a email 1',
      'a email 1',
    ])
  })

  test('an organization with many receivers gets no more than one with a single receiver', () => {
    const lanes = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`a web ${at}`, 3]))
    const receivers = newReceivers({ ...lanes, 'b web 0': 5 })
    const organizations = serve(receivers, 1).map((name) => name.slice(0, 1))
    assert.equal(organizations.join('').slice(0, 10), 'ababababab')
  })

  test('the receivers of an organization take turns', () => {
    const receivers = newReceivers({ 'a web 1': 3, 'a web 2': 1, 'a web 3': 2 })
    const targets = serve(receivers, 1).map((name) => name.slice(-1))
    assert.deepEqual(targets, ['1', '2', '3', '1', '3', '1'])
  })

  test('an organization without an attempt comes before one that waits for its receivers', () => {
    const receivers = newReceivers({ 'a web 1': 9, 'a web 2': 9 })
    const slow = [receivers.take(always), receivers.take(always), receivers.take(always)]
    assert.equal(slow.filter((one) => one !== undefined).length, 3)
    add(receivers, 'b web 1', 2)
    const names = [receivers.take(always), receivers.take(always), receivers.take(always)]
    assert.deepEqual(
      names.map((one) => one && getName(one)),
      ['b web 1', 'b web 1', 'a web 2'],
    )
  })

  test('attempts in one channel do not count in another', () => {
    const receivers = newReceivers({ 'a web 1': 2, 'a web 2': 2 })
    for (let count = 0; count < 4; count += 1) receivers.take(always)
    add(receivers, 'a email 1', 3)
    add(receivers, 'b email 1', 3)
    const names = serve(receivers, 1)
    assert.deepEqual(
      names,
      ['a', 'b', 'a', 'b', 'a', 'b'].map((name) => `${name} email 1`),
    )
  })

  test('a receiver whose organization or channel is full is passed over', () => {
    const receivers = newReceivers({ 'a web 1': 1, 'b web 1': 1 })
    const next = receivers.take(({ organizationId }) => organizationId !== 'a')
    assert.equal(next && getName(next), 'b web 1')
    assert.equal(
      receivers.take(() => false),
      undefined,
    )
    assert.equal(receivers.list().length, 2)
  })

  test('counts the lanes of each organization, in all of its channels', () => {
    const receivers = newReceivers({ 'a web 1': 2, 'a email 1': 1, 'b web 1': 1 })
    receivers.take(always)
    assert.deepEqual(Object.fromEntries(receivers.countHeld()), { a: 3, b: 1 })
    serve(receivers, 1)
    receivers.forgetUnused()
    assert.equal(receivers.list().length, 3)
  })
})
