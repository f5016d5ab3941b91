import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  newFairQueue,
  QueueFull,
  type FairQueue,
  type FairQueueLimits,
  type Slot,
} from './fair-queue.ts'

/** A queue whose tasks end on request of the test. */
function newTasks(waitingMax: number, limits: Partial<FairQueueLimits> = {}) {
  const queue: FairQueue = newFairQueue({ runningMax: 1, waitingMax, ...limits })
  const started: string[] = []
  const rejected: string[] = []
  const ends: (() => void)[] = []
  return {
    queue,
    started,
    rejected,
    send(name: string, client = name, isPreferred = false): void {
      queue
        .run({ flow: [client], isPreferred }, async () => {
          started.push(name)
          await new Promise<void>((done) => ends.push(done))
        })
        .catch((error: unknown) => {
          assert.ok(error instanceof QueueFull)
          rejected.push(name)
        })
    },
    /** Ends tasks one after the other until none is left. */
    async finish(): Promise<void> {
      await new Promise(setImmediate)
      for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
        end()
        await new Promise(setImmediate)
      }
    },
  }
}

test('fair queue › lets a client with one task wait for only one task of each other client', async () => {
  const { queue, send, started, finish } = newTasks(20)
  for (let count = 0; count < 10; count += 1) send(`a${count}`, 'a')
  for (let count = 0; count < 3; count += 1) send(`b${count}`, 'b')
  send('c')
  await new Promise(setImmediate)
  assert.equal(queue.waitingCount, 13)
  await finish()
  assert.deepEqual(started.slice(0, 8), ['a0', 'b0', 'c', 'a1', 'b1', 'a2', 'b2', 'a3'])
  assert.equal(started.length, 14)
})

test('fair queue › rejects the latest task of the client with the most tasks when it is full', async () => {
  const { send, started, rejected, finish } = newTasks(3)
  for (let count = 0; count < 200; count += 1) send(`a${count}`, 'a')
  send('b')
  send('c')
  await finish()
  assert.deepEqual(started, ['a0', 'b', 'c', 'a1'])
  assert.equal(rejected.length, 198)
  assert.ok(rejected.includes('a3') && rejected.includes('a2'))
})

test('fair queue › rejects the latest task if many clients have one task each', async () => {
  const { send, started, rejected, finish } = newTasks(2)
  for (const name of ['a', 'b', 'c', 'd']) send(name)
  await finish()
  assert.deepEqual(started, ['a', 'b', 'c'])
  assert.deepEqual(rejected, ['d'])
})

test('fair queue › runs preferred tasks first and rejects others for them', async () => {
  const { send, started, rejected, finish } = newTasks(2)
  for (const name of ['a', 'b', 'c']) send(name)
  send('preferred', 'a', true)
  await finish()
  assert.deepEqual(started, ['a', 'preferred', 'b'])
  assert.deepEqual(rejected, ['c'])
})

test('fair queue › does not prefer a client that was already served to waiting ones', async () => {
  const { send, started, finish } = newTasks(20)
  send('a0', 'a')
  send('a1', 'a')
  send('b0', 'b')
  await new Promise(setImmediate)
  send('a2', 'a')
  send('b1', 'b')
  await finish()
  assert.deepEqual(started, ['a0', 'b0', 'a1', 'b1', 'a2'])
})

test('fair queue › continues after a task that failed', async () => {
  const queue = newFairQueue({ runningMax: 1, waitingMax: 1 })
  const turn = { flow: ['a'] }
  await assert.rejects(
    queue.run(turn, () => Promise.reject(new Error('failed'))),
    /failed/,
  )
  assert.equal(await queue.run(turn, () => Promise.resolve('done')), 'done')
})

/** Acquires slots; `started` has the names of those that were acquired. */
function newAcquirer(queue: FairQueue) {
  const slots = new Map<string, Slot>()
  return {
    started: () => [...slots.keys()],
    async acquire(name: string, lane = 'point'): Promise<void> {
      void queue.acquire({ flow: [name.slice(0, 1), name], lane }).then(
        (slot) => slots.set(name, slot),
        () => undefined,
      )
      await new Promise(setImmediate)
    },
    async release(name: string, cost?: number): Promise<void> {
      slots.get(name)?.release(cost)
      slots.delete(name)
      await new Promise(setImmediate)
    },
  }
}

