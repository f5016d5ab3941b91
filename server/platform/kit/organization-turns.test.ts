import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workInTurns } from './organization-turns.ts'

/** Organizations with numbers of pieces of work, and the order in which these are done. */
function newWork(pieces: Record<string, number>, limit = 10) {
  const order: string[] = []
  const left = new Map(Object.entries(pieces))
  return {
    order,
    left,
    limit,
    async list({
      after,
      except,
      limit: max,
    }: {
      after: string
      except: readonly string[]
      limit: number
    }) {
      return [...left.keys()]
        .filter((id) => (left.get(id) ?? 0) > 0 && id > after && !except.includes(id))
        .toSorted()
        .slice(0, max)
    },
    async work(id: string): Promise<boolean> {
      order.push(id)
      left.set(id, (left.get(id) ?? 0) - 1)
      return true
    },
  }
}

test('organizations in turn › do one piece of work each, however much one has', async () => {
  const work = newWork({ a: 4, b: 1, c: 2 })
  assert.equal(await workInTurns(work), true)
  assert.deepEqual(work.order, ['a', 'b', 'c', 'a', 'c', 'a', 'a'])
})

test('organizations in turn › those that did not fit into a page come before the next round', async () => {
  const work = newWork({ a: 3, b: 3, c: 1, d: 1 }, 2)
  assert.equal(await workInTurns(work), true)
  assert.deepEqual(work.order, ['a', 'b', 'c', 'd', 'a', 'b', 'a', 'b'])
})

test('organizations in turn › one that has work later joins the next round', async () => {
  const work = newWork({ b: 3 })
  const done = await workInTurns({
    ...work,
    async work(id) {
      if (work.order.length === 0) work.left.set('a', 1)
      return await work.work(id)
    },
  })
  assert.equal(done, true)
  assert.deepEqual(work.order, ['b', 'a', 'b', 'b'])
})

test('organizations in turn › one that is left out does not keep the others from ending', async () => {
  const work = newWork({ a: 2, b: 2 })
  const done = await workInTurns({
    ...work,
    work: async (id) => (await work.work(id)) && id !== 'a',
  })
  assert.equal(done, false)
  assert.deepEqual(work.order, ['a', 'b', 'b'])
})

test('organizations in turn › ends when it is stopped', async () => {
  const work = newWork({ a: 2, b: 2 })
  const done = await workInTurns({ ...work, isStopped: () => work.order.length === 1 })
  assert.equal(done, false)
  assert.deepEqual(work.order, ['a'])
})
