import { sql, type RawBuilder } from 'kysely'
import type { KeyScope } from '../../../formats/team/key-scope.ts'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import { readShort } from '../../platform/kit/short-reads.ts'
import type { CalendarDate, Database } from '../../platform/tables.ts'
import { selectRole, selectRolesOfMember } from './effective-role.ts'
import { isSessionOver } from './session.ts'

/** A role in a team, by the team's external id. */
export interface HeldRole {
  team: string
  role: string
}

const WHO = { organizationId: sql`who.organization_id`, userId: sql`who.user_id` }

// A team key acts as an Owner of its team.
const GRANTED_TO_TEAM = sql`
      select who.organization_id, who.team_id, 'Owner' as role
      from who
      where who.team_id is not null`

// Suspended members have no roles.
const GRANTED_TO_PERSON = sql`
      select who.organization_id, direct.team_id, direct.role
      from who
      cross join lateral ${selectRolesOfMember(WHO)} as direct`

// The roles of callers. `who` has a row for each organization, with the team of a team key or the person. Roles are
// inherited down the tree.
const holdFrom = (granted: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    granted as (${granted}
    ),
    held as (
      select organization_id, team_id, role
      from granted
      union
      select team.organization_id, team.id, held.role
      from held
      join team on team.organization_id = held.organization_id
        and team.parent_id = held.team_id
    )`
const HELD = holdFrom(GRANTED_TO_PERSON)

const ROLES = sql`(
        select coalesce(json_agg(json_build_object('team', held_team.external_id, 'role', held.role)), '[]')
        from held
        join team as held_team on held_team.organization_id = held.organization_id
          and held_team.id = held.team_id
        where held.organization_id = who.organization_id
      ) as roles`

// The roles that the organization has defined, as a document.
const TEAM_ROLES = sql`(
        select organization_document.document
        from organization_document
        where organization_document.organization_id = who.organization_id
          and organization_document.kind = 'team-roles'
      ) as team_roles`

// Whether the organization allows only managed tags. The features are JSON text.
const HAS_ONLY_MANAGED_TAGS = sql`exists (
        select
        from organization_document
        where organization_document.organization_id = who.organization_id
          and organization_document.kind = 'features'
          and organization_document.document::json ->> 'managedTagsPolicy' = 'only-managed-tags-allowed'
      ) as has_only_managed_tags`

/** An API key with its current permissions. */
export interface KeyRow {
  id: string
  organization_id: string
  organization_name: string
  vanity_url: string
  display_name: string
  scope: KeyScope
  team: string | null
  /** The person of a personal key. */
  user_id: string | null
  /** The person who created the key; null = the system or another key. */
  creator_id: string | null
  member_role: 'Owner' | 'Member' | null
  /** Whether the person of a personal key is suspended in the organization. */
  is_suspended: boolean
  /** The permissions to which the key is limited; null = those of its scope. */
  permissions: string[] | null
  expires_on: CalendarDate | null
  /** Milliseconds until the key expires, negative after it; null = never. */
  expires_in_ms: number | null
  /** The time of the look-up. */
  used_at: Instant
  roles: HeldRole[]
  /** The document with the roles of the organization; null = the default roles. */
  team_roles: string | null
  has_only_managed_tags: boolean
}

// The views of roles cost more to plan than all other parts together, and only people have such roles.
const KEY_OF_TEAM = {
  held: holdFrom(GRANTED_TO_TEAM),
  memberRole: sql`null::text`,
}
const KEY_OF_PERSON = {
  held: HELD,
  memberRole: sql`case when organization_member.user_id is not null then ${selectRole(WHO)} end`,
}

/**
 * Finds a key by the hash of its secret, with its permissions, in one statement and so at one moment. A personal key is
 * found a second time, with the roles of its person.
 */
export async function findKey(
  db: Database,
  clock: Clock,
  secretHash: Buffer,
): Promise<KeyRow | undefined> {
  const key = await findKeyAs(db, clock, secretHash, KEY_OF_TEAM)
  if (key === undefined || key.user_id === null) return key
  return await findKeyAs(db, clock, secretHash, KEY_OF_PERSON)
}

async function findKeyAs(
  db: Database,
  clock: Clock,
  secretHash: Buffer,
  { held, memberRole }: typeof KEY_OF_TEAM,
): Promise<KeyRow | undefined> {
  const rows = await readShort(
    db,
    sql<KeyRow>`
    with recursive who as (
      select *
      from api_key
      where secret_hash = ${secretHash}
    ),
    ${held}
    select
      who.id,
      who.organization_id,
      organization.name as organization_name,
      organization.vanity_url,
      who.display_name,
      who.scope,
      team.external_id as team,
      who.user_id,
      ${memberRole} as member_role,
      organization_member.suspended_at is not null as is_suspended,
      who.permissions,
      case when who.created_by like 'user:%' then substr(who.created_by, 6) end as creator_id,
      who.expires_on,
      (extract(epoch from
        ((who.expires_on + 1)::timestamp at time zone 'UTC') - ${clock.now}) * 1000
      )::float8 as expires_in_ms,
      ${clock.now} as used_at,
      ${ROLES},
      ${TEAM_ROLES},
      ${HAS_ONLY_MANAGED_TAGS}
    from who
    join organization on organization.id = who.organization_id
    left join team on team.organization_id = who.organization_id
      and team.id = who.team_id
    left join organization_member on organization_member.organization_id = who.organization_id
      and organization_member.user_id = who.user_id
  `,
  )
  return rows[0]
}

/** The person of a session. */
export interface PersonRow {
  session_id: string
  user_id: string
  /** The only organization in which the session acts: that of its provider; null = any. */
  limited_to: string | null
  is_over: boolean
  /** The time of the look-up. */
  used_at: Instant
}

/** A session with the person's current permissions in one organization. */
export interface SessionRow extends PersonRow {
  user_name: string
  /** Null if the person is not in the requested organization. */
  organization_id: string | null
  organization_name: string | null
  vanity_url: string | null
  /** Whether the organization accepts only sessions of its providers, and not this one. */
  needs_provider: boolean
  member_role: 'Owner' | 'Member' | null
  /** Whether the person is suspended in the organization. */
  is_suspended: boolean
  roles: HeldRole[]
  /** The document with the roles of the organization; null = the default roles. */
  team_roles: string | null
  has_only_managed_tags: boolean
}

// The session with a hash. Nothing is written here, so that people can read while the database accepts no writes.
const foundSession = (clock: Clock, tokenHash: Buffer) => sql`
    found as (
      select session.id as session_id, session.user_id, session.organization_id as limited_to,
        ${isSessionOver(sql`now.instant`)} as is_over,
        now.instant as used_at
      from session
      cross join (select ${clock.now} as instant) as now
      where session.token_hash = ${tokenHash}
    )`

/** Finds the person of a session by the hash of its secret. */
export async function findPersonByToken(
  db: Database,
  clock: Clock,
  tokenHash: Buffer,
): Promise<PersonRow | undefined> {
  const rows = await readShort(
    db,
    sql<PersonRow>`
    with ${foundSession(clock, tokenHash)}
    select session_id, user_id, limited_to, is_over, used_at
    from found
  `,
  )
  return rows[0]
}

// The organization accepts only sessions of its providers, and this one is not.
const NEEDS_PROVIDER = sql`found.limited_to is null and organization_sign_in.organization_id is not null
          and break_glass.user_id is null`

/**
 * Finds a session by the hash of its secret, with its person in the given organization or in their first one, which is
 * one where they are not suspended and that accepts the session if possible. A session of a provider acts only in its
 * organization. Where the sign-in rule is "provider", only these sessions and those of break-glass owners act.
 */
export async function findSession(
  db: Database,
  clock: Clock,
  tokenHash: Buffer,
  organizationId: string | undefined,
): Promise<SessionRow | undefined> {
  const rows = await readShort(
    db,
    sql<SessionRow>`
    with recursive ${foundSession(clock, tokenHash)},
    who as (
      select organization_member.organization_id, null::uuid as team_id, found.user_id,
        organization_member.suspended_at,
        ${NEEDS_PROVIDER} as needs_provider
      from found
      join organization_member on organization_member.user_id = found.user_id
        and organization_member.organization_id =
          coalesce(${organizationId ?? null}::uuid, organization_member.organization_id)
        and organization_member.organization_id =
          coalesce(found.limited_to, organization_member.organization_id)
      left join organization_sign_in on organization_sign_in.organization_id = organization_member.organization_id
        and organization_sign_in.rule = 'provider'
      left join break_glass on break_glass.organization_id = organization_member.organization_id
        and break_glass.user_id = found.user_id
      order by organization_member.suspended_at is not null or (${NEEDS_PROVIDER}),
        organization_member.created_at, organization_member.organization_id
      limit 1
    ),
    ${HELD}
    select
      found.session_id,
      found.user_id,
      found.limited_to,
      user_account.name as user_name,
      found.is_over,
      found.used_at,
      coalesce(who.needs_provider, false) as needs_provider,
      who.organization_id,
      organization.name as organization_name,
      organization.vanity_url,
      case when who.organization_id is not null then ${selectRole(WHO)} end as member_role,
      who.suspended_at is not null as is_suspended,
      ${ROLES},
      ${TEAM_ROLES},
      ${HAS_ONLY_MANAGED_TAGS}
    from found
    join user_account on user_account.id = found.user_id
    left join who on true
    left join organization on organization.id = who.organization_id
  `,
  )
  return rows[0]
}

/** Finds the document with the team roles of an organization. */
export async function findTeamRoles(
  db: Database,
  organizationId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('organization_document')
    .select('document')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'team-roles')
    .executeTakeFirst()
  return row?.document
}

/** A team in which a person has a role, inherited ones included. */
interface PersonsTeam {
  id: string
  name: string
  roles: string[]
}

/** Lists the teams of an organization in which a person has a role, by name. */
export async function listTeamsOfPerson(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<PersonsTeam[]> {
  const { rows } = await sql<PersonsTeam>`
    with recursive who as (
      select organization_id, user_id, null::uuid as team_id
      from organization_member
      where organization_id = ${organizationId}
        and user_id = ${userId}
    ),
    ${HELD}
    select team.external_id as id, team.name, array_agg(held.role order by held.role) as roles
    from held
    join team on team.organization_id = held.organization_id
      and team.id = held.team_id
    group by team.external_id, team.name
    order by team.name, team.external_id
  `.execute(db)
  return rows
}