test('fair queue › limits each lane, and a full lane delays no other', async () => {
  const limits = { runningMax: 4, waitingMax: 20, lanesMax: { scan: 2, bulk: 1 } }
  const { started, acquire, release } = newAcquirer(newFairQueue(limits))
  for (const name of ['a1', 'a2', 'a3']) await acquire(name, 'scan')
  for (const name of ['a4', 'a5']) await acquire(name, 'bulk')
  await acquire('a6')
  assert.deepEqual(started(), ['a1', 'a2', 'a4', 'a6'])
  await release('a4')
  assert.deepEqual(started(), ['a1', 'a2', 'a6', 'a5'])
  await release('a1')
  assert.deepEqual(started(), ['a2', 'a6', 'a5', 'a3'])
})

test('fair queue › keeps its reserved slots for flows with fewer than two running tasks', async () => {
  const { started, acquire, release } = newAcquirer(
    newFairQueue({ runningMax: 5, waitingMax: 20, reservedCount: 2 }),
  )
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) await acquire(name)
  assert.deepEqual(started(), ['a1', 'a2', 'a3'])
  for (const name of ['b1', 'b2', 'b3']) await acquire(name)
  assert.deepEqual(started(), ['a1', 'a2', 'a3', 'b1', 'b2'])
  await release('a1')
  await release('a2')
  // Two slots are free again, and both flows hold one or two.
  assert.deepEqual(started(), ['a3', 'b1', 'b2', 'a4'])
})

test('fair queue › a single flow gets at least two slots of a queue with few', async () => {
  for (const [runningMax, startedCount] of [
    [1, 1],
    [2, 2],
    [3, 2],
    [10, 8],
  ] as const) {
    const queue = newFairQueue({ runningMax, waitingMax: 20, reservedCount: 2 })
    const { started, acquire } = newAcquirer(queue)
    for (let count = 0; count < 12; count += 1) await acquire(`a${count}`)
    assert.equal(started().length, startedCount)
  }
})

test('fair queue › charges what a task really cost', async () => {
  const { started, acquire, release } = newAcquirer(newFairQueue({ runningMax: 1, waitingMax: 20 }))
  await acquire('a1')
  for (const name of ['a2', 'b1', 'b2', 'b3']) await acquire(name)
  await release('a1', 2.5)
  for (const name of ['b1', 'b2', 'b3']) {
    assert.deepEqual(started(), [name])
    await release(name)
  }
  assert.deepEqual(started(), ['a2'])
})

test('fair queue › rejects a task that waits for too long, which is no longer served', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const arrivedLanes: string[] = []
  const rejectedLanes: string[] = []
  const waitedLanes: string[] = []
  const queue = newFairQueue(
    { runningMax: 1, waitingMax: 20 },
    {
      arrived: (lane) => arrivedLanes.push(lane),
      started: (lane) => waitedLanes.push(lane),
      rejected: (lane) => rejectedLanes.push(lane),
    },
  )
  const first = await queue.acquire({ flow: ['a'], lane: 'scan' })
  const late = queue.acquire({ flow: ['a'], lane: 'scan', waitMsMax: 1000 })
  const refused = assert.rejects(late, QueueFull)
  t.mock.timers.tick(1000)
  await refused
  assert.equal(queue.waitingCount, 0)
  const next = queue.acquire({ flow: ['a'], lane: 'point' })
  first.release()
  await next
  assert.deepEqual(arrivedLanes, ['scan', 'scan', 'point'])
  assert.deepEqual(rejectedLanes, ['scan'])
  assert.deepEqual(waitedLanes, ['scan', 'point'])
})

test('fair queue › rejects all waiting tasks at once, and continues', async () => {
  const { queue, send, rejected, started, finish } = newTasks(20)
  for (const name of ['a', 'b', 'c']) send(name)
  send('preferred', 'a', true)
  queue.rejectWaiting(new QueueFull('the first one failed'))
  await new Promise(setImmediate)
  assert.deepEqual(rejected.toSorted(), ['b', 'c', 'preferred'])
  send('d')
  await finish()
  assert.deepEqual(started, ['a', 'd'])
})

test('fair queue › an aborted task no longer waits', async () => {
  const queue = newFairQueue({ runningMax: 1, waitingMax: 20 })
  const first = await queue.acquire({ flow: ['a'] })
  const aborting = new AbortController()
  const { signal } = aborting
  const waiting = queue.acquire({ flow: ['a'], signal })
  aborting.abort(new Error('gone'))
  await assert.rejects(waiting, /gone/)
  await assert.rejects(queue.acquire({ flow: ['a'], signal }), /gone/)
  const next = queue.acquire({ flow: ['b'] })
  first.release()
  const slot = await next
  slot.release()
  assert.equal(queue.waitingCount, 0)
})
