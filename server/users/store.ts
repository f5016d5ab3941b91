import { sql } from 'kysely'
import { isSessionOver } from '../access/session.ts'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../tables.ts'

/** A person's account as it is stored. */
export interface NewUser {
  id: string
  email: string
  name: string
  passwordHash: string
}

/** Adds an account; an address that is taken in any letter case gives back the account that has it. */
export async function insertUser(db: Database, user: NewUser): Promise<string> {
  const { id } = await db
    .insertInto('user_account')
    .values({
      id: user.id,
      email: user.email,
      email_key: user.email.toLowerCase(),
      name: user.name,
      password_hash: user.passwordHash,
    })
    .onConflict((conflict) =>
      // Writing nothing would give nothing back: the row is set to what it is.
      conflict.column('email_key').doUpdateSet((eb) => ({ email: eb.ref('user_account.email') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Adds a session, and removes those of the same person that are over, in one statement. */
export async function insertSession(
  db: Database,
  clock: Clock,
  userId: string,
  tokenHash: Buffer,
): Promise<void> {
  await sql`
    with now as (
      select ${clock.now} as instant
    ),
    over as (
      delete from session
      using now
      where session.user_id = ${userId}
        and ${isSessionOver(sql`now.instant`)}
    )
    insert into session (token_hash, user_id, created_at, last_used_at)
    select ${tokenHash}::bytea, ${userId}::uuid, now.instant, now.instant
    from now
  `.execute(db)
}

/** Removes a session. */
export async function deleteSession(db: Database, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('session').where('token_hash', '=', tokenHash).execute()
}

/** Removes every session of a person. */
export async function deleteSessionsOf(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('session').where('user_id', '=', userId).execute()
}
