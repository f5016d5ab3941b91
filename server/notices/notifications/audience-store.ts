import { sql, type RawBuilder } from 'kysely'
import { selectRolesInTeam } from '../../requests/access/effective-role.ts'

// The people and teams of audiences, as parts of the statement that distributes notifications. They read the result named
// `audience` (id, entry, type, team, reason, ordinal) of the entries of `record.ts`.

/**
 * SQL fragment: the result `addressed` (id, team, team_id, reason, ordinal) of the teams of audiences: those that are
 * named, and those that read or provide data under contracts.
 */
export function selectAddressed(organizationId: string): RawBuilder<unknown> {
  const contracts = sql`array(select jsonb_array_elements_text(audience.entry->'contracts'))`
  const byContract = (type: 'consumers' | 'providers', column: string, reason: string) => sql`
      select audience.id, team.external_id as team, team.id as team_id, ${sql.lit(reason)} as reason,
        audience.ordinal
      from audience
      join data_product as product on product.organization_id = ${organizationId}
        and product.${sql.ref(column)} && ${contracts}
      join team on team.organization_id = ${organizationId}
        and team.id = product.owner_team_id
      where audience.type = ${type}`
  return sql`
    addressed as materialized (
      select audience.id, team.external_id as team, team.id as team_id, audience.reason,
        audience.ordinal
      from audience
      join team on team.organization_id = ${organizationId}
        and team.external_id = audience.team
      where audience.type in ('team', 'approvers', 'team-owners')
      union ${byContract('consumers', 'input_contracts', 'consumer')}
      union
      select audience.id, team.external_id as team, team.id as team_id, 'consumer', audience.ordinal
      from audience
      ${joinAgreements(organizationId)}
      join team on team.organization_id = ${organizationId}
        and team.external_id = agreement.consumer_team
      where audience.type = 'consumers'
      union ${byContract('providers', 'output_contracts', 'owner')}
    )`
}

// The agreements that are in force on what an audience with consumers is about.
function joinAgreements(organizationId: string): RawBuilder<unknown> {
  const contracts = sql`array(select jsonb_array_elements_text(audience.entry->'contracts'))`
  return sql`cross join lateral (
        select audience.entry->>'product' as id, true as is_named
        union all
        select external_id, false
        from data_product
        where organization_id = ${organizationId}
          and output_contracts && ${contracts}
      ) as provided
      join access_agreement as agreement on agreement.organization_id = ${organizationId}
        and agreement.provider_product = provided.id
        and agreement.state in ('active', 'upcoming')
        and case
          when audience.entry ? 'ports' then
            provided.is_named and audience.entry->'ports' ? agreement.output_port
          else provided.is_named or agreement.contract_id = any(${contracts})
        end`
}

/**
 * SQL fragment: the results `person` and `everybody` (id, user_id, reason, ordinal) of the people of audiences. Roles
 * are inherited from the teams above, as permissions are; membership is not.
 */
export function selectPeople(
  organizationId: string,
  approverRoles: readonly string[],
): RawBuilder<unknown> {
  return sql`
    ${selectTeamsAbove(organizationId)},
    listed as (
      ${selectFollowers(organizationId)}
      union all
      ${selectMembers(organizationId)}
      union all
      ${selectRoleHolders(organizationId, approverRoles)}
      union all
      select audience.id, agreement.consumer_user, 'consumer', audience.ordinal
      from audience
      ${joinAgreements(organizationId)}
      where audience.type = 'consumers'
      union all
      select audience.id, (audience.entry->>'user')::uuid, audience.reason, audience.ordinal
      from audience
      where audience.type = 'user'
    ),
    -- Suspended members get no notices.
    person as materialized (
      select listed.id, listed.user_id, listed.reason, listed.ordinal
      from listed
      join organization_member as member on member.organization_id = ${organizationId}
        and member.user_id = listed.user_id
        and member.suspended_at is null
    ),
    everybody as (
      select id, user_id, reason, ordinal
      from person
      union all
      select audience.id, held.user_id, 'organization-owner', audience.ordinal
      from audience
      join organization_role as held on held.organization_id = ${organizationId}
        and held.role = 'Owner'
      where audience.type = 'organization-owners'
        and not exists (select from person where person.id = audience.id)
    )`
}

function selectTeamsAbove(organizationId: string): RawBuilder<unknown> {
  return sql`team_above as (
      select audience.id, audience.type, audience.reason, audience.ordinal, team.id as team_id,
        team.parent_id
      from audience
      join team on team.organization_id = ${organizationId}
        and team.external_id = audience.team
      where audience.type in ('approvers', 'team-owners')
      union
      select team_above.id, team_above.type, team_above.reason, team_above.ordinal, team.id,
        team.parent_id
      from team_above
      join team on team.organization_id = ${organizationId}
        and team.id = team_above.parent_id
    )`
}

function selectFollowers(organizationId: string): RawBuilder<unknown> {
  return sql`select audience.id, follow.user_id, 'following' as reason, audience.ordinal
      from audience
      join follow on follow.organization_id = ${organizationId}
        and follow.kind = audience.entry->>'kind'
        and follow.subject = audience.entry->>'id'
        and not follow.is_muted
      where audience.type = 'followers'`
}

// Members who muted the team follow nothing of it by default.
function selectMembers(organizationId: string): RawBuilder<unknown> {
  return sql`select addressed.id, held.user_id, addressed.reason, addressed.ordinal
      from addressed
      join audience on audience.id = addressed.id
        and audience.ordinal = addressed.ordinal
        and audience.type not in ('approvers', 'team-owners')
      cross join lateral ${selectRoles(organizationId, sql`addressed.team_id`)} as held
      where not exists (
        select
        from follow as mute
        where mute.organization_id = ${organizationId}
          and mute.kind = 'team'
          and mute.subject = addressed.team
          and mute.user_id = held.user_id
          and mute.is_muted
      )`
}

function selectRoleHolders(
  organizationId: string,
  approverRoles: readonly string[],
): RawBuilder<unknown> {
  return sql`select team_above.id, held.user_id, team_above.reason, team_above.ordinal
      from team_above
      cross join lateral ${selectRoles(organizationId, sql`team_above.team_id`)} as held
      where case team_above.type
        when 'approvers' then held.role = any(${approverRoles}::text[])
        else held.role = 'Owner'
      end`
}

// An address of a team can have an account in another organization only, which has no role here.
function selectRoles(organizationId: string, teamId: RawBuilder<unknown>): RawBuilder<unknown> {
  return selectRolesInTeam({ organizationId: sql`${organizationId}::uuid`, teamId })
}
