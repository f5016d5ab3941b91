import { sql, type RawBuilder } from 'kysely'
import type { Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { PARENTS_MAX, type AssetNode } from './tree.ts'

// The description is read from documents up to this length; longer ones show it only on their own
// page.
const DESCRIBED_BYTES_MAX = 64 * 1024

// The order of nodes, as in the indexes, which contain only the beginning of a name.
const PLACE = sql`left(name, 100) collate "C", external_id`

/** The root of a tree: an integration with assets; `externalId` null = assets that clients PUT. */
interface RootRow {
  externalId: string | null
  name: string | null
  source: string | null
  /** External id of the team that owns the integration. */
  ownerTeam: string | null
  assetCount: number
  rootCount: number
}

// Parents that are named but do not exist. There are few parents compared with assets: each is
// found in the index after the previous one, without reading assets.
const MISSING_PARENTS = (organizationId: string): RawBuilder<unknown> => sql`
  with recursive named as (
    (
      select parent_id
      from asset
      where organization_id = ${organizationId}
        and parent_id is not null
      order by parent_id
      limit 1
    )
    union all
    select (
      select parent_id
      from asset
      where organization_id = ${organizationId}
        and parent_id > named.parent_id
      order by parent_id
      limit 1
    )
    from named
    where named.parent_id is not null
  )
  select named.parent_id
  from named
  where named.parent_id is not null
    and not exists (
      select from asset
      where organization_id = ${organizationId}
        and external_id = named.parent_id
    )`

/** Lists the roots of trees: the integrations with assets, by name, then the assets without one. */
export async function listRoots(db: Database, organizationId: string): Promise<RootRow[]> {
  const { rows } = await sql<RootRow>`
    with live as (
      select integration_id, count(*) as asset_count
      from asset
      where organization_id = ${organizationId}
        and deleted_at is null
      group by integration_id
    ),
    missing as materialized (${MISSING_PARENTS(organizationId)}
    ),
    top as (
      select integration_id, count(*) as root_count
      from (
        select integration_id
        from asset
        where organization_id = ${organizationId}
          and parent_id is null
        union all
        select asset.integration_id
        from missing
        join asset on asset.organization_id = ${organizationId}
          and asset.parent_id = missing.parent_id
      ) as root
      group by integration_id
    ),
    counted as (
      select integration_id, sum(asset_count) as asset_count, sum(root_count) as root_count
      from (
        select integration_id, asset_count, 0 as root_count from live
        union all
        select integration_id, 0, root_count from top
      ) as part
      group by integration_id
    )
    select
      integration.external_id as "externalId", integration.name, integration.source,
      team.external_id as "ownerTeam", counted.asset_count::bigint as "assetCount",
      counted.root_count::bigint as "rootCount"
    from counted
    left join integration on integration.organization_id = ${organizationId}
      and integration.id = counted.integration_id
    left join team on team.organization_id = ${organizationId}
      and team.id = integration.owner_team_id
    order by integration.id is null, integration.name collate "C", integration.external_id
  `.execute(db)
  return rows
}

/** The filter and page of a list of nodes. */
interface NodeFilter {
  organizationId: string
  /** The internal id; null = assets that clients PUT. Only used at the top. */
  integrationId: string | null
  /** Null = the top. */
  parentId: string | null
  /** The node after which the page starts. */
  after: { name: string; id: string } | undefined
  rowsMax: number
}

/**
 * Lists the assets directly below another, or at the top of a tree, by name and id, including those
 * that are gone from their source. Returns one more than `rowsMax` if there are more.
 */
export async function listNodes(db: Database, filter: NodeFilter): Promise<AssetNode[]> {
  const { organizationId, parentId } = filter
  const below =
    parentId === null ? selectTop(filter) : selectPart(filter, sql`parent_id = ${parentId}`)
  const { rows } = await sql<AssetNode>`
    with page as (
      select *, row_number() over (order by ${PLACE}) as ordinal
      from (${below}) as below
      order by ${PLACE}
      limit ${filter.rowsMax + 1}
    )
    select
      page.external_id as id, page.name, page.type,
      coalesce(annotation.description, case
        when octet_length(page.text) <= ${DESCRIBED_BYTES_MAX}
          then page.text::json -> 'info' ->> 'description'
      end) as description,
      coalesce(page.owner, owner.external_id) as "ownerId",
      (
        select count(*)
        from asset
        where organization_id = ${organizationId}
          and parent_id = page.external_id
      ) as "childCount",
      case when page.deleted_at is null then 'live' else 'deleted' end as status
    from page
    left join asset_annotation as annotation on annotation.organization_id = ${organizationId}
      and annotation.asset_id = page.external_id
    left join integration on integration.organization_id = ${organizationId}
      and integration.id = page.integration_id
    left join team as owner on owner.organization_id = ${organizationId}
      and owner.id = coalesce(annotation.owner_team_id, integration.owner_team_id)
    order by page.ordinal
  `.execute(db)
  return rows
}

// Each part is read in the order of an index and stops early; the union is sorted again.
function selectTop(filter: NodeFilter): RawBuilder<unknown> {
  const { organizationId, integrationId, rowsMax } = filter
  const own =
    integrationId === null ? sql`integration_id is null` : sql`integration_id = ${integrationId}`
  const missing = sql`parent_id in (${MISSING_PARENTS(organizationId)})`
  const parts = [sql`parent_id is null and ${own}`, sql`${missing} and ${own}`].map(
    (condition) => sql`(
      ${selectPart(filter, condition)}
      order by ${PLACE}
      limit ${rowsMax + 1}
    )`,
  )
  return sql`select * from (${sql.join(parts, sql` union all `)}) as part`
}

function selectPart(
  { organizationId, after }: NodeFilter,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const behind =
    after === undefined ? sql`` : sql`and (${PLACE}) > (left(${after.name}, 100), ${after.id})`
  return sql`
    select external_id, name, type, owner, integration_id, deleted_at,
      coalesce(document_json, document) as text
    from asset
    where organization_id = ${organizationId}
      and ${condition}
      ${behind}`
}

/** Finds the name of an asset, also of a deleted one. */
export async function findName(
  db: Database,
  organizationId: string,
  externalId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name, 1 as rank, 0 as version
    from asset
    where organization_id = ${organizationId}
      and external_id = ${externalId}
    union all
    select facts ->> 'name', 2, version
    from revision
    where organization_id = ${organizationId}
      and kind = 'asset'
      and external_id = ${externalId}
    order by rank, version desc
    limit 1
  `.execute(db)
  return rows[0]?.name
}

/** Finds the internal id of an integration. */
export async function findIntegrationId(
  db: Database,
  organizationId: string,
  externalId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id
    from integration
    where organization_id = ${organizationId}
      and external_id = ${externalId}
  `.execute(db)
  return rows[0]?.id
}

/** The surroundings of an asset. */
export interface Surroundings {
  name: string
  type: string
  integrationName: string | null
  integrationSource: string | null
  /** External id of the team that owns the integration. */
  integrationOwner: string | null
  annotatedAt: Instant | null
  annotatedBy: string | null
  ownerName: string | null
  childCount: number
}

/** Finds the surroundings of an asset; `owner` is the external id of the owning team. */
export async function findSurroundings(
  db: Database,
  organizationId: string,
  externalId: string,
  owner: string | null,
): Promise<Surroundings | undefined> {
  const { rows } = await sql<Surroundings>`
    select
      asset.name, asset.type, integration.name as "integrationName",
      integration.source as "integrationSource", team.external_id as "integrationOwner",
      annotation.updated_at as "annotatedAt", annotation.updated_by as "annotatedBy",
      (
        select name
        from team
        where organization_id = ${organizationId}
          and external_id = ${owner}
      ) as "ownerName",
      (
        select count(*)
        from asset as child
        where child.organization_id = ${organizationId}
          and child.parent_id = asset.external_id
      ) as "childCount"
    from asset
    left join asset_annotation as annotation on annotation.organization_id = asset.organization_id
      and annotation.asset_id = asset.external_id
    left join integration on integration.organization_id = asset.organization_id
      and integration.id = asset.integration_id
    left join team on team.organization_id = integration.organization_id
      and team.id = integration.owner_team_id
    where asset.organization_id = ${organizationId}
      and asset.external_id = ${externalId}
  `.execute(db)
  return rows[0]
}

/**
 * Lists the ancestors of an asset, the outermost first; a cycle of parents ends where it closes.
 */
export async function listParents(
  db: Database,
  organizationId: string,
  externalId: string,
): Promise<{ id: string; name: string; type: string }[]> {
  const { rows } = await sql<{ id: string; name: string; type: string }>`
    with recursive chain as (
      select parent_id, array[external_id] as seen, 0 as distance, name, type, external_id
      from asset
      where organization_id = ${organizationId}
        and external_id = ${externalId}
      union all
      select asset.parent_id, chain.seen || asset.external_id, chain.distance + 1, asset.name,
        asset.type, asset.external_id
      from chain
      join asset on asset.organization_id = ${organizationId}
        and asset.external_id = chain.parent_id
      where asset.external_id <> all(chain.seen)
        and chain.distance < ${PARENTS_MAX}
    )
    select external_id as id, name, type
    from chain
    where distance > 0
    order by distance desc
  `.execute(db)
  return rows
}
