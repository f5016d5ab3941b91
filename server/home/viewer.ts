import { sql, type RawBuilder } from 'kysely'

/** Whose page it is, as far as statements need it. */
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

/**
 * Says of a row of `integration` whether the viewer sees it: one of their teams owns it, or none does,
 * or they own the organization.
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

/** The internal ids of some teams, as a subquery. */
export function teamsOf(organizationId: string, teams: readonly string[]): RawBuilder<unknown> {
  return sql`(
    select id
    from team
    where organization_id = ${organizationId}
      and external_id = any(${teams}::text[])
  )`
}
