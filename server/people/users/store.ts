import { keepName } from '../../ledger/activity/person-record.ts'
import { appendAccountActivity } from '../../ledger/activity/record.ts'
import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import { toEmailKey, type Account, type Profile } from './user.ts'

// The first half of the key of an advisory lock, the same in all processes.
const ADDRESS_LOCK = 7_276_223

/** An account row ready to insert. */
interface NewUser {
  id: string
  email: string
  name: string
  /** Empty = none, so that no password matches. */
  passwordHash: string
  /** The organization whose provider or directory manages the account. */
  managedBy?: string
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
  const { id, email, name, passwordHash, managedBy = null } = user
  const names = { email, email_key: toEmailKey(email), name }
  const row = { id, ...names, password_hash: passwordHash, managed_by: managedBy }
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

/** Records the organization that a person has just left, which no longer manages the account. */
export async function updateLastOrganization(
  db: Database,
  userId: string,
  organizationId: string,
): Promise<void> {
  await sql`
    update user_account
    set last_organization_id = ${organizationId}, managed_by = nullif(managed_by, ${organizationId})
    where id = ${userId}
  `.execute(db)
}

/** Finds an account by its ID. */
export async function findAccount(db: Database, userId: string): Promise<Account | undefined> {
  return await db
    .selectFrom('user_account')
    .select(['id', 'password_hash as passwordHash'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

/** Finds the profile of a person. */
export async function findPerson(db: Database, userId: string): Promise<Profile | undefined> {
  return await db
    .selectFrom('user_account')
    .leftJoin('organization', 'organization.id', 'user_account.managed_by')
    .select(['user_account.id', 'user_account.name', 'user_account.email'])
    .select('organization.name as managedBy')
    .where('user_account.id', '=', userId)
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
