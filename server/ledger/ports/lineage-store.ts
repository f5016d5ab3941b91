import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import type { ProductAccess } from './lineage.ts'
import type { LinkedProduct } from './store.ts'

/** A product that is next to others, and how long its document is. */
export interface Neighbour {
  id: string
  bytes: number
}

/** By what products are found: the contracts and the assets that their ports name, and access to each other. */
export interface Meeting {
  contracts: readonly string[]
  assets: readonly string[]
  /** Products that have access to data of the neighbours, or that the neighbours have access to. */
  products: readonly string[]
}

/** Lists products with an output port that may provide one of some contracts or assets, by id. */
export async function listProviders(
  db: Database,
  organizationId: string,
  meeting: Meeting,
  limits: { except: readonly string[]; rowsMax: number },
): Promise<Neighbour[]> {
  const granted = listGranted(organizationId, 'held_product', 'held_consumer_product', meeting)
  const by = { contracts: sql`output_contracts`, granted }
  return await listNeighbours(db, organizationId, by, meeting, limits)
}

/** Lists products with an input port that may name one of some contracts or assets, by id. */
export async function listConsumers(
  db: Database,
  organizationId: string,
  meeting: Meeting,
  limits: { except: readonly string[]; rowsMax: number },
): Promise<Neighbour[]> {
  const granted = listGranted(organizationId, 'held_consumer_product', 'held_product', meeting)
  const by = { contracts: sql`input_contracts`, granted }
  return await listNeighbours(db, organizationId, by, meeting, limits)
}

type AccessSide = 'held_product' | 'held_consumer_product'

// The products on one side of active agreements with some products on the other side.
function listGranted(
  organizationId: string,
  side: AccessSide,
  otherSide: AccessSide,
  { products }: Meeting,
): RawBuilder<unknown> {
  return sql`array(
          select distinct ${sql.ref(side)}
          from access_agreement
          where organization_id = ${organizationId}
            and state = 'active'
            and ${sql.ref(otherSide)} = any(${products}::text[])
            and ${sql.ref(side)} is not null
        )`
}

async function listNeighbours(
  db: Database,
  organizationId: string,
  { contracts, granted }: { contracts: RawBuilder<unknown>; granted: RawBuilder<unknown> },
  meeting: Meeting,
  { except, rowsMax }: { except: readonly string[]; rowsMax: number },
): Promise<Neighbour[]> {
  const { rows } = await sql<Neighbour>`
    select external_id as id, octet_length(coalesce(document_json, document)) as bytes
    from data_product
    where organization_id = ${organizationId}
      and (
        ${contracts} && ${meeting.contracts}::text[]
        or assets && ${meeting.assets}::text[]
        or external_id = any(${granted})
      )
      and external_id <> all(${except}::text[])
    order by external_id
    limit ${rowsMax}
  `.execute(db)
  return rows
}

/** Loads products as JSON by id, without those that were deleted in the meantime. */
export async function loadProducts(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<(LinkedProduct & { status: string | null })[]> {
  const { rows } = await sql<LinkedProduct & { status: string | null }>`
    select
      product.external_id as id, product.name, team.external_id as "ownerId",
      team.name as "ownerName", product.status,
      coalesce(product.document_json, product.document) as document
    from data_product as product
    join team on team.organization_id = product.organization_id
      and team.id = product.owner_team_id
    where product.organization_id = ${organizationId}
      and product.external_id = any(${ids}::text[])
    order by product.external_id
  `.execute(db)
  return rows
}

/** An asset or a source system that a port names. */
export interface NamedOrigin {
  id: string
  name: string
  ownerId: string | null
  ownerName: string | null
  /** `deleted` = gone from its source. */
  status: string | null
}

/** Lists the assets that exist, with their owners: by document, by people, or by integration. */
export async function listAssets(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<NamedOrigin[]> {
  const { rows } = await sql<NamedOrigin>`
    select
      asset.external_id as id, asset.name, team.external_id as "ownerId", team.name as "ownerName",
      case when asset.deleted_at is not null then 'deleted' end as status
    from asset
    left join asset_annotation as annotation
      on annotation.organization_id = asset.organization_id
      and annotation.asset_id = asset.external_id
    left join integration on integration.organization_id = asset.organization_id
      and integration.id = asset.integration_id
    left join team on team.organization_id = asset.organization_id
      and case
        when asset.owner is not null then team.external_id = asset.owner
        else team.id = coalesce(annotation.owner_team_id, integration.owner_team_id)
      end
    where asset.organization_id = ${organizationId}
      and asset.external_id = any(${ids}::text[])
  `.execute(db)
  return rows
}

/** Lists the source systems that are registered, with their owners. */
export async function listSourceSystems(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<NamedOrigin[]> {
  const { rows } = await sql<NamedOrigin>`
    select
      record.external_id as id, record.name, team.external_id as "ownerId",
      team.name as "ownerName", null as status
    from catalog_record as record
    left join team on team.organization_id = record.organization_id
      and team.id = record.owner_team_id
    where record.organization_id = ${organizationId}
      and record.kind = 'source-system'
      and record.external_id = any(${ids}::text[])
  `.execute(db)
  return rows
}

/** Lists the active agreements between products, by id. */
export async function listProductAccess(
  db: Database,
  organizationId: string,
  products: readonly string[],
  limit: number,
): Promise<ProductAccess[]> {
  const { rows } = await sql<ProductAccess>`
    select external_id as id, held_product as from, held_consumer_product as to,
      output_port as port, contract_id as "contractId"
    from access_agreement
    where organization_id = ${organizationId}
      and state = 'active'
      and held_product = any(${products}::text[])
      and held_consumer_product = any(${products}::text[])
      and held_product <> held_consumer_product
    order by external_id
    limit ${limit}
  `.execute(db)
  return rows
}
