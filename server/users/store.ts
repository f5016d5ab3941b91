import { sql } from 'kysely'
import { isSessionOver } from '../access/session.ts'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../tables.ts'
import { emailKeyOf, type Account } from './user.ts'

// Whoever signs in again and again, by a program perhaps, keeps this many sessions: the latest used.
const SESSIONS_KEPT_MAX = 100

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
    .values(rowOf(user))
    .onConflict((conflict) =>
      // Writing nothing would give nothing back: the row is set to what it is.
      conflict.column('email_key').doUpdateSet((eb) => ({ email: eb.ref('user_account.email') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Adds an account, if none has the address. Says whether it did. */
export async function insertNewUser(db: Database, user: NewUser): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('user_account')
    .values(rowOf(user))
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

function rowOf({ id, email, name, passwordHash }: NewUser) {
  return { id, email, email_key: emailKeyOf(email), name, password_hash: passwordHash }
}

/** Finds the account that has an address, in whatever letter case. */
export async function findAccountByEmail(
  db: Database,
  email: string,
): Promise<Account | undefined> {
  return await db
    .selectFrom('user_account')
    .select(['id', 'password_hash as passwordHash'])
    .where('email_key', '=', emailKeyOf(email))
    .executeTakeFirst()
}

/** Finds an account by its id. */
export async function findAccount(db: Database, userId: string): Promise<Account | undefined> {
  return await db
    .selectFrom('user_account')
    .select(['id', 'password_hash as passwordHash'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

/** Finds how a person is called. */
export async function findPerson(
  db: Database,
  userId: string,
): Promise<{ id: string; name: string; email: string } | undefined> {
  return await db
    .selectFrom('user_account')
    .select(['id', 'name', 'email'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

/** Changes how a person is called. */
export async function updateName(db: Database, userId: string, name: string): Promise<void> {
  await db.updateTable('user_account').set({ name }).where('id', '=', userId).execute()
}

/** Changes a password, unless it was changed since it was looked at. Says whether it did. */
export async function updatePassword(
  db: Database,
  { id, passwordHash }: Account,
  newPasswordHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('user_account')
    .set({ password_hash: newPasswordHash })
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/**
 * Adds a session, and removes those of the same person that are over or too many, in one statement.
 * With a password's hash given, only while the account still has it: the lock on the account makes
 * this wait for whoever changes the password at this moment, and so no session outlives the password
 * that it was begun with. Says whether there is a session now.
 */
export async function insertSession(
  db: Database,
  clock: Clock,
  session: { userId: string; tokenHash: Buffer; passwordHash: string | undefined },
): Promise<boolean> {
  const { userId, tokenHash, passwordHash } = session
  const { numAffectedRows } = await sql`
    with now as (
      select ${clock.now} as instant
    ),
    account as (
      select id
      from user_account
      where id = ${userId}
        and password_hash = coalesce(${passwordHash ?? null}::text, password_hash)
      for share
    ),
    removed as (
      delete from session
      using now
      where session.user_id = ${userId}
        and (
          ${isSessionOver(sql`now.instant`)}
          or session.token_hash in (
            select kept.token_hash
            from session as kept
            where kept.user_id = ${userId}
            order by kept.last_used_at desc
            offset ${SESSIONS_KEPT_MAX - 1}
          )
        )
    )
    insert into session (token_hash, user_id, created_at, last_used_at)
    select ${tokenHash}::bytea, account.id, now.instant, now.instant
    from account
    cross join now
  `.execute(db)
  return numAffectedRows === 1n
}

/** Removes a session. */
export async function deleteSession(db: Database, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('session').where('token_hash', '=', tokenHash).execute()
}

/** Removes every session of a person. */
export async function deleteSessionsOf(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('session').where('user_id', '=', userId).execute()
}

/** Removes every session of a person who is a member of no organization any more. */
export async function deleteSessionsOfStranger(db: Database, userId: string): Promise<void> {
  await sql`
    delete from session
    where user_id = ${userId}
      and not exists (select from organization_member where user_id = ${userId})
  `.execute(db)
}
