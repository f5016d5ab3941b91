import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import { mapInLoopTurns, takeLoopTurn } from './loop-turn.ts'

/** Counts the turns of the event loop until work ends. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  const ended = new AbortController()
  const done = work.finally(() => ended.abort())
  let count = 0
  while (!ended.signal.aborted) {
    await setImmediate()
    count += 1
  }
  await done
  return count
}

test('takeLoopTurn › callers get a turn each, in their order', async () => {
  const order: number[] = []
  const callers = Array.from({ length: 20 }, async (_, at) => {
    await takeLoopTurn()
    order.push(at)
  })
  assert.ok((await countTurns(Promise.all(callers))) >= 20)
  assert.deepEqual(
    order,
    [...order].toSorted((a, b) => a - b),
  )
  await takeLoopTurn()
})

test('takeLoopTurn › a caller that comes while others wait is served after them', async () => {
  const order: string[] = []
  const first = takeLoopTurn().then(async () => {
    order.push('first')
    await takeLoopTurn()
    order.push('first again')
  })
  const second = takeLoopTurn().then(() => order.push('second'))
  await Promise.all([first, second])
  assert.deepEqual(order, ['first', 'second', 'first again'])
})

test('mapInLoopTurns › maps every item in its order, a few in each turn', async () => {
  const items = Array.from({ length: 100 }, (_, at) => at)
  const size = { measure: () => 1, sizeMax: 10 }
  const mapped = mapInLoopTurns(items, size, (item) => item * 2)
  assert.ok((await countTurns(mapped)) >= 9)
  assert.deepEqual(
    await mapped,
    items.map((item) => item * 2),
  )
})

test('mapInLoopTurns › a large item gets its own turn; an empty list needs none', async () => {
  const size = { measure: (item: number) => item, sizeMax: 10 }
  assert.deepEqual(await mapInLoopTurns([100, 1, 100], size, String), ['100', '1', '100'])
  assert.deepEqual(await mapInLoopTurns([], size, String), [])
})
