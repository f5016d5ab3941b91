import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newFairQueue, QueueFull, type FairQueue } from './fair-queue.ts'

/** A queue whose tasks end on request of the test. */
function newTasks(waitingMax: number) {
  const queue: FairQueue = newFairQueue({ runningMax: 1, waitingMax })
  const started: string[] = []
  const rejected: string[] = []
  const ends: (() => void)[] = []
  return {
    queue,
    started,
    rejected,
    send(name: string, client = name, isPreferred = false): void {
      queue
        .run({ client, isPreferred }, async () => {
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
  const turn = { client: 'a', isPreferred: false }
  await assert.rejects(
    queue.run(turn, () => Promise.reject(new Error('failed'))),
    /failed/,
  )
  assert.equal(await queue.run(turn, () => Promise.resolve('done')), 'done')
})
