import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import { isOwner, selectRolesInTeam, type TeamColumns } from './effective-role.ts'
import { selectLine } from './team-line.ts'

const TEAMS_READ_MAX = 5000

/** A team, and some of the people who have one of several roles on it. */
export interface TeamHolders {
  /** Null = the team does not exist. */
  name: string | null
  people: string[]
}

/** The roles on a team that are looked for. */
interface RoleQuery {
  /** Null = only the organization owners have them. */
  team: string | null
  roles: readonly string[]
}

interface HolderQuery extends RoleQuery {
  limit: number
  /** The ids of people who may not act in spite of their role, unless they own the organization. */
  except?: readonly string[]
  /** The id of a person who may act, but is not listed. */
  unlisted?: string | undefined
}

/**
 * Finds the name of a team, and up to `limit` members who have one of the roles on it, the nearest roles
 * first; the organization owners if no member has one, or if `team` is null.
 */
export async function findHolders(
  db: Database,
  organizationId: string,
  { team, roles, limit, except = [], unlisted }: HolderQuery,
): Promise<TeamHolders> {
  const { rows } = await sql<TeamHolders>`
    with recursive ${selectLine(organizationId, team)},
    holder as (
      select held.user_id, line.distance
      from line
      cross join lateral ${selectRolesInTeam(onLine(organizationId))} as held
      where held.role = any(${[...roles]}::text[])
        and (
          held.user_id <> all(${[...except]}::uuid[])
          or ${isOwner({ organizationId: sql`${organizationId}::uuid`, userId: sql`held.user_id` })}
        )
    ),
    nearest as (
      select user_account.name, min(candidate.distance) as distance
      from (
        select user_id, distance from holder
        union all
        select user_id, 0
        from organization_role
        where organization_id = ${organizationId}
          and role = 'Owner'
          and not exists (select from holder)
      ) as candidate
      join user_account on user_account.id = candidate.user_id
      where candidate.user_id is distinct from ${unlisted ?? null}::uuid
      group by user_account.name
      order by distance, user_account.name
      limit ${limit}
    )
    select
      (select name from line where distance = 0) as name,
      array(select name from nearest order by distance, name) as people
  `.execute(db)
  return rows[0] ?? { name: null, people: [] }
}

/** Lists those of some people who have one of the roles on a team. */
export async function listHoldersAmong(
  db: Database,
  organizationId: string,
  { team, roles, userIds }: RoleQuery & { userIds: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive ${selectLine(organizationId, team)}
    select distinct held.user_id as id
    from line
    cross join lateral ${selectRolesInTeam(onLine(organizationId))} as held
    where held.role = any(${[...roles]}::text[])
      and held.user_id = any(${[...userIds]}::uuid[])
  `.execute(db)
  return rows.map(({ id }) => id)
}

function onLine(organizationId: string): TeamColumns {
  return { organizationId: sql`${organizationId}::uuid`, teamId: sql`line.id` }
}

/** Lists the teams of an organization by id and name, up to the number worth comparing. */
export async function listTeamNames(
  db: Database,
  organizationId: string,
): Promise<{ id: string; name: string }[]> {
  return await db
    .selectFrom('team')
    .select(['external_id as id', 'name'])
    .where('organization_id', '=', organizationId)
    .orderBy('external_id')
    .limit(TEAMS_READ_MAX)
    .execute()
}
