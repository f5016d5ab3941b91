import assert from 'node:assert/strict'
import test from 'node:test'
import { createConnection } from './connection.ts'

function newConnection(answers: readonly boolean[]) {
  const left = [...answers]
  const waits: number[] = []
  const changes: boolean[] = []
  const connection = createConnection({
    probe: async () => left.shift() ?? true,
    wait: async (milliseconds) => void waits.push(milliseconds),
  })
  connection.subscribe(() => changes.push(connection.isLost()))
  return { connection, waits, changes, left }
}

test('check › reports nothing when the server answers', async () => {
  const { connection, changes, waits } = newConnection([true])
  assert.equal(await connection.check(), true)
  assert.deepEqual([changes, waits], [[], []])
})

test('check › reports a lost connection once, and that it is back', async () => {
  const { connection, changes, waits } = newConnection([false, false, false, false, false, true])
  assert.equal(await connection.check(), false)
  await connection.untilBack()
  assert.deepEqual(changes, [true, false])
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 8000])
})

test('check › runs one check at a time', async () => {
  const { connection, left } = newConnection([false, true, true])
  const results = await Promise.all([connection.check(), connection.check()])
  assert.deepEqual(results, [false, false])
  await connection.untilBack()
  assert.deepEqual(left, [true])
  assert.equal(connection.isLost(), false)
})
