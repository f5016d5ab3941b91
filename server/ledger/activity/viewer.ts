import { sql, type RawBuilder } from 'kysely'
import type { Caller } from '../../requests/access/caller.ts'
import { isOwner, may } from '../../requests/access/permission.ts'

/** The viewer of a page, as statements need it. */
export interface Viewer {
  organizationId: string
  /** Whether the person owns the organization. */
  isOwner: boolean
  /** The ID of the person. */
  userId: string
  /** The external IDs of the teams in which the person has a role, including inherited ones. */
  teams: readonly string[]
  /** The external IDs of the teams whose API keys the person manages. */
  keyTeams: readonly string[]
}

/** Converts a caller to a viewer. */
export function toViewer(caller: Caller): Viewer {
  const teams = [...caller.roles.keys()]
  return {
    organizationId: caller.organizationId,
    isOwner: isOwner(caller),
    userId: caller.userId ?? '',
    teams,
    keyTeams: teams.filter((team) => may(caller, 'TEAM_API_KEY_MANAGE', team)),
  }
}

/**
 * Returns a condition on a row of `integration`: the viewer can see it if one of their teams owns it, if no team owns
 * it, or if they own the organization.
 */
export function canSeeIntegration({ isOwner, teams }: Viewer): RawBuilder<unknown> {
  return sql`(
    ${isOwner}::boolean
    or integration.owner_team_id is null
    or integration.owner_team_id in (
      select id
      from team
      where organization_id = integration.organization_id
        and external_id = any(${teams}::text[])
    )
  )`
}

/** Returns a subquery of the internal IDs of teams. */
export function selectTeamIds(
  organizationId: string,
  teams: readonly string[],
): RawBuilder<unknown> {
  return sql`(
    select id
    from team
    where organization_id = ${organizationId}
      and external_id = any(${teams}::text[])
  )`
}
