import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { onStore } from '../../../test/stores.ts'
import { fixedClock, type Clock } from '../../platform/kit/clock.ts'
import { listRecentSuccesses, recordFailedAttempt, upsertSuccess } from './attempt-store.ts'

const LIMIT = { freeMax: 5, waitSecondsMax: 900 }
const START_MS = Date.UTC(2031, 0, 1)

function after(seconds: number): Clock {
  return fixedClock(new Date(START_MS + seconds * 1000).toISOString())
}

onStore((store) => {
  const guess = (subject: Buffer, seconds: number): Promise<number> =>
    recordFailedAttempt(store().db, after(seconds), subject, LIMIT)

  test('recordFailedAttempt › allows five without a wait, which then doubles from a second to a quarter of an hour', async () => {
    const subject = randomBytes(32)
    for (let count = 0; count < 5; count += 1) assert.equal(await guess(subject, 0), 0)
    const waits: number[] = []
    let now = 0
    for (let count = 0; count < 13; count += 1) {
      const seconds = await guess(subject, now)
      waits.push(seconds)
      // An attempt during the wait changes nothing.
      assert.equal(await guess(subject, now + seconds - 0.001), 1)
      now += seconds
      assert.equal(await guess(subject, now), 0)
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
  })

  test('recordFailedAttempt › resets the count after a day without attempts, but not after an hour', async () => {
    const subject = randomBytes(32)
    for (let count = 0; count < 7; count += 1) await guess(subject, count * 10)
    assert.equal(await guess(subject, 60), 4)
    assert.equal(await guess(subject, 3660), 0)
    assert.equal(await guess(subject, 3660), 8)
    const nextDay = 3660 + 24 * 60 * 60 + 1
    for (let count = 0; count < 5; count += 1) assert.equal(await guess(subject, nextDay), 0)
    assert.equal(await guess(subject, nextDay), 1)
  })

  test('recordFailedAttempt › allows five of forty concurrent attempts', async () => {
    const subject = randomBytes(32)
    const waits = await Promise.all(Array.from({ length: 40 }, () => guess(subject, 0)))
    assert.equal(waits.filter((seconds) => seconds === 0).length, 5)
    assert.ok(
      waits.every((seconds) => seconds === 0 || seconds === 1),
      String(waits),
    )
  })

  test('recordFailedAttempt › allows concurrent subjects in any order, and sweeps old ones', async () => {
    const subjects = Array.from({ length: 50 }, () => randomBytes(32))
    await Promise.all(subjects.map((subject) => guess(subject, 0)))
    const month = 31 * 24 * 60 * 60
    const later = subjects.toReversed()
    const waits = await Promise.all(later.map((subject) => guess(subject, month)))
    assert.ok(waits.every((seconds) => seconds === 0))
    for (let count = 0; count < 10; count += 1) await guess(randomBytes(32), 2 * month + 1)
    const { rows } = await store().pool.query(
      "select count(*)::int as count from password_guess where guessed_at < '2031-02-28'",
    )
    assert.deepEqual(rows, [{ count: 0 }])
  })

  test('listRecentSuccesses › lists subjects for thirty days after a success', async () => {
    const { db } = store()
    const subject = randomBytes(32)
    const month = 30 * 24 * 60 * 60
    await guess(subject, 0)
    assert.deepEqual(await listRecentSuccesses(db, after(1), [subject]), [])
    await upsertSuccess(db, after(1), subject)
    for (let count = 0; count < 5; count += 1) assert.equal(await guess(subject, 2), 0)
    assert.deepEqual(await listRecentSuccesses(db, after(month), [subject]), [subject])
    assert.deepEqual(await listRecentSuccesses(db, after(month + 1), [subject]), [])
  })
})
