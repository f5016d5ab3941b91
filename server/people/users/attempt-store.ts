import { SYSTEM } from '../../ledger/activity/entry.ts'
import { appendAccountActivity } from '../../ledger/activity/record.ts'
import { sql } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'

/** The number of attempts without a wait, and the maximum wait before further ones. */
export interface AttemptLimit {
  freeMax: number
  waitSecondsMax: number
}

const RESET_AFTER = sql`interval '1 day'`
const TRUSTED_FOR = sql`interval '30 days'`
const SWEEP_MAX = 20

/**
 * Records an attempt as failed before it is made, unless the subject must wait. It is one statement whose row lock
 * serializes concurrent attempts, so they cannot exceed the limit. After the free attempts the wait doubles from one
 * second. The statement also removes a few expired counters.
 *
 * Returns 0 if the attempt may be made, otherwise the seconds to wait.
 */
export async function recordFailedAttempt(
  db: Database,
  clock: Clock,
  subject: Buffer,
  { freeMax, waitSecondsMax }: AttemptLimit,
): Promise<number> {
  const { rows } = await sql<{ taken: boolean; wait_s: number }>`
    with now as (
      select ${clock.now} as instant
    ),
    swept as (
      delete from password_guess
      where subject in (
        select subject
        from password_guess
        where guessed_at < (select instant from now) - ${TRUSTED_FOR}
          and subject <> ${subject}::bytea
        order by guessed_at
        limit ${SWEEP_MAX}
        for update skip locked
      )
    ),
    taken as (
      insert into password_guess as known (subject, guess_count, guessed_at)
      select ${subject}::bytea, 1, instant
      from now
      on conflict (subject) do update
      set
        guess_count = case
          when known.guessed_at < excluded.guessed_at - ${RESET_AFTER} then 1
          else known.guess_count + 1
        end,
        guessed_at = excluded.guessed_at
      where ${openAt(sql`known`)} <= excluded.guessed_at
      returning known.guess_count
    )
    select
      exists (select from taken) as taken,
      coalesce((
        select extract(epoch from ${openAt(sql`password_guess`)} - now.instant)
        from password_guess
        cross join now
        where subject = ${subject}::bytea
      ), 0)::float8 as wait_s
  `.execute(db)
  const [{ taken, wait_s: waitSeconds } = { taken: false, wait_s: 0 }] = rows
  // An attempt that lost a race sees no wait yet.
  return taken ? 0 : Math.max(1, Math.ceil(waitSeconds))

  function openAt(row: ReturnType<typeof sql>) {
    return sql`${row}.guessed_at + interval '1 second' * case
      when ${row}.guess_count < ${freeMax}::int then 0
      else least(${waitSecondsMax}::int, 2 ^ least(${row}.guess_count - ${freeMax}::int, 30))
    end`
  }
}

/** Lists the subjects that had a successful attempt within the last thirty days. */
export async function listRecentSuccesses(
  db: Database,
  clock: Clock,
  subjects: readonly Buffer[],
): Promise<Buffer[]> {
  const { rows } = await sql<{ subject: Buffer }>`
    select subject
    from password_guess
    where subject = any(${subjects}::bytea[])
      and succeeded_at > ${clock.now} - ${TRUSTED_FOR}
  `.execute(db)
  return rows.map(({ subject }) => subject)
}

/** Resets the count after a successful attempt, and records the success. */
export async function upsertSuccess(db: Database, clock: Clock, subject: Buffer): Promise<void> {
  await sql`
    insert into password_guess as known (subject, guess_count, guessed_at, succeeded_at)
    select ${subject}::bytea, 0, now.instant, now.instant
    from (select ${clock.now} as instant) as now
    on conflict (subject) do update
    set guess_count = 0, guessed_at = excluded.guessed_at, succeeded_at = excluded.succeeded_at
  `.execute(db)
}

/**
 * Records a rejected password for each account of the address. It writes to the database also if there is none, so that
 * the duration does not reveal which addresses have accounts.
 */
export async function recordRejection(
  db: Database,
  clock: Clock,
  { subject, userIds, requestId }: { subject: Buffer; userIds: string[]; requestId: string },
): Promise<void> {
  await sql`
    with touched as (
      update password_guess
      set guess_count = guess_count
      where subject = ${subject}
    ),
    rejected as (
      select user_id, ${clock.now} as at
      from unnest(${userIds}::uuid[]) as account (user_id)
    )
    ${appendAccountActivity({ principal: SYSTEM.principal, requestId }, { action: 'sign-in-failed' }, 'rejected')}
  `.execute(db)
}

/** Resets the count. */
export async function deleteAttempts(db: Database, subject: Buffer): Promise<void> {
  await db.deleteFrom('password_guess').where('subject', '=', subject).execute()
}

/** Removes a successful attempt from the count, which is of failed ones. */
export async function releaseAttempt(db: Database, subject: Buffer): Promise<void> {
  await sql`
    update password_guess
    set guess_count = greatest(0, guess_count - 1)
    where subject = ${subject}
  `.execute(db)
}
