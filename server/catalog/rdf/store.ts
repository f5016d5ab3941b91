import { sql } from 'kysely'
import type { DocumentReference } from '../../requests/http/document-list.ts'
import { selectPage } from '../../requests/http/paging.ts'
import type { Database } from '../../platform/tables.ts'
import type { ProductRow } from './rdf.ts'

/** Returns the name of an organization. */
export async function getOrganizationName(db: Database, organizationId: string): Promise<string> {
  const { name } = await db
    .selectFrom('organization')
    .select('name')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return name
}

/** Finds the name of a team; undefined if the team does not exist. */
export async function findTeamName(
  db: Database,
  organizationId: string,
  id: string,
): Promise<string | undefined> {
  const team = await db
    .selectFrom('team')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('external_id', '=', id)
    .executeTakeFirst()
  return team?.name
}

/** Lists a page of data products in the order of their creation, and one more if there is a next page. */
export async function listProducts(
  db: Database,
  organizationId: string,
  page: number,
): Promise<DocumentReference<string>[]> {
  const { rows } = await sql<DocumentReference<string>>`
    with page as materialized (
      select external_id, row_number() over () as position
      from (
        select external_id
        from data_product
        where organization_id = ${organizationId}
        order by created_at, external_id
        ${selectPage(page)}
      ) as sorted
    )
    select product.external_id as key,
      octet_length(coalesce(product.document_json, product.document)) as bytes
    from page
    join data_product as product on product.organization_id = ${organizationId}
      and product.external_id = page.external_id
    order by page.position
  `.execute(db)
  return rows
}

/** Lists the data products with an output port under a contract, by id, after an id. */
export async function listProviders(
  db: Database,
  organizationId: string,
  contractId: string,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select external_id as id
    from data_product
    where organization_id = ${organizationId}
      and output_contracts && ${[contractId]}::text[]
      and external_id > ${afterId}
    order by external_id
    limit ${limit}
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** Loads data products by id, in the given order, without those that were deleted in the meantime. */
export async function loadProducts(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<ProductRow[]> {
  const { rows } = await sql<ProductRow>`
    select
      product.external_id as id, coalesce(product.document_json, product.document) as document,
      product.updated_at as "modifiedAt", team.external_id as "ownerId", team.name as "ownerName",
      product.status, product.domain,
      array(
        select distinct unnest(product.output_contracts || product.input_contracts)
      ) as contracts
    from unnest(${ids}::text[]) with ordinality as requested (external_id, ordinal)
    join data_product as product on product.organization_id = ${organizationId}
      and product.external_id = requested.external_id
    join team on team.organization_id = product.organization_id
      and team.id = product.owner_team_id
    order by requested.ordinal
  `.execute(db)
  return rows
}

/** A contract that exists. */
export interface ContractRow {
  id: string
  /** The digest of its meaning. */
  digest: string
  /** The size of its document. */
  bytes: number
  /** The size of its description. */
  descriptionBytes: number
}

/** Lists the contracts that exist. */
export async function listContracts(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<ContractRow[]> {
  const { rows } = await sql<ContractRow>`
    select external_id as id, digest, octet_length(coalesce(document_json, document)) as bytes,
      coalesce(octet_length(description), 0) as "descriptionBytes"
    from data_contract
    where organization_id = ${organizationId}
      and external_id = any(${ids}::text[])
  `.execute(db)
  return rows
}

/** The document of a contract in JSON. */
interface ContractDocument extends Pick<ContractRow, 'id' | 'digest'> {
  document: string
}

/** Loads the documents of contracts as JSON, without those that were deleted in the meantime. */
export async function loadContracts(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<ContractDocument[]> {
  const { rows } = await sql<ContractDocument>`
    select external_id as id, digest, coalesce(document_json, document) as document
    from data_contract
    where organization_id = ${organizationId}
      and external_id = any(${ids}::text[])
  `.execute(db)
  return rows
}

/** The texts of a contract as a dataset. */
interface DatasetRow {
  id: string
  name: string
  description: string | null
  version: string | null
}

/** Lists the texts of contracts, with at most `charactersMax` characters of a description. */
export async function listDatasets(
  db: Database,
  organizationId: string,
  ids: readonly string[],
  charactersMax: number,
): Promise<DatasetRow[]> {
  const { rows } = await sql<DatasetRow>`
    select external_id as id, name, left(description, ${charactersMax}) as description,
      contract_version as version
    from data_contract
    where organization_id = ${organizationId}
      and external_id = any(${ids}::text[])
    order by external_id
  `.execute(db)
  return rows
}
