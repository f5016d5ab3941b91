import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAhead } from './parallel.ts'

async function* breakAfterOne(): AsyncGenerator<number> {
  yield 1
  throw new Error('broken')
}

test('readAhead › requests one item ahead of the caller', async () => {
  const requested: number[] = []
  async function* list(): AsyncGenerator<number> {
    for (let item = 1; item <= 4; item += 1) {
      requested.push(item)
      yield item
    }
  }
  const seen: number[][] = []
  for await (const item of readAhead(list())) {
    // The next item arrives in one of the next microtasks.
    await Promise.resolve()
    seen.push([item, requested.length])
  }
  assert.deepEqual(seen, [
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 4],
  ])
})

test('readAhead › throws an error after the items before it', async () => {
  const seen: number[] = []
  const reading = async (): Promise<void> => {
    for await (const item of readAhead(breakAfterOne())) seen.push(item)
  }
  await assert.rejects(reading, /broken/)
  assert.deepEqual(seen, [1])
})

test('readAhead › ends the listing if the caller stops', async () => {
  const ended = Promise.withResolvers<void>()
  async function* list(): AsyncGenerator<number> {
    try {
      for (;;) yield 1
    } finally {
      ended.resolve()
    }
  }
  for await (const _ of readAhead(list())) break
  await ended.promise
})
