import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilAborted, untilAbortedEach } from './signals.ts'

const REASON = new Error('the end')

test('untilAborted › returns the result of the promise, or throws its error', async () => {
  const { signal } = new AbortController()
  assert.equal(await untilAborted(Promise.resolve(1), signal), 1)
  await assert.rejects(untilAborted(Promise.reject(new Error('no')), signal), /no/)
})

test('untilAborted › stops waiting after an abort, and ignores later failures', async () => {
  const ending = new AbortController()
  const late = Promise.withResolvers<number>()
  const waiting = untilAborted(late.promise, ending.signal)
  ending.abort(REASON)
  await assert.rejects(waiting, REASON)
  late.reject(new Error('late'))
  // An unhandled rejection would end the process and fail this test.
  await new Promise(setImmediate)
})

test('untilAborted › ignores failures if it was already aborted', async () => {
  const failing = Promise.withResolvers<number>()
  await assert.rejects(untilAborted(failing.promise, AbortSignal.abort(REASON)), REASON)
  failing.reject(new Error('late'))
  await new Promise(setImmediate)
})

test('untilAbortedEach › yields each value, and closes the source when the reader stops or the signal aborts', async () => {
  const ended: string[] = []
  async function* numbers(name: string) {
    try {
      for (let n = 0; ; n += 1) yield n
    } finally {
      ended.push(name)
    }
  }
  const { signal } = new AbortController()
  for await (const n of untilAbortedEach(numbers('left'), signal)) if (n === 3) break
  const ending = new AbortController()
  await assert.rejects(async () => {
    for await (const n of untilAbortedEach(numbers('aborted'), ending.signal)) {
      if (n === 3) ending.abort(REASON)
    }
  }, REASON)
  await new Promise(setImmediate)
  assert.deepEqual(ended, ['left', 'aborted'])
})
