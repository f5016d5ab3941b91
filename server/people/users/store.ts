import { keepName } from '../../ledger/activity/person-record.ts'
import { appendAccountActivity } from '../../ledger/activity/record.ts'
import { sql } from 'kysely'
import { isSessionOver } from '../../requests/access/session.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { toEmailKey, type Account } from './user.ts'

// A person who signs in repeatedly, for example with a program, keeps only this many recently used sessions.
const SESSIONS_KEPT_MAX = 100

// The first half of the key of an advisory lock, the same in all processes.
const ADDRESS_LOCK = 7_276_223

/** An account row ready to insert. */
interface NewUser {
  id: string
  email: string
  name: string
  passwordHash: string
}

/**
 * Serializes the transactions that add accounts or members with one address, until the end of the
 * transaction.
 */
export async function lockAddress(db: Database, email: string): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(${ADDRESS_LOCK}, hashtext(${toEmailKey(email)}))
  `.execute(db)
}

/** Inserts an account. Other accounts may have the same address. */
export async function insertUser(db: Database, user: NewUser): Promise<void> {
  const { id, email, name, passwordHash } = user
  const row = { id, email, email_key: toEmailKey(email), name, password_hash: passwordHash }
  await db.insertInto('user_account').values(row).execute()
}

/** Lists the accounts with an address, in any letter case, by the time of their last password change, newest first. */
export async function listAccounts(db: Database, email: string): Promise<Account[]> {
  return await db
    .selectFrom('user_account')
    .select(['id', 'password_hash as passwordHash'])
    .where('email_key', '=', toEmailKey(email))
    .orderBy('password_changed_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/**
 * Disables the passwords of the accounts with an address that belong to no organization, and ends their sessions.
 * Returns the ID of the one whose last organization was the given one, if any.
 */
export async function retireNonMembers(
  db: Database,
  email: string,
  organizationId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    with retired as (
      update user_account
      set password_hash = ''
      where email_key = ${toEmailKey(email)}
        and not exists (select from organization_member where user_id = user_account.id)
      returning id, last_organization_id, created_at
    ),
    ended as (
      delete from session
      using retired
      where session.user_id = retired.id
    )
    select id
    from retired
    where last_organization_id = ${organizationId}
    order by created_at
    limit 1
  `.execute(db)
  return rows[0]?.id
}

/** Records the organization that a person has just left. */
export async function updateLastOrganization(
  db: Database,
  userId: string,
  organizationId: string,
): Promise<void> {
  await db
    .updateTable('user_account')
    .set({ last_organization_id: organizationId })
    .where('id', '=', userId)
    .execute()
}

