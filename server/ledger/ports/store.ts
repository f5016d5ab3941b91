import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import type { NamedContract } from './port.ts'
import { readShort } from '../../platform/kit/short-reads.ts'

/** Lists the contracts that exist. */
export async function listContracts(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<NamedContract[]> {
  const { rows } = await sql<NamedContract>`
    select
      contract.external_id as id, contract.name, contract.contract_version as version,
      contract.status, team.external_id as "ownerId",
      coalesce(entry.classifications, '{}') as classifications
    from data_contract as contract
    left join search_document as entry on entry.organization_id = contract.organization_id
      and entry.kind = 'data-contract'
      and entry.external_id = contract.external_id
    left join team on team.organization_id = contract.organization_id
      and team.id = contract.owner_team_id
    where contract.organization_id = ${organizationId}
      and contract.external_id = any(${ids}::text[])
  `.execute(db)
  return rows
}

/** A data product whose ports name contracts. */
export interface LinkedProduct {
  id: string
  name: string
  ownerId: string
  ownerName: string
  /** In JSON. */
  document: string
}

/** The maximum number of products in one answer; ask again after the last id. */
export const LINKED_PRODUCTS_MAX = 100

/** Lists products with a port that names one of the contracts, by id, after an id. */
export async function listProductsNaming(
  db: Database,
  organizationId: string,
  contracts: readonly string[],
  afterId: string,
): Promise<LinkedProduct[]> {
  const { rows } = await sql<LinkedProduct>`
    select
      product.external_id as id, product.name, team.external_id as "ownerId",
      team.name as "ownerName", coalesce(product.document_json, product.document) as document
    from data_product as product
    join team on team.organization_id = product.organization_id
      and team.id = product.owner_team_id
    where product.organization_id = ${organizationId}
      and (
        product.output_contracts && ${contracts}::text[]
        or product.input_contracts && ${contracts}::text[]
      )
      and product.external_id > ${afterId}
    order by product.external_id
    limit ${LINKED_PRODUCTS_MAX}
  `.execute(db)
  return rows
}

/** Finds the external id of the team that owns a data product; undefined if the product does not exist. */
export async function findProductOwner(
  db: Database,
  organizationId: string,
  productId: string,
): Promise<string | undefined> {
  const rows = await readShort(
    db,
    sql<{ owner: string }>`
      select team.external_id as owner
      from data_product as product
      join team on team.organization_id = product.organization_id
        and team.id = product.owner_team_id
      where product.organization_id = ${organizationId}
        and product.external_id = ${productId}
    `,
  )
  return rows[0]?.owner
}

/** Finds the external ids of the teams that own data products, by product. Products that do not exist are skipped. */
export async function findProductOwners(
  db: Database,
  organizationId: string,
  productIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; owner: string }>`
    select product.external_id as id, team.external_id as owner
    from data_product as product
    join team on team.organization_id = product.organization_id
      and team.id = product.owner_team_id
    where product.organization_id = ${organizationId}
      and product.external_id = any(${productIds}::text[])
  `.execute(db)
  return new Map(rows.map(({ id, owner }) => [id, owner]))
}
