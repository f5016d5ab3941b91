import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnavailable } from './store-errors.ts'
import { newGroupedInserts, type InsertRow, type InsertRows } from './grouped-inserts.ts'

const row = (document: string): InsertRow => ({ columns: {}, document })

/** An insert whose statements end when the test lets them. */
function newScriptedInsert() {
  const groups: string[][] = []
  const ends: PromiseWithResolvers<void>[] = []
  const insert: InsertRows = async (rows) => {
    groups.push(rows.map(({ document }) => document))
    const end = Promise.withResolvers<void>()
    ends.push(end)
    await end.promise
  }
  return { groups, insert, end: (at: number) => ends[at] ?? Promise.withResolvers<void>() }
}

async function settle(): Promise<void> {
  await new Promise((done) => setImmediate(done))
}

test('grouped inserts › write a single row at once, and those that arrive during its statement together', async () => {
  const inserts = newGroupedInserts()
  const { groups, insert, end } = newScriptedInsert()
  const all = ['a', 'b', 'c'].map((document) => inserts.add('t', row(document), insert))
  assert.deepEqual(groups, [['a']])
  end(0).resolve()
  await all[0]
  await settle()
  assert.deepEqual(groups, [['a'], ['b', 'c']])
  end(1).resolve()
  await Promise.all(all)
  const later = inserts.add('t', row('d'), insert)
  assert.deepEqual(groups.at(-1), ['d'])
  end(2).resolve()
  await later
})

test('grouped inserts › keep tables apart', async () => {
  const inserts = newGroupedInserts()
  const { groups, insert, end } = newScriptedInsert()
  const both = [inserts.add('t', row('a'), insert), inserts.add('u', row('b'), insert)]
  assert.deepEqual(groups, [['a'], ['b']])
  end(0).resolve()
  end(1).resolve()
  await Promise.all(both)
})

test('grouped inserts › limit the rows and characters of a statement, but write every row', async () => {
  const inserts = newGroupedInserts()
  const sizes: number[] = []
  const insert: InsertRows = async (rows) => {
    sizes.push(rows.length)
  }
  const large = 'x'.repeat(1_500_000)
  const documents = [...Array.from({ length: 401 }, () => 'x'), large, large]
  await Promise.all(documents.map((document) => inserts.add('t', row(document), insert)))
  assert.deepEqual(sizes, [1, 200, 200, 1, 1])
})

test('grouped inserts › report an error to the rows of its statement only', async () => {
  const inserts = newGroupedInserts()
  const { groups, insert, end } = newScriptedInsert()
  const results = Promise.allSettled(
    ['a', 'b'].map((document) => inserts.add('t', row(document), insert)),
  )
  end(0).reject(new Error('rejected'))
  await settle()
  assert.deepEqual(groups, [['a'], ['b']])
  end(1).resolve()
  assert.deepEqual(
    (await results).map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
})

test('grouped inserts › only the rows that the database rejects fail', async () => {
  const inserts = newGroupedInserts()
  const groups: number[] = []
  const insert: InsertRows = async (rows) => {
    groups.push(rows.length)
    await settle()
    if (rows.some(({ document }) => document === 'bad')) throw new Error('rejected')
  }
  const documents = ['first', 'good', 'bad', 'good', 'bad']
  const results = await Promise.allSettled(
    documents.map((document) => inserts.add('t', row(document), insert)),
  )
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'rejected'],
  )
  assert.deepEqual(groups, [1, 4, 2, 1, 1, 2, 1, 1])
})

test('grouped inserts › find a rejected row among many with few statements', async () => {
  const inserts = newGroupedInserts()
  let count = 0
  const insert: InsertRows = async (rows) => {
    count += 1
    await settle()
    if (rows.some(({ document }) => document === 'bad')) throw new Error('rejected')
  }
  const documents = Array.from({ length: 129 }, (_, at) => (at === 40 ? 'bad' : 'good'))
  const results = await Promise.allSettled(
    documents.map((document) => inserts.add('t', row(document), insert)),
  )
  assert.deepEqual(
    results.flatMap(({ status }, at) => (status === 'rejected' ? [at] : [])),
    [40],
  )
  assert.equal(count, 1 + 1 + 7 * 2)
})

test('grouped inserts › fail the remaining rows when the database becomes unavailable after a rejection', async () => {
  const inserts = newGroupedInserts()
  const { groups, insert, end } = newScriptedInsert()
  const results = Promise.allSettled(
    ['a', 'b', 'c', 'd', 'e'].map((document) => inserts.add('t', row(document), insert)),
  )
  const ends = ['done', new Error('rejected'), 'done', new StoreUnavailable('away')]
  for (const [at, result] of ends.entries()) {
    if (typeof result === 'string') end(at).resolve()
    else end(at).reject(result)
    await settle()
  }
  assert.deepEqual(
    (await results).map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
  )
  assert.deepEqual(groups, [['a'], ['b', 'c', 'd', 'e'], ['b', 'c'], ['d', 'e']])
})

test('grouped inserts › fail all waiting rows when the database is unavailable', async () => {
  const inserts = newGroupedInserts()
  const { groups, insert, end } = newScriptedInsert()
  const results = Promise.allSettled(
    ['a', 'b', 'c'].map((document) => inserts.add('t', row(document), insert)),
  )
  end(0).reject(new StoreUnavailable('away'))
  assert.deepEqual(
    (await results).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
  assert.equal(groups.length, 1)
})
