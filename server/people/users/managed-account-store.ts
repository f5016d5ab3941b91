import { sql } from 'kysely'
import { keepName } from '../../ledger/activity/person-record.ts'
import { appendAccountActivity } from '../../ledger/activity/record.ts'
import type { Database } from '../../platform/tables.ts'
import { toEmailKey } from './user.ts'

/** Takes an account without an organization for the management of one. */
export async function updateManagedUser(
  db: Database,
  userId: string,
  { email, name, managedBy }: { email: string; name: string; managedBy: string },
): Promise<void> {
  const names = { email, email_key: toEmailKey(email), name }
  await db
    .updateTable('user_account')
    .set({ ...names, password_hash: '', managed_by: managedBy })
    .where('id', '=', userId)
    .where('erased_at', 'is', null)
    .execute()
}

/**
 * Changes the name and address of an account to those that a provider states, if the person is only a member of its
 * organization, has no record of the directory, and no other member has the address. An account with a password needs an
 * address that no other account has, because sign-in finds accounts by it. Returns whether anything was changed.
 */
export async function updateProfile(
  db: Database,
  organizationId: string,
  userId: string,
  { email, name, requestId }: { email: string; name: string | undefined; requestId: string },
): Promise<boolean> {
  const emailKey = toEmailKey(email)
  const { rows } = await sql`
    with changed as (
      update user_account as account
      set name = coalesce(${name ?? null}, account.name), email = ${email}, email_key = ${emailKey}
      where account.id = ${userId}
        and account.erased_at is null
        and (account.email, account.name) is distinct from (${email}, coalesce(${name ?? null}, account.name))
        and not exists (
          select
          from organization_member as membership
          where membership.user_id = account.id
            and membership.organization_id <> ${organizationId}
        )
        and not exists (
          select
          from directory_user
          where directory_user.organization_id = ${organizationId}
            and directory_user.user_id = account.id
        )
        and not exists (
          select
          from user_account as other
          left join organization_member as membership on membership.organization_id = ${organizationId}
            and membership.user_id = other.id
          where other.email_key = ${emailKey}
            and other.id <> account.id
            and (membership.user_id is not null or account.password_hash <> '')
        )
      returning account.id as user_id, account.name, clock_timestamp() as at
    ),
    named as (${keepName(
      {
        kind: 'account',
        organizationId,
        id: sql`changed.user_id`,
        name: sql`changed.name`,
        person: sql`changed.user_id`,
      },
      sql`from changed`,
    )}
    ),
    recorded as (
      ${appendAccountActivity({ requestId }, { action: 'updated' }, 'changed')}
    )
    select user_id
    from changed
  `.execute(db)
  return rows.length === 1
}
