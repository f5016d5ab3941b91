import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { StoreUnavailable } from './store-errors.ts'
import { keyedQueue } from './keyed-queue.ts'

test('keyedQueue › runs work of one key sequentially, in order of arrival', async () => {
  const serialize = keyedQueue()
  const events: string[] = []
  const work = (name: string) =>
    serialize('k', async () => {
      events.push(`${name} begins`)
      await setImmediate()
      events.push(`${name} ends`)
      return name
    })
  assert.deepEqual(await Promise.all([work('a'), work('b'), work('c')]), ['a', 'b', 'c'])
  const expected = ['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`])
  assert.deepEqual(events, expected)
})

test('keyedQueue › runs different keys concurrently, also keys such as __proto__', async () => {
  const serialize = keyedQueue()
  const first = Promise.withResolvers<void>()
  const blocked = serialize('__proto__', () => first.promise)
  assert.equal(await serialize('constructor', async () => 'done'), 'done')
  first.resolve()
  await blocked
})

test('keyedQueue › continues after work that fails, immediately or later', async () => {
  const serialize = keyedQueue()
  const failing = serialize('k', async () => {
    await setImmediate()
    throw new Error('first')
  })
  const throwing = serialize('k', () => {
    throw new Error('second')
  })
  const after = serialize('k', async () => 'third')
  await assert.rejects(failing, /first/)
  await assert.rejects(throwing, /second/)
  assert.equal(await after, 'third')
  assert.equal(await serialize('k', async () => 'fourth'), 'fourth')
})

test('keyedQueue › queues work that arrives while the previous one ends', async () => {
  const serialize = keyedQueue()
  let running = 0
  let most = 0
  const work = async (depth: number): Promise<void> => {
    await serialize('k', async () => {
      running += 1
      most = Math.max(most, running)
      await setImmediate()
      running -= 1
    })
    if (depth > 0) await Promise.all([work(depth - 1), work(depth - 1)])
  }
  await work(6)
  assert.equal(most, 1)
})

test('keyedQueue › waits only once for an unavailable database', async (t) => {
  let nowMs = 0
  t.mock.method(performance, 'now', () => nowMs)
  const serialize = keyedQueue()
  const first = Promise.withResolvers<void>()
  const events: string[] = []
  const work = (name: string, outcome: Promise<void>) =>
    serialize('k', async () => {
      events.push(name)
      await outcome
    })
  const outcomes = ['first', 'second', 'third'].map((name) => work(name, first.promise))
  nowMs = 2000
  first.reject(new StoreUnavailable('away'))
  for (const outcome of outcomes) await assert.rejects(outcome, StoreUnavailable)
  assert.deepEqual(events, ['first'])

  // A connection that fails immediately does not fail the next one.
  const ended = Promise.reject<void>(new StoreUnavailable('ended'))
  ended.catch(() => undefined)
  const quick = work('quick', ended)
  const next = work('next', Promise.resolve())
  await assert.rejects(quick, StoreUnavailable)
  await next
  assert.deepEqual(events, ['first', 'quick', 'next'])
})

test('keyedQueue › runs as much work of a key at the same time as its width allows', async () => {
  const serialize = keyedQueue()
  let running = 0
  let most = 0
  const work = async (): Promise<void> => {
    running += 1
    most = Math.max(most, running)
    await setImmediate()
    running -= 1
  }
  await Promise.all(Array.from({ length: 20 }, () => serialize('k', work, 2)))
  assert.equal(most, 2)
})

test('keyedQueue › work joins the shortest sequence of its key', async () => {
  const serialize = keyedQueue()
  const first = Promise.withResolvers<void>()
  const blocked = serialize('k', () => first.promise, 2)
  for (const name of ['a', 'b', 'c']) assert.equal(await serialize('k', async () => name, 2), name)
  first.resolve()
  await blocked
})
