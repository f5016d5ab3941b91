import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { isLockFailure } from './store-errors.ts'

// A migration that waits for a lock makes every later statement on that table wait behind it. So it waits only shortly,
// gives way, and is repeated as a whole: each migration is one transaction.

/** The limits of waiting for locks. */
export interface LockPatience {
  /**
   * The time that a statement of a migration waits for a lock. Shorter than a statement of a request may take, so
   * that requests that wait behind the migration are still answered.
   */
  lockTimeoutMs: number
  /** The delay before the first repetition, which doubles each time. */
  delayMs: number
  delayMsMax: number
  attemptsMax: number
}

/** About five minutes. */
export const LOCK_PATIENCE: LockPatience = {
  lockTimeoutMs: 1000,
  delayMs: 250,
  delayMsMax: 10_000,
  attemptsMax: 40,
}

/** A migration that could not lock a table. */
export interface LockWait {
  attempt: number
  delayMs: number
  /** The oldest open transaction of the database, which most likely holds the lock. */
  holder: LockHolder | undefined
}

/** A session with an open transaction. */
interface LockHolder {
  pid: number
  application: string
  state: string
  transactionSeconds: number
}

/** The error of a migration that could not lock a table in all attempts. Its message is one line for the operator. */
export class MigrationBlocked extends Error {
  override readonly name = 'MigrationBlocked'
}

/**
 * Calls `work`, which runs one transaction on the client, until it does not fail because of a lock. Errors:
 * MigrationBlocked after the last attempt, and those of `work`.
 */
export async function repeatWhileLocked<Result>(
  client: Client,
  { delayMs, delayMsMax, attemptsMax }: LockPatience,
  onWait: (wait: LockWait) => void,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isLockFailure(error)) throw error
      const holder = await findHolder(client)
      if (attempt >= attemptsMax) throw newBlocked(error, attempt, holder)
      const longest = Math.min(delayMs * 2 ** (attempt - 1), delayMsMax)
      // Processes that start together would otherwise meet again.
      const wait = { attempt, delayMs: Math.round(longest * (0.5 + Math.random() / 2)), holder }
      onWait(wait)
      await sleep(wait.delayMs)
    }
  }
}

function newBlocked(
  cause: unknown,
  attempts: number,
  holder: LockHolder | undefined,
): MigrationBlocked {
  const migration = cause instanceof Error ? cause.message : String(cause)
  const advice =
    holder === undefined
      ? 'start again when no other transaction is open'
      : `end the session ${holder.pid} (${holder.application || 'unnamed'}, ${holder.state}), whose transaction has been open for ${holder.transactionSeconds} s, with select pg_terminate_backend(${holder.pid}), and start again`
  return new MigrationBlocked(
    `${migration}: it could not lock a table in ${attempts} attempts; ${advice}`,
    { cause },
  )
}

async function findHolder(client: Client): Promise<LockHolder | undefined> {
  const { rows } = await client.query<LockHolder>(`
    select
      pid,
      coalesce(application_name, '') as application,
      coalesce(state, 'unknown') as state,
      round(extract(epoch from now() - xact_start))::int as "transactionSeconds"
    from pg_stat_activity
    where datname = current_database()
      and pid <> pg_backend_pid()
      and xact_start is not null
    order by xact_start
    limit 1`)
  return rows[0]
}
