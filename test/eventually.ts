import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../server/tables.ts'

// A poll may open a connection: without a pause, it would occupy a processor.
const pauseMs = 20

/** Polls a condition until it is true; fails after a timeout. */
export async function eventually(
  limitMs: number,
  isSo: () => Promise<boolean>,
  message: string,
): Promise<void> {
  const deadlineMs = performance.now() + limitMs
  while (performance.now() < deadlineMs) {
    if (await isSo()) return
    await sleep(pauseMs)
  }
  assert.fail(`${message} within ${limitMs} ms`)
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
