import { sql, type RawBuilder } from 'kysely'
import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { NO_NAME } from '../../ledger/activity/person-record.ts'
import { appendActivity } from '../../ledger/activity/record.ts'
import type { Database } from '../../platform/tables.ts'
import { toEmailKey } from '../users/user.ts'
import {
  ERASED_KEY,
  ERASED_PERSON,
  type ErasableAccount,
  type ErasureCounts,
  type OrganizationOfPerson,
} from './erasure.ts'

/** Lists the accounts with an address, in any letter case, the oldest first. */
export async function listErasable(db: Database, email: string): Promise<ErasableAccount[]> {
  return await db
    .selectFrom('user_account')
    .select(['id', 'name', 'email'])
    .where('email_key', '=', toEmailKey(email))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Finds an account that is not erased. */
export async function findErasable(
  db: Database,
  userId: string,
): Promise<ErasableAccount | undefined> {
  return await db
    .selectFrom('user_account')
    .select(['id', 'name', 'email'])
    .where('id', '=', userId)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
}

/** Lists the organizations of a person by their ids, which is the order in which they are locked. */
export async function listMemberships(
  db: Database,
  userId: string,
): Promise<OrganizationOfPerson[]> {
  const { rows } = await sql<OrganizationOfPerson>`
    select organization.id as "organizationId", organization.name as organization,
      member.role = 'Owner' and not exists (
        select
        from organization_member as other
        where other.organization_id = member.organization_id
          and other.user_id <> member.user_id
          and other.role = 'Owner'
          and other.suspended_at is null
      ) as "isLastOwner"
    from organization_member as member
    join organization on organization.id = member.organization_id
    where member.user_id = ${userId}
    order by organization.id
  `.execute(db)
  return rows
}

/** Lists the organizations that have the name of a person, or that invited an address. */
export async function listKnowing(
  db: Database,
  { userId, emailKey }: { userId: string | undefined; emailKey: string },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id
    from organization
    where exists (
        select
        from person_name
        where organization_id = organization.id
          and person = ${userId ?? null}::uuid
      )
      or exists (
        select
        from person_name
        where organization_id = organization.id
          and address_key = ${emailKey}
      )
    order by id
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns whether an organization other than one has the name of a person, who is or was a member. */
export async function isKnownElsewhere(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<boolean> {
  const { rows } = await sql`
    select
    from organization
    where id <> ${organizationId}
      and exists (
        select
        from person_name
        where person_name.organization_id = organization.id
          and person = ${userId}::uuid
      )
    limit 1
  `.execute(db)
  return rows.length > 0
}

/** Counts what is deleted or ends with a person, in some organizations. */
export async function countTraces(
  db: Database,
  organizationIds: readonly string[],
  { id, email }: ErasableAccount,
): Promise<ErasureCounts> {
  const isHere = sql`organization_id = any(${organizationIds}::uuid[])`
  const { rows } = await sql<ErasureCounts>`
    select
      (select count(*) from session where user_id = ${id})::integer as sessions,
      (select count(*) from api_key where ${isHere} and user_id = ${id})::integer as "apiKeys",
      (select count(*) from follow where ${isHere} and user_id = ${id})::integer as follows,
      (
        select count(*) from notification_recipient where ${isHere} and user_id = ${id}
      )::integer as notifications,
      (
        select count(*)
        from access_agreement
        where ${isHere}
          and consumer_user = ${id}
          and state in ('requested', 'upcoming', 'active')
      )::integer as agreements,
      (
        select count(*)
        from invitation
        where ${isHere}
          and (invited_by = ${id} or email_key = ${toEmailKey(email)})
      )::integer as invitations
  `.execute(db)
  const [counts] = rows
  if (counts === undefined) throw new Error('an aggregate without groups returned no row')
  return counts
}

/** Locks an account against changes, sessions and new organizations until the end of the transaction. */
export async function lockAccount(db: Database, userId: string): Promise<void> {
  await sql`
    select
    from user_account
    where id = ${userId}
    for no key update
  `.execute(db)
}

/**
 * Replaces the name and the address of an account, and deletes its password, sessions and reset links. The key of its
 * address is not an address, so that no one can sign in or be invited as the account.
 */
export async function eraseAccount(db: Database, userId: string): Promise<void> {
  await sql`
    with ended as (
      delete from session
      where user_id = ${userId}
    ),
    closed as (
      delete from password_reset
      where user_id = ${userId}
    )
    update user_account
    set name = ${ERASED_PERSON}, email = 'erased:' || id, email_key = 'erased:' || id,
      password_hash = '', last_organization_id = null, erased_at = clock_timestamp()
    where id = ${userId}
      and erased_at is null
  `.execute(db)
}

/**
 * Replaces the names of a person and of their keys beside the activity, and the addresses of their invitations, in some
 * organizations. The activity of each that had the name of the person records it.
 */
export async function eraseNames(
  db: Database,
  organizationIds: readonly string[],
  { userId, emailKey }: { userId: string | undefined; emailKey: string },
  actor: ActivityActor,
): Promise<void> {
  const entry = {
    kind: 'member',
    action: 'erased',
    at: sql`clock_timestamp()`,
    subject: sql`id`,
    name: NO_NAME,
    person: sql`id`,
  } as const
  await sql`
    with erased as (
      update person_name
      set name = case kind when 'api-key' then ${ERASED_KEY} else ${ERASED_PERSON} end,
        address_key = null
      where organization_id = any(${organizationIds}::uuid[])
        and (${isOfPerson(userId)} or address_key = ${emailKey})
        and name not in (${ERASED_KEY}, ${ERASED_PERSON})
      returning organization_id, id, kind
    )
    ${appendActivity({ organizationId: sql`organization_id`, ...actor }, entry, sql`from erased where kind = 'account'`)}
  `.execute(db)
}

function isOfPerson(userId: string | undefined): RawBuilder<unknown> {
  return userId === undefined ? sql`false` : sql`person = ${userId}::uuid`
}

/** Deletes the reports of requests of directories that were refused with a sentence that quotes an address. */
export async function deleteRefusals(
  db: Database,
  organizationIds: readonly string[],
  emailKey: string,
): Promise<void> {
  await sql`
    delete from directory_refusal
    where organization_id = any(${organizationIds}::uuid[])
      and strpos(lower(sentence), ${emailKey}) > 0
  `.execute(db)
}

/** Lists the ids of all organizations. */
export async function listOrganizations(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('organization').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}
