import { sql } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../tables.ts'

/** The number of free failed attempts, and the longest wait after further ones. */
export interface AttemptLimit {
  freeMax: number
  waitSecondsMax: number
}

const FORGOTTEN_AFTER = sql`interval '1 day'`
const PLACE_KNOWN_FOR = sql`interval '30 days'`
const SWEPT_AT_ONCE = 20

/**
 * Records an attempt before it is made, unless it has to wait. One statement decides, and the row lock
 * serializes concurrent attempts. After the free attempts the wait doubles from one second. Also removes some
 * expired counters. Returns 0 if the attempt may be made, otherwise the seconds to wait.
 */
export async function recordAttempt(
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
        where guessed_at < (select instant from now) - ${PLACE_KNOWN_FOR}
          and subject <> ${subject}::bytea
        order by guessed_at
        limit ${SWEPT_AT_ONCE}
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
          when known.guessed_at < excluded.guessed_at - ${FORGOTTEN_AFTER} then 1
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
  // Who lost the turn to another at this instant sees no wait yet.
  return taken ? 0 : Math.max(1, Math.ceil(waitSeconds))

  function openAt(row: ReturnType<typeof sql>) {
    return sql`${row}.guessed_at + interval '1 second' * case
      when ${row}.guess_count < ${freeMax}::int then 0
      else least(${waitSecondsMax}::int, 2 ^ least(${row}.guess_count - ${freeMax}::int, 30))
    end`
  }
}

/** Lists the subjects with a successful sign-in within the last thirty days. */
export async function listKnownPlaces(
  db: Database,
  clock: Clock,
  subjects: readonly Buffer[],
): Promise<Buffer[]> {
  const { rows } = await sql<{ subject: Buffer }>`
    select subject
    from password_guess
    where subject = any(${subjects}::bytea[])
      and succeeded_at > ${clock.now} - ${PLACE_KNOWN_FOR}
  `.execute(db)
  return rows.map(({ subject }) => subject)
}

/** Resets the count after a success, and records the success. */
export async function upsertSuccess(db: Database, clock: Clock, subject: Buffer): Promise<void> {
  await sql`
    insert into password_guess as known (subject, guess_count, guessed_at, succeeded_at)
    select ${subject}::bytea, 0, now.instant, now.instant
    from (select ${clock.now} as instant) as now
    on conflict (subject) do update
    set guess_count = 0, guessed_at = excluded.guessed_at, succeeded_at = excluded.succeeded_at
  `.execute(db)
}

/** Resets the count. */
export async function deleteAttempts(db: Database, subject: Buffer): Promise<void> {
  await db.deleteFrom('password_guess').where('subject', '=', subject).execute()
}

/** Takes back one guess that was right: an address is counted by its wrong ones. */
export async function giveGuessBack(db: Database, subject: Buffer): Promise<void> {
  await sql`
    update password_guess
    set guess_count = greatest(0, guess_count - 1)
    where subject = ${subject}
  `.execute(db)
}
