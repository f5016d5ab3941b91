import { sql } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import { SHORT_READ } from '../kit/short-reads.ts'
import type { CalendarDate, Database } from '../tables.ts'
import type { Scope } from './caller.ts'

/** A key as it stands in the store now, with what it may do. */
export interface KeyRow {
  id: string
  organization_id: string
  organization_name: string
  display_name: string
  scope: Scope
  team: string | null
  member_role: 'Owner' | 'Member' | null
  expires_on: CalendarDate | null
  /** Milliseconds until the key expires, negative after it; null = never. */
  expires_in_ms: number | null
  roles: { team: string; role: string }[]
}

/**
 * Finds a key by the hash of its secret, with its powers: one statement, so that all of them are
 * of the same moment. A team's key stands for an Owner of its team; roles go down the tree.
 */
export async function findKey(
  db: Database,
  clock: Clock,
  secretHash: Buffer,
): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`${sql.raw(SHORT_READ)}
    with recursive key as (
      select *
      from api_key
      where secret_hash = ${secretHash}
    ),
    granted as (
      select key.organization_id, key.team_id, 'Owner' as role
      from key
      where key.team_id is not null
      union
      select key.organization_id, team.id, member.role
      from key
      join user_account on user_account.id = key.user_id
      join team on team.organization_id = key.organization_id
        and team.member_emails @> array[user_account.email_key]
      cross join lateral unnest(team.member_emails, team.member_roles) as member (email, role)
      where member.email = user_account.email_key
    ),
    held as (
      select organization_id, team_id, role
      from granted
      union
      select team.organization_id, team.id, held.role
      from held
      join team on team.organization_id = held.organization_id
        and team.parent_id = held.team_id
    )
    select
      key.id,
      key.organization_id,
      organization.name as organization_name,
      key.display_name,
      key.scope,
      team.external_id as team,
      organization_member.role as member_role,
      key.expires_on,
      (extract(epoch from
        ((key.expires_on + 1)::timestamp at time zone 'UTC') - ${clock.now}) * 1000
      )::float8 as expires_in_ms,
      (
        select coalesce(json_agg(json_build_object('team', held_team.external_id, 'role', held.role)), '[]')
        from held
        join team as held_team on held_team.organization_id = held.organization_id
          and held_team.id = held.team_id
      ) as roles
    from key
    join organization on organization.id = key.organization_id
    left join team on team.organization_id = key.organization_id
      and team.id = key.team_id
    left join organization_member on organization_member.organization_id = key.organization_id
      and organization_member.user_id = key.user_id
  `.execute(db)
  return rows[0]
}
