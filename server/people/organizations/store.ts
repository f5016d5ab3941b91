import { appendMembers, keepMemberNames } from './member-record.ts'
import { SYSTEM, type ActivityActor } from '../../ledger/activity/entry.ts'
import { appendActivity, type NewEntry } from '../../ledger/activity/record.ts'
import { sql, type RawBuilder } from 'kysely'
import { storeClock, type Clock } from '../../platform/kit/clock.ts'
import { selectRole } from '../../requests/access/effective-role.ts'
import type { Database } from '../../platform/tables.ts'
import { ORGANIZATIONS_MAX, type NewOrganization, type SingleSignOn } from './organization.ts'
import type { Membership } from './signed-in.ts'

// An arbitrary constant that all processes share.
const SETUP_LOCK = 7_276_222

/** Serializes setups of the database until the end of the transaction. */
export async function lockSetup(db: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SETUP_LOCK})`.execute(db)
}

/** Returns whether the database has any organization. */
export async function hasOrganization(db: Database): Promise<boolean> {
  const row = await db.selectFrom('organization').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Finds the first enabled sign-in provider of an organization. */
export async function findSingleSignOn(
  db: Database,
  organizationId: string,
): Promise<SingleSignOn | undefined> {
  return await db
    .selectFrom('identity_provider')
    .select(({ eb }) => ['issuer', eb('join_rule', '<>', 'invited').as('autoJoin')])
    .where('organization_id', '=', organizationId)
    .where('enabled', '=', true)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .$castTo<SingleSignOn>()
    .executeTakeFirst()
}

// Inserts an organization, with its second address if another one has the first. A concurrent insert of the same
// address is awaited, so that exactly one organization gets it.
function insertWithAddress(
  organization: NewOrganization,
  condition: RawBuilder<unknown>,
  { now }: Clock = storeClock,
) {
  const { id, name, vanityUrl, uniqueVanityUrl } = organization
  return sql`
    first_choice as (
      insert into organization (id, name, vanity_url, created_at)
      select ${id}::uuid, ${name}, ${vanityUrl}, ${now}
      where ${condition}
      on conflict (vanity_url) do nothing
      returning id, created_at
    ),
    second_choice as (
      insert into organization (id, name, vanity_url, created_at)
      select ${id}::uuid, ${name}, ${uniqueVanityUrl}, ${now}
      where ${condition}
        and not exists (select from first_choice)
      returning id, created_at
    ),
    added as (
      select id, created_at from first_choice
      union all
      select id, created_at from second_choice
    )`
}

/** Finds the name of an organization. */
export async function findOrganizationName(
  db: Database,
  organizationId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('organization')
    .select('name')
    .where('id', '=', organizationId)
    .executeTakeFirst()
  return row?.name
}

/** Inserts an organization. */
export async function insertOrganization(
  db: Database,
  organization: NewOrganization,
  clock: Clock,
): Promise<void> {
  await sql`
    with ${insertWithAddress(organization, sql`true`, clock)}
    ${recordCreation(organization, SYSTEM)}
  `.execute(db)
}

/**
 * Inserts an organization owned by a person, unless the person has reached the limit. Returns whether it was
 * inserted.
 */
export async function insertOwnedOrganization(
  db: Database,
  organization: NewOrganization,
  userId: string,
  requestId: string,
): Promise<boolean> {
  const origin = { organizationId: organization.id, principal: `user:${userId}`, requestId }
  // The lock waits for a person who is being erased, and keeps the account until the organization is visible.
  const isBelowLimit = sql`
    (select count(*) from organization_member where user_id = ${userId}) < ${ORGANIZATIONS_MAX}
    and exists (select from owner)`
  const { numAffectedRows } = await sql`
    with owner as materialized (
      select id
      from user_account
      where id = ${userId}
        and erased_at is null
        and managed_by is null
      for share
    ),
    ${insertWithAddress(organization, isBelowLimit)},
    joined as (
      insert into organization_member (organization_id, user_id, role)
      select id, ${userId}::uuid, 'Owner'
      from added
      returning user_id, role
    ),
    named as (${keepMemberNames(organization.id, 'joined')}
    ),
    recorded as (${recordCreation(organization, origin)}
    )
    ${appendMembers(origin, { action: 'joined', details: sql`jsonb_build_object('role', role)` }, 'joined')}
  `.execute(db)
  return numAffectedRows === 1n
}

/** Updates the name of an organization. */
export async function updateOrganization(
  db: Database,
  organizationId: string,
  name: string,
  actor: ActivityActor,
): Promise<void> {
  const details = sql`jsonb_build_object(
      'before', jsonb_build_object('name', former.name),
      'after', jsonb_build_object('name', renamed.name)
    )`
  const entry = { ...newOrganizationEntry(organizationId, name), action: 'renamed', details }
  await sql`
    with former as (
      select id, name
      from organization
      where id = ${organizationId}
        and name <> ${name}
      for no key update
    ),
    renamed as (
      update organization
      set name = ${name}
      from former
      where organization.id = former.id
      returning organization.id, organization.name
    )
    ${appendActivity({ organizationId, ...actor }, entry, sql`from renamed join former using (id)`)}
  `.execute(db)
}

function newOrganizationEntry(organizationId: string, name: string): Omit<NewEntry, 'action'> {
  return { kind: 'organization', at: sql`clock_timestamp()`, subject: organizationId, name }
}

function recordCreation({ id, name }: NewOrganization, actor: ActivityActor): RawBuilder<unknown> {
  const entry = { ...newOrganizationEntry(id, name), action: 'created', at: sql`created_at` }
  return appendActivity({ ...actor, organizationId: id }, entry, sql`from added`)
}

/** An organization of a person, who may be suspended in it. */
interface FoundMembership extends Membership {
  isSuspended: boolean
}

/**
 * Lists the organizations of a person in the order in which they joined; `limitedTo` is the only one in which the session
 * acts, if it is of a provider.
 */
export async function listMemberships(
  db: Database,
  { userId, limitedTo = null }: { userId: string; limitedTo: string | null | undefined },
): Promise<FoundMembership[]> {
  const { rows } = await sql<FoundMembership>`
    select organization.id, organization.name, organization.vanity_url as "vanityUrl",
      ${selectRole({ organizationId: sql`organization.id`, userId: sql`member.user_id` })} as role,
      member.suspended_at is not null as "isSuspended",
      ${limitedTo === null} and sign_in.organization_id is not null and break_glass.user_id is null
        as "providerRequired"
    from organization_member as member
    join organization on organization.id = member.organization_id
    left join organization_sign_in as sign_in on sign_in.organization_id = member.organization_id
      and sign_in.rule = 'provider'
    left join break_glass on break_glass.organization_id = member.organization_id
      and break_glass.user_id = member.user_id
    where member.user_id = ${userId}
    order by member.created_at, organization.id
  `.execute(db)
  return rows
}

/** Inserts the token hash of a setup link. */
export async function insertSetupLink(db: Database, tokenHash: Buffer): Promise<void> {
  await db.insertInto('setup_link').values({ token_hash: tokenHash }).execute()
}

/** Returns whether a setup link is still open. */
export async function hasSetupLink(db: Database, tokenHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('setup_link')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes all setup links. */
export async function deleteSetupLinks(db: Database): Promise<void> {
  await db.deleteFrom('setup_link').execute()
}
