import { sql, type RawBuilder } from 'kysely'

/**
 * The roles that members have now, as SQL: those of documents and those of groups, from the views `team_role` and
 * `organization_role`. Suspended members have none.
 */

/** The SQL expressions of an organization and of a person in it. */
interface MemberColumns {
  organizationId: RawBuilder<unknown>
  userId: RawBuilder<unknown>
}

/** The SQL expressions of an organization and of a team in it. */
export interface TeamColumns {
  organizationId: RawBuilder<unknown>
  teamId: RawBuilder<unknown>
}

/** SQL condition: a person owns an organization, by the manual role or by a group. */
export function isOwner({ organizationId, userId }: MemberColumns): RawBuilder<unknown> {
  return sql`exists (
        select
        from organization_role
        where organization_role.organization_id = ${organizationId}
          and organization_role.user_id = ${userId}
          and organization_role.role = 'Owner'
      )`
}

/** SQL expression: the role of a member in an organization, `Owner` or `Member`. */
export function selectRole(member: MemberColumns): RawBuilder<unknown> {
  return sql`case when ${isOwner(member)} then 'Owner' else 'Member' end`
}

/**
 * SQL fragment for a lateral join: the roles (team_id, role) of one member in teams, without inherited ones. The view
 * reads only the rows of this member, because `offset 0` makes the conditions parameters of all its parts.
 */
export function selectRolesOfMember({
  organizationId,
  userId,
}: MemberColumns): RawBuilder<unknown> {
  return sql`(
        select distinct team_role.team_id, team_role.role
        from team_role
        where team_role.organization_id = ${organizationId}
          and team_role.user_id = ${userId}
        offset 0
      )`
}

/** SQL fragment for a lateral join: the roles (user_id, role) of members in one team, without inherited ones. */
export function selectRolesInTeam({ organizationId, teamId }: TeamColumns): RawBuilder<unknown> {
  return sql`(
        select distinct team_role.user_id, team_role.role
        from team_role
        where team_role.organization_id = ${organizationId}
          and team_role.team_id = ${teamId}
        offset 0
      )`
}