/** Finds an account by its ID. */
export async function findAccount(db: Database, userId: string): Promise<Account | undefined> {
  return await db
    .selectFrom('user_account')
    .select(['id', 'password_hash as passwordHash'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

/** Finds the name and address of a person. */
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

/** Updates the name of a person, unless the person was erased. */
export async function updateName(
  db: Database,
  userId: string,
  { name, requestId }: { name: string; requestId: string },
): Promise<void> {
  await sql`
    with renamed as (
      update user_account
      set name = ${name}
      where id = ${userId}
        and name <> ${name}
        and erased_at is null
      returning id as user_id, clock_timestamp() as at
    ),
    named as (${keepName(
      {
        kind: 'account',
        organizationId: sql`organization_member.organization_id`,
        id: sql`organization_member.user_id`,
        name,
        person: sql`organization_member.user_id`,
      },
      sql`from renamed
    join organization_member on organization_member.user_id = renamed.user_id`,
    )}
    )
    ${appendAccountActivity({ requestId }, { action: 'renamed' }, 'renamed')}
  `.execute(db)
}

/** Sets the password of an account, and its name and address if given. */
export async function setPassword(
  db: Database,
  userId: string,
  account: { passwordHash: string; name?: string; email?: string; requestId?: string },
): Promise<void> {
  const { passwordHash, name = null, email = null, requestId = '' } = account
  await sql`
    with changed as (
      update user_account
      set password_hash = ${passwordHash}, password_changed_at = clock_timestamp(),
        name = coalesce(${name}, name), email = coalesce(${email}, email)
      where id = ${userId}
      returning id as user_id, password_changed_at as at
    )
    ${appendAccountActivity({ requestId }, { action: 'password-reset' }, 'changed')}
  `.execute(db)
}

/** Updates a password, unless it has changed since it was read. Returns whether it was updated. */
export async function updatePassword(
  db: Database,
  { id, passwordHash }: Account,
  newPasswordHash: string,
  requestId: string,
): Promise<boolean> {
  const { rows } = await sql`
    with changed as (
      update user_account
      set password_hash = ${newPasswordHash}, password_changed_at = clock_timestamp()
      where id = ${id}
        and password_hash = ${passwordHash}
      returning id as user_id, password_changed_at as at
    ),
    recorded as (
      ${appendAccountActivity({ requestId }, { action: 'password-changed' }, 'changed')}
    )
    select user_id
    from changed
  `.execute(db)
  return rows.length > 0
}

/**
 * Inserts a session, and removes the person's sessions that have expired or exceed the limit, in one statement. If a
 * password hash is given, the account must still have it: the row lock waits for a concurrent change of the
 * password, so no session outlives the password with which it was started. Returns whether the session was inserted.
 */
export async function insertSession(
  db: Database,
  clock: Clock,
  session: {
    userId: string
    tokenHash: Buffer
    passwordHash: string | undefined
    /** The request with which the person signs in; undefined = the session replaces another one. */
    requestId: string | undefined
  },
): Promise<boolean> {
  const { userId, tokenHash, passwordHash, requestId } = session
  const isRecorded = requestId === undefined ? sql`false` : sql`true`
  const { rows } = await sql`
    with now as (
      select ${clock.now} as instant
    ),
    account as (
      select id
      from user_account
      where id = ${userId}
        and password_hash = coalesce(${passwordHash ?? null}::text, password_hash)
        and erased_at is null
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
    ),
    started as (
      insert into session (token_hash, user_id, created_at, last_used_at)
      select ${tokenHash}::bytea, account.id, now.instant, now.instant
      from account
      cross join now
      returning user_id, created_at as at
    ),
    signed_in as (
      select *
      from started
      where ${isRecorded}
    ),
    recorded as (
      ${appendAccountActivity({ requestId: requestId ?? '' }, { action: 'signed-in' }, 'signed_in')}
    )
    select user_id
    from started
  `.execute(db)
  return rows.length > 0
}

/** Deletes a session. */
export async function deleteSession(
  db: Database,
  tokenHash: Buffer,
  requestId: string,
): Promise<void> {
  await sql`
    with ended as (
      delete from session
      where token_hash = ${tokenHash}
      returning user_id, clock_timestamp() as at
    )
    ${appendAccountActivity({ requestId }, { action: 'signed-out' }, 'ended')}
  `.execute(db)
}

/** Deletes all sessions of a person. */
export async function deleteAllSessions(
  db: Database,
  userId: string,
  requestId: string,
): Promise<void> {
  const details = sql`jsonb_build_object('sessions', revoked.count)`
  await sql`
    with ended as (
      delete from session
      where user_id = ${userId}
      returning user_id
    ),
    revoked as (
      select user_id, count(*) as count, clock_timestamp() as at
      from ended
      group by user_id
    )
    ${appendAccountActivity({ requestId }, { action: 'sessions-revoked', details }, 'revoked')}
  `.execute(db)
}

/** Deletes all sessions of a person without an organization. */
export async function deleteSessionsOfNonMember(db: Database, userId: string): Promise<void> {
  await sql`
    delete from session
    where user_id = ${userId}
      and not exists (select from organization_member where user_id = ${userId})
  `.execute(db)
}
