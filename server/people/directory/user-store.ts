import { sql } from 'kysely'
import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { appendIdentityPeople } from '../../ledger/activity/identity-record.ts'
import { keepName } from '../../ledger/activity/person-record.ts'
import type { Database } from '../../platform/tables.ts'
import { appendMembers } from '../organizations/member-record.ts'
import { toEmailKey } from '../users/user.ts'
import { toNameKey, type UserRow, type UserRecord } from './user.ts'

/** SQL fragment: the columns of a member as a directory sees them. */
export const USER_COLUMNS = sql`
      member.user_id as id,
      coalesce(record.user_name, account.email) as "userName",
      record.user_id is not null as "isProvisioned",
      record.external_id as "externalId",
      record.given_name as "givenName",
      record.family_name as "familyName",
      account.name as "displayName",
      account.email,
      member.suspended_at is null as active,
      coalesce(record.created_at, member.created_at) as created,
      greatest(record.updated_at, member.suspended_at, member.created_at) as "lastModified"`

/** SQL fragment: the tables of members. */
export const USER_TABLES = sql`
    organization_member as member
    join user_account as account on account.id = member.user_id
    left join directory_user as record on record.organization_id = member.organization_id
      and record.user_id = member.user_id`

/** Finds a member. */
export async function findUser(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`
    select ${USER_COLUMNS}
    from ${USER_TABLES}
    where member.organization_id = ${organizationId}
      and member.user_id = ${userId}
  `.execute(db)
  return rows[0]
}

/**
 * Locks a member against other changes by the directory. Rows are read after it, so that each of two concurrent changes
 * sees the result of the other.
 */
export async function lockUser(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<void> {
  await sql`
    select
    from organization_member
    where organization_id = ${organizationId}
      and user_id = ${userId}
    for no key update
  `.execute(db)
}

/** A member who has what only one may have. */
interface TakenBy {
  id: string
  by: 'userName' | 'externalId' | 'email'
}

/** Finds another member with a user name, an external id or an address. Members without a record have their address as the name. */
export async function findOtherUser(
  db: Database,
  organizationId: string,
  user: { id: string | null; userName: string; externalId: string | null; email: string },
): Promise<TakenBy | undefined> {
  const { rows } = await sql<TakenBy>`
    with taken as (
      select user_id as id, 'userName' as by
      from directory_user
      where organization_id = ${organizationId}
        and user_name_key = ${toNameKey(user.userName)}
      union all
      select user_id, 'externalId'
      from directory_user
      where organization_id = ${organizationId}
        and external_id = ${user.externalId}::text
      union all
      select account.id, case when account.email_key = ${toEmailKey(user.email)} then 'email' else 'userName' end
      from user_account as account
      join organization_member as member on member.organization_id = ${organizationId}
        and member.user_id = account.id
      where account.email_key = ${toEmailKey(user.email)}
        or (
          account.email_key = ${toEmailKey(user.userName)}
          and not exists (
            select
            from directory_user
            where directory_user.organization_id = member.organization_id
              and directory_user.user_id = member.user_id
          )
        )
    )
    select id, by
    from taken
    where id is distinct from ${user.id}::uuid
    limit 1
  `.execute(db)
  return rows[0]
}

/** Returns whether a person is a member of another organization. */
export async function isMemberElsewhere(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<boolean> {
  const { rows } = await sql`
    select
    from organization_member
    where organization_id <> ${organizationId}
      and user_id = ${userId}
    limit 1
  `.execute(db)
  return rows.length > 0
}

/**
 * Adds a member with the record of the directory, in one statement. The account exists already. A unique constraint rejects
 * a second user name or external id.
 */
export async function insertUser(
  db: Database,
  organizationId: string,
  user: UserRecord & { id: string; displayName: string; active: boolean },
  actor: ActivityActor,
): Promise<void> {
  const origin = { organizationId, ...actor }
  const joined = { action: 'joined', details: { role: 'Member' }, at: sql`changed.created_at` }
  const provisioned = {
    kind: 'directory',
    action: 'provisioned',
    at: sql`changed.created_at`,
  } as const
  const details = { active: user.active }
  await sql`
    with added as (
      insert into organization_member (organization_id, user_id, role, origin, suspended_at)
      values (
        ${organizationId}, ${user.id}, 'Member', 'directory',
        case when ${user.active}::boolean then null else clock_timestamp() end
      )
      returning user_id, created_at
    ),
    recorded as (
      insert into directory_user (
        organization_id, user_id, user_name, user_name_key, external_id, given_name, family_name, updated_by
      )
      select
        ${organizationId}::uuid, user_id, ${user.userName}, ${toNameKey(user.userName)}, ${user.externalId},
        ${user.givenName}, ${user.familyName}, ${actor.principal}
      from added
    ),
    named as (${keepName(
      {
        kind: 'account',
        organizationId,
        id: sql`user_id`,
        name: user.displayName,
        person: sql`user_id`,
      },
      sql`from added`,
    )}
    ),
    member_entry as (${appendMembers(origin, joined, 'added')}
    )
    ${appendIdentityPeople(origin, { ...provisioned, details }, 'added')}
  `.execute(db)
}

/**
 * Writes the account of a member and the record of the directory about them, in one statement. If nothing changes, it has
 * no effect, no version and no entry. Returns whether something changed.
 */
export async function updateUser(
  db: Database,
  organizationId: string,
  user: UserRecord & { id: string; displayName: string; email: string },
  actor: ActivityActor,
): Promise<boolean> {
  const origin = { organizationId, ...actor }
  const { rows } = await sql`
    with account as (
      update user_account
      set name = ${user.displayName}, email = ${user.email}, email_key = ${toEmailKey(user.email)}
      where id = ${user.id}
        and erased_at is null
        and (name <> ${user.displayName} or email <> ${user.email})
      returning id as user_id
    ),
    named as (${keepName(
      {
        kind: 'account',
        organizationId,
        id: sql`user_id`,
        name: user.displayName,
        person: sql`user_id`,
      },
      sql`from account`,
    )}
    ),
    changed as (
      insert into directory_user as record (
        organization_id, user_id, user_name, user_name_key, external_id, given_name, family_name, updated_by
      )
      values (
        ${organizationId}, ${user.id}, ${user.userName}, ${toNameKey(user.userName)},
        ${user.externalId}, ${user.givenName}, ${user.familyName}, ${actor.principal}
      )
      on conflict (organization_id, user_id) do update
      set user_name = excluded.user_name, user_name_key = excluded.user_name_key,
        external_id = excluded.external_id, given_name = excluded.given_name,
        family_name = excluded.family_name, version = record.version + 1,
        updated_at = clock_timestamp(), updated_by = excluded.updated_by
      where record.user_name <> excluded.user_name
        or record.external_id is distinct from excluded.external_id
        or record.given_name is distinct from excluded.given_name
        or record.family_name is distinct from excluded.family_name
        or exists (select from account)
      returning user_id
    ),
    entry as (${appendIdentityPeople(origin, { kind: 'directory', action: 'updated' }, 'changed')}
    )
    select user_id
    from changed
  `.execute(db)
  return rows.length > 0
}
