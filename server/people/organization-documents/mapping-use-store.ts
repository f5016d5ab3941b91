import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import { UNMAPPED_MAX, type MappingUse } from './mapping-use.ts'

/** Lists the mappings of an organization in their order, each with the number of active members in its groups. */
export async function listMappedGroups(
  db: Database,
  organizationId: string,
): Promise<MappingUse['mappings']> {
  // Each member is read once and joined by hashes: there may be 100,000 memberships and 1000 mappings.
  const { rows } = await sql<MappingUse['mappings'][number]>`
    with in_group as materialized (
      select user_id, group_key, external_id
      from member_group
      where organization_id = ${organizationId}
    ),
    mapping as materialized (
      select *
      from directory_mapping
      where organization_id = ${organizationId}
    ),
    matched as (
      select mapping.position, in_group.user_id
      from mapping
      join in_group on in_group.group_key = mapping.group_key
      union
      select mapping.position, in_group.user_id
      from mapping
      join in_group on in_group.external_id = mapping.group_name
    ),
    counted as (
      select position, count(*)::int as people
      from matched
      group by position
    )
    select mapping.group_name as group, coalesce(counted.people, 0) as people,
      mapping.team is null or team.id is not null as "isTeamKnown"
    from mapping
    left join counted on counted.position = mapping.position
    left join team on team.organization_id = ${organizationId}
      and team.external_id = mapping.team
    order by mapping.position
  `.execute(db)
  return rows
}

/** Lists the groups that no mapping names, those with most people first, and counts all. */
export async function listUnmappedGroups(
  db: Database,
  organizationId: string,
): Promise<Pick<MappingUse, 'unmappedGroups' | 'unmappedCount'>> {
  const { rows } = await sql<MappingUse['unmappedGroups'][number] & { total: number }>`
    with present as (
      select source, min(name) as name, group_key, external_id, count(distinct user_id)::int as people
      from member_group
      where organization_id = ${organizationId}
      group by source, group_key, external_id
      union all
      select 'directory', display_name, display_name_key, external_id, 0
      from directory_group
      where organization_id = ${organizationId}
    ),
    unmapped as (
      select source, min(name) as name, max(people) as people
      from present
      where not exists (
          select
          from directory_mapping as mapping
          where mapping.organization_id = ${organizationId}
            and mapping.group_key = present.group_key
        )
        and not exists (
          select
          from directory_mapping as mapping
          where mapping.organization_id = ${organizationId}
            and mapping.group_name = present.external_id
        )
      group by source, group_key
    )
    select source, name, people, count(*) over ()::int as total
    from unmapped
    order by people desc, name
    limit ${UNMAPPED_MAX}
  `.execute(db)
  return { unmappedGroups: rows, unmappedCount: rows[0]?.total ?? 0 }
}
