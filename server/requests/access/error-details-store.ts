import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import { selectLine } from './team-line.ts'

const TEAMS_READ_MAX = 5000

/** A team, and some of the people who have one of several roles on it. */
export interface TeamHolders {
  /** Null = the team does not exist. */
  name: string | null
  people: string[]
}

/**
 * Finds the name of a team, and up to `limit` members who have one of the roles on it, the nearest roles
 * first; the organization owners if no member has one, or if `team` is null.
 */
export async function findHolders(
  db: Database,
  organizationId: string,
  { team, roles, limit }: { team: string | null; roles: readonly string[]; limit: number },
): Promise<TeamHolders> {
  const { rows } = await sql<TeamHolders>`
    with recursive ${selectLine(organizationId, team)},
    person as (
      select user_account.name, user_account.email_key, organization_member.role
      from organization_member
      join user_account on user_account.id = organization_member.user_id
      where organization_member.organization_id = ${organizationId}
    ),
    holder as (
      select person.name, line.distance
      from line
      cross join lateral unnest(line.member_emails, line.member_roles) as member (email, role)
      join person on person.email_key = member.email
      where member.role = any(${[...roles]}::text[])
    ),
    nearest as (
      select name, min(distance) as distance
      from (
        select name, distance from holder
        union all
        select name, 0 from person where role = 'Owner' and not exists (select from holder)
      ) as candidate
      group by name
      order by distance, name
      limit ${limit}
    )
    select
      (select name from line where distance = 0) as name,
      array(select name from nearest order by distance, name) as people
  `.execute(db)
  return rows[0] ?? { name: null, people: [] }
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
