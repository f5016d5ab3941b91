import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { StoreUnavailable } from './store-errors.ts'
import { keyedQueue } from './keyed-queue.ts'
import { asOneRequest, REQUEST_TIMEOUT_MS, shareInRequest, withinRequest } from './request-wait.ts'

const TOTAL_MS = 2400
const STATEMENT_MIN_MS = 450
const LIMITS = { connectTimeoutMs: 1000, queryTimeoutMs: 1300, requestTimeoutMs: TOTAL_MS }

let nowMs = 0

beforeEach(() => {
  nowMs = 0
  mock.timers.enable({ apis: ['setTimeout'] })
  mock.method(performance, 'now', () => nowMs)
})

// A mock of a mock would be restored to the first one.
afterEach(() => {
  mock.timers.reset()
  mock.reset()
})

/** Advances the time. */
function pass(milliseconds: number): void {
  nowMs += milliseconds
  mock.timers.tick(milliseconds)
}

/** Waits for a database that responds after a time. */
async function statement(milliseconds: number): Promise<void> {
  const answered = Promise.withResolvers<void>()
  const done = withinRequest(LIMITS, () => answered.promise)
  pass(milliseconds)
  answered.resolve()
  await done
}

/** Waits for a database that never responds, or for something else that never ends, and returns for how long. */
async function silence(
  wait: () => Promise<unknown> = () => withinRequest(LIMITS, () => new Promise(() => undefined)),
): Promise<number> {
  const startedAtMs = nowMs
  const errors: unknown[] = []
  const ended = wait().catch((error: unknown) => errors.push(error))
  while (errors.length === 0) {
    assert.ok(nowMs - startedAtMs < 2 * TOTAL_MS, 'it waits without a limit')
    pass(1)
    await new Promise(setImmediate)
  }
  await ended
  assert.ok(errors[0] instanceof StoreUnavailable)
  return nowMs - startedAtMs
}

test('withinRequest › applies one limit to all statements of a request', async () => {
  await asOneRequest(async () => {
    await statement(1000)
    await statement(1000)
    assert.equal(await silence(), STATEMENT_MIN_MS)
  })
  await asOneRequest(async () => {
    await statement(1000)
    assert.equal(await silence(), TOTAL_MS - 1000)
  })
})

/** Waits for a look-up of another request that never ends. */
const lookUp = (): Promise<unknown> => shareInRequest(new Promise(() => undefined))

test('shareInRequest › counts the look-up of another request, and limits it', async () => {
  await asOneRequest(async () => {
    await statement(1000)
    assert.equal(await silence(lookUp), REQUEST_TIMEOUT_MS - 1000)
    assert.equal(await silence(lookUp), STATEMENT_MIN_MS)
    assert.equal(await silence(), STATEMENT_MIN_MS)
  })
})

test('withinRequest › counts concurrent statements once', async () => {
  await asOneRequest(async () => {
    const both = [statement(0), statement(600)]
    await Promise.all(both)
    assert.equal(await silence(), TOTAL_MS - 600)
  })
})

test('withinRequest › does not count work between the statements', async () => {
  await asOneRequest(async () => {
    pass(10 * TOTAL_MS)
    await statement(1000)
    assert.equal(await silence(), TOTAL_MS - 1000)
  })
})

test('withinRequest › still grants each statement a short time after the limit', async () => {
  await asOneRequest(async () => {
    for (let count = 0; count < 10; count += 1) await statement(STATEMENT_MIN_MS - 1)
    await assert.rejects(statement(STATEMENT_MIN_MS), StoreUnavailable)
  })
})

test('keyedQueue › counts the time in the queue as part of the request', async () => {
  const serialize = keyedQueue()
  const before = Promise.withResolvers<void>()
  const first = asOneRequest(() => serialize('k', () => before.promise))
  const second = asOneRequest(() => serialize('k', silence))
  pass(1500)
  before.resolve()
  await first
  assert.equal(await second, TOTAL_MS - 1500)
})

test('withinRequest › has no limit outside a request, or for work that continues after it', async () => {
  await statement(10 * TOTAL_MS)
  const answered = Promise.withResolvers<void>()
  let goesOn: Promise<void> | undefined
  await asOneRequest(async () => {
    goesOn = answered.promise.then(() => statement(10 * TOTAL_MS))
  })
  answered.resolve()
  await goesOn
})
