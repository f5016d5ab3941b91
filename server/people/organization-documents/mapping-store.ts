import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import { MAPPING_KIND, type DirectoryMapping } from './directory-mapping.ts'

/** Replaces the rows of the mapping of an organization. Rows that stay the same are not written. */
export async function replaceMappings(
  db: Database,
  organizationId: string,
  mappings: readonly DirectoryMapping[],
): Promise<void> {
  await sql`
    with given as (
      select *
      from unnest(
        ${mappings.map(({ groupName }) => groupName)}::text[],
        ${mappings.map(({ groupKey }) => groupKey)}::text[],
        ${mappings.map(({ kind }) => kind)}::text[],
        ${mappings.map(({ team }) => team)}::text[],
        ${mappings.map(({ role }) => role)}::text[]
      ) with ordinality as listed (group_name, group_key, kind, team, role, position)
    ),
    removed as (
      delete from directory_mapping
      where organization_id = ${organizationId}
        and position > ${mappings.length}
    )
    insert into directory_mapping (
      organization_id, position, group_name, group_key, kind, team, role
    )
    select ${organizationId}::uuid, position, group_name, group_key, kind, team, role
    from given
    on conflict (organization_id, position) do update
    set group_name = excluded.group_name, group_key = excluded.group_key, kind = excluded.kind,
      team = excluded.team, role = excluded.role
    where (
      directory_mapping.group_name, directory_mapping.group_key, directory_mapping.kind,
      directory_mapping.team, directory_mapping.role
    ) is distinct from (
      excluded.group_name, excluded.group_key, excluded.kind, excluded.team, excluded.role
    )
  `.execute(db)
}

/** A stored mapping without rows. */
interface UnlistedMapping {
  organizationId: string
  document: string
  mediaType: string
}

/** Lists the organizations after one, by id, whose mapping has no rows. */
export async function listUnlisted(
  db: Database,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ organizationId: string }>`
    select organization_id as "organizationId"
    from organization_document
    where kind = ${MAPPING_KIND}
      and organization_id > coalesce(${after ?? null}::uuid, '00000000-0000-0000-0000-000000000000')
      and not exists (
        select
        from directory_mapping
        where directory_mapping.organization_id = organization_document.organization_id
      )
    order by organization_id
    limit ${limit}
  `.execute(db)
  return rows.map(({ organizationId }) => organizationId)
}

/** Finds the mapping of an organization if it has no rows. */
export async function findUnlisted(
  db: Database,
  organizationId: string,
): Promise<UnlistedMapping | undefined> {
  const { rows } = await sql<UnlistedMapping>`
    select organization_id as "organizationId", document, media_type as "mediaType"
    from organization_document
    where organization_id = ${organizationId}
      and kind = ${MAPPING_KIND}
      and not exists (
        select
        from directory_mapping
        where directory_mapping.organization_id = ${organizationId}
      )
  `.execute(db)
  return rows[0]
}
