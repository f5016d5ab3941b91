import { sql, type RawBuilder } from 'kysely'
import { userIdOf, type Caller } from '../access/caller.ts'

/** The person who looks at a page, as statements need them. */
export interface Viewer {
  organizationId: string
  /** Owns the organization. */
  isOwner: boolean
  /** The person's id. */
  userId: string
  /** External ids of the teams in which the person has a role, inherited ones too. */
  teams: readonly string[]
  /** Those of them that the person owns. */
  ownedTeams: readonly string[]
}

/** Returns the viewer that a caller is. */
export function toViewer(caller: Caller): Viewer {
  const teams = [...caller.roles]
  return {
    organizationId: caller.organizationId,
    isOwner: caller.organizationOwner,
    userId: userIdOf(caller) ?? '',
    teams: teams.map(([team]) => team),
    ownedTeams: teams.filter(([, roles]) => roles.includes('Owner')).map(([team]) => team),
  }
}

/**
 * Returns a condition on a row of `integration`: the viewer sees it when one of their teams owns it,
 * when no team does, or when they own the organization.
 */
export function sees({ isOwner, teams }: Viewer): RawBuilder<unknown> {
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

/** Returns a subquery of the internal ids of some teams. */
export function teamsOf(organizationId: string, teams: readonly string[]): RawBuilder<unknown> {
  return sql`(
    select id
    from team
    where organization_id = ${organizationId}
      and external_id = any(${teams}::text[])
  )`
}
