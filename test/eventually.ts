import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../server/platform/tables.ts'

// A poll may open a connection: without a pause, it would occupy a processor.
const pauseMs = 20
// What the product asks for with a 503.
const repeatPauseMs = 1000

// On a busy machine, everything may take many times as long.
const busyFactor = 20
const busyMsMin = 60_000

/** Whether the tests of processes run for long, one at a time on an idle machine: `npm run faults`. */
export const isLong = process.env.PORTBOOK_FAULTS === 'long'

/**
 * Returns the limit of a time that the product promises: the promise itself in `npm run faults`, and otherwise much more,
 * because other tests run at the same time.
 */
export function toLimit(milliseconds: number): number {
  return isLong ? milliseconds : Math.max(busyFactor * milliseconds, busyMsMin)
}

/** Polls a condition until it is true; fails after the limit of a promised time. */
export async function eventually(
  promisedMs: number,
  isSo: () => Promise<boolean>,
  message: string,
): Promise<void> {
  const limitMs = toLimit(promisedMs)
  const deadlineMs = performance.now() + limitMs
  while (performance.now() < deadlineMs) {
    if (await isSo()) return
    await sleep(pauseMs)
  }
  assert.fail(`${message} within ${limitMs} ms`)
}

/**
 * Sends a request again, once a second, while its answer only means that the machine is busy; never in `npm run faults`,
 * whose machine is idle. Returns the last answer.
 */
export async function repeatWhileBusy<Answer>(
  send: () => Promise<Answer>,
  isBusy: (answer: Answer) => boolean,
): Promise<Answer> {
  const deadlineMs = performance.now() + (isLong ? 0 : busyMsMin)
  for (;;) {
    const answer = await send()
    if (!isBusy(answer) || performance.now() >= deadlineMs) return answer
    await sleep(repeatPauseMs)
  }
}

/** Waits until a statement in this PostgreSQL database waits for a lock; fails after five seconds. */
export async function untilBlocked(db: Database): Promise<void> {
  const isBlocked = async (): Promise<boolean> => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
    `.execute(db)
    return rows.length > 0
  }
  await eventually(5000, isBlocked, 'a statement waits for a lock')
}
