import { sql, type RawBuilder } from 'kysely'
import type { ResourceKey, ResourceState } from '../documents/resource.ts'
import type { DocumentReference } from '../http/document-list.ts'
import { PAGE_ELEMENTS_MAX } from '../http/paging.ts'
import type { Database } from '../tables.ts'

/** The state of a team that a change depends on. */
export interface TeamState extends ResourceState {
  id: string | null
  document: string | null
  parent: string | null
  /** Internal id of the new parent; null if it does not exist. */
  newParentId: string | null
  /** Whether the new parent is a subteam of the team. */
  makesCycle: boolean
}

/**
 * Serializes changes of an organization's teams until the end of the transaction; two concurrent moves could
 * otherwise form a cycle.
 */
export async function lockTeams(db: Database, organizationId: string): Promise<void> {
  await sql`select id from organization where id = ${organizationId} for no key update`.execute(db)
}

/** Finds a team, and whether its possible parent is below it. */
export async function findState(
  db: Database,
  { organizationId, id }: ResourceKey,
  newParent: string | undefined,
): Promise<TeamState> {
  const { rows } = await sql<TeamState>`
    with recursive line as (
      select id, external_id, parent_id
      from team
      where organization_id = ${organizationId}
        and external_id = ${newParent ?? null}
      union
      select team.id, team.external_id, team.parent_id
      from line
      join team on team.organization_id = ${organizationId}
        and team.id = line.parent_id
    )
    select
      team.id, team.version, team.digest, team.document, 'team' as format, null as owner,
      null as "ownerTeamId", parent.external_id as parent,
      (select id from line where external_id = ${newParent ?? null}) as "newParentId",
      exists (select from line where external_id = ${id}) as "makesCycle"
    from (select 1) as always
    left join team on team.organization_id = ${organizationId}
      and team.external_id = ${id}
    left join team as parent on parent.organization_id = team.organization_id
      and parent.id = team.parent_id
  `.execute(db)
  const [state] = rows
  if (state === undefined) throw new Error('a statement that always gives a row gave none')
  return state
}

/** Finds a team's document. */
export async function findTeam(
  db: Database,
  organizationId: string,
  externalId: string,
): Promise<{ document: string; digest: string } | undefined> {
  return await db
    .selectFrom('team')
    .select(['document', 'digest'])
    .where('organization_id', '=', organizationId)
    .where('external_id', '=', externalId)
    .executeTakeFirst()
}

/** Lists a page of teams by creation, and one more if there is a next page. */
export async function listReferences(
  db: Database,
  organizationId: string,
  page: number,
  email: string | undefined,
): Promise<DocumentReference<string>[]> {
  const { rows } = await sql<DocumentReference<string>>`
    select external_id as key, octet_length(document) as bytes
    from team
    where organization_id = ${organizationId}
      and (${email ?? null}::text is null or member_emails @> array[${email?.toLowerCase() ?? null}::text])
    order by created_at, external_id
    offset ${page * PAGE_ELEMENTS_MAX}
    limit ${PAGE_ELEMENTS_MAX + 1}
  `.execute(db)
  return rows
}

/** Loads documents by id, in the given order, without those that were deleted in the meantime. */
export async function loadDocuments(
  db: Database,
  organizationId: string,
  externalIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ document: string }>`
    select team.document
    from unnest(${externalIds}::text[]) with ordinality as requested (external_id, ordinal)
    join team on team.organization_id = ${organizationId}
      and team.external_id = requested.external_id
    order by requested.ordinal
  `.execute(db)
  return rows.map((row) => row.document)
}

/** The resources that prevent the deletion of a team: a few ids of each kind. */
export interface TeamUses {
  dataProducts: string[]
  dataContracts: string[]
  integrations: string[]
  assets: string[]
  teams: string[]
}

/** Lists what keeps a team from being deleted. */
export async function listUses(
  db: Database,
  organizationId: string,
  externalId: string,
): Promise<TeamUses> {
  const { rows } = await sql<TeamUses>`
    select
      array(
        select data_product.external_id
        from data_product
        where data_product.organization_id = team.organization_id
          and data_product.owner_team_id = team.id
        order by data_product.external_id
        limit 5
      ) as "dataProducts",
      array(
        select data_contract.external_id
        from data_contract
        where data_contract.organization_id = team.organization_id
          and data_contract.owner_team_id = team.id
        order by data_contract.external_id
        limit 5
      ) as "dataContracts",
      array(
        select integration.external_id
        from integration
        where integration.organization_id = team.organization_id
          and integration.owner_team_id = team.id
        order by integration.external_id
        limit 5
      ) as integrations,
      array(
        select asset.external_id
        from asset
        left join asset_annotation as annotation
          on annotation.organization_id = asset.organization_id
          and annotation.asset_id = asset.external_id
        where asset.organization_id = team.organization_id
          and (asset.owner = team.external_id or annotation.owner_team_id = team.id)
        order by asset.external_id
        limit 5
      ) as assets,
      array(
        select child.external_id
        from team as child
        where child.organization_id = team.organization_id
          and child.parent_id = team.id
        order by child.external_id
        limit 5
      ) as teams
    from team
    where organization_id = ${organizationId}
      and external_id = ${externalId}
  `.execute(db)
  return rows[0] ?? { dataProducts: [], dataContracts: [], integrations: [], assets: [], teams: [] }
}

/** The order by creation, for lists of former versions. */
export const BY_CREATION: RawBuilder<unknown> = sql`created_at`

/** SQL condition: a former version of a team has a member. */
export function hadMember(email: string): RawBuilder<unknown> {
  return sql`facts->'emails' ? ${email.toLowerCase()}::text`
}
