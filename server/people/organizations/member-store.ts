import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { appendMembers, keepMemberNames } from './member-record.ts'
import { sql, type RawBuilder } from 'kysely'
import { storeClock, type Clock } from '../../platform/kit/clock.ts'
import { selectRole } from '../../requests/access/effective-role.ts'
import { selectPage } from '../../requests/http/paging.ts'
import type { Database } from '../../platform/tables.ts'
import { toEmailKey } from '../users/user.ts'
import type { Member, MemberRole, OrganizationMember } from './member.ts'

/** A new member, with the way in which the membership begins. */
interface NewMember {
  role: MemberRole
  origin?: 'invitation' | 'provider' | 'directory'
  clock?: Clock | undefined
}

/** Adds a person to an organization, now or at the time of a clock. An existing member keeps their role. */
export async function insertMember(
  db: Database,
  organizationId: string,
  userId: string,
  { role, origin = 'invitation', clock: { now } = storeClock }: NewMember,
  actor: ActivityActor,
): Promise<void> {
  const joined = { action: 'joined', details: { role }, at: sql`changed.created_at` }
  await sql`
    with added as (
      insert into organization_member (organization_id, user_id, role, origin, created_at)
      values (${organizationId}, ${userId}, ${role}, ${origin}, ${now})
      on conflict (organization_id, user_id) do nothing
      returning user_id, created_at
    ),
    named as (${keepMemberNames(organizationId, 'added')}
    )
    ${appendMembers({ organizationId, ...actor }, joined, 'added')}
  `.execute(db)
}

/** Returns whether an organization has a member with an address, other than one person. */
export async function hasMemberWithAddress(
  db: Database,
  organizationId: string,
  email: string,
  exceptUserId: string | undefined,
): Promise<boolean> {
  const rows = await db
    .selectFrom('organization_member')
    .innerJoin('user_account', 'user_account.id', 'organization_member.user_id')
    .select('user_account.id')
    .where('organization_member.organization_id', '=', organizationId)
    .where('user_account.email_key', '=', toEmailKey(email))
    .execute()
  return rows.some(({ id }) => id !== exceptUserId)
}

/** Lists the members of an organization with their roles; only one member if `userId` is given. */
export async function listMembers(
  db: Database,
  organizationId: string,
  userId?: string,
): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select
      member.user_id as "userId",
      user_account.name,
      user_account.email,
      case when owner.user_id is null then 'Member' else 'Owner' end as role,
      member.role as "ownRole",
      coalesce(owner.groups, '{}') as "ownerGroups",
      member.origin,
      member.suspended_at as "suspendedAt",
      member.created_at as "joinedAt",
      member.last_seen_at as "lastSeenAt",
      coalesce(held.teams, '[]') as teams
    from organization_member as member
    join user_account on user_account.id = member.user_id
    left join (
      select user_id, array_agg(distinct group_name) filter (where group_name is not null) as groups
      from organization_role
      where organization_id = ${organizationId}
        and role = 'Owner'
        and ${isOfMember(userId)}
      group by user_id
    ) as owner on owner.user_id = member.user_id
    left join (
      select team_role.user_id,
        json_agg(
          json_build_object(
            'id', team.external_id, 'name', team.name, 'role', team_role.role, 'group', group_name
          ) order by team.name, team.external_id, team_role.role, group_name nulls first
        ) as teams
      from team_role
      join team on team.organization_id = team_role.organization_id
        and team.id = team_role.team_id
      where team_role.organization_id = ${organizationId}
        and ${isOfMember(userId)}
      group by team_role.user_id
    ) as held on held.user_id = member.user_id
    where member.organization_id = ${organizationId}
      and ${isOfMember(userId, sql`member.user_id`)}
  `.execute(db)
  return rows
}

function isOfMember(userId: string | undefined, column = sql`user_id`): RawBuilder<unknown> {
  return userId === undefined ? sql`true` : sql`${column} = ${userId}::uuid`
}

/** Lists a page of members in the order in which they joined, and one more if there is a next page. */
export async function listMemberPage(
  db: Database,
  organizationId: string,
  page: number,
): Promise<OrganizationMember[]> {
  const { rows } = await sql<OrganizationMember>`
    select ${MEMBER_COLUMNS}
    from organization_member as member
    join user_account on user_account.id = member.user_id
    where member.organization_id = ${organizationId}
    order by member.created_at, member.user_id
    ${selectPage(page)}
  `.execute(db)
  return rows
}

/** Finds the member with an address. */
export async function findMemberByAddress(
  db: Database,
  organizationId: string,
  email: string,
): Promise<OrganizationMember | undefined> {
  const { rows } = await sql<OrganizationMember>`
    select ${MEMBER_COLUMNS}
    from user_account
    join organization_member as member on member.organization_id = ${organizationId}
      and member.user_id = user_account.id
    where user_account.email_key = ${toEmailKey(email)}
  `.execute(db)
  return rows[0]
}

const MEMBER_COLUMNS = sql`
      user_account.email as "emailAddress",
      member.user_id as "userId",
      ${selectRole({ organizationId: sql`member.organization_id`, userId: sql`member.user_id` })} as role,
      '{}'::jsonb as custom`

/** Locks the members of an organization against concurrent changes until the transaction ends. */
export async function lockMembers(db: Database, organizationId: string): Promise<void> {
  await sql`
    select
    from organization
    where id = ${organizationId}
    for no key update
  `.execute(db)
}

/** Finds the manual role of a person in an organization; undefined = not a member. */
export async function findRole(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<MemberRole | undefined> {
  const row = await db
    .selectFrom('organization_member')
    .select('role')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.role
}

/**
 * Returns whether an organization has an owner by the manual role other than a person. Suspended members and owners by a
 * group do not count: the directory could take the last owner away.
 */
export async function hasOtherOwner(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('organization_member')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '<>', userId)
    .where('role', '=', 'Owner')
    .where('suspended_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Updates the manual role of a member. */
export async function updateRole(
  db: Database,
  organizationId: string,
  userId: string,
  role: MemberRole,
  actor: ActivityActor,
): Promise<void> {
  const details = sql`jsonb_build_object(
      'before', jsonb_build_object('role', former_role),
      'after', jsonb_build_object('role', role)
    )`
  await sql`
    with former as (
      select user_id, role as former_role
      from organization_member
      where organization_id = ${organizationId}
        and user_id = ${userId}
        and role <> ${role}
      for no key update
    ),
    updated as (
      update organization_member
      set role = ${role}
      from former
      where organization_member.organization_id = ${organizationId}
        and organization_member.user_id = former.user_id
      returning organization_member.user_id, role, former_role
    )
    ${appendMembers({ organizationId, ...actor }, { action: 'role-changed', details }, 'updated')}
  `.execute(db)
}

/** Removes a person from an organization, with the invitations that they created. */
export async function deleteMember(
  db: Database,
  organizationId: string,
  userId: string,
  actor: ActivityActor,
): Promise<void> {
  const details = sql`jsonb_build_object('role', role)`
  const action = actor.principal === `user:${userId.toLowerCase()}` ? 'left' : 'removed'
  await sql`
    with removed as (
      delete from organization_member
      where organization_id = ${organizationId}
        and user_id = ${userId}
      returning user_id, role
    )
    ${appendMembers({ organizationId, ...actor }, { action, details }, 'removed')}
  `.execute(db)
}
