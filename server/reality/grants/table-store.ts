import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../platform/tables.ts'

/** The tables of a list: those of an integration or of all others, and of some data products or all. */
interface TableFilter {
  organizationId: string
  integrationId?: string
  otherThan?: string
  productIds?: readonly string[]
}

// Condition: an asset is a table of an integration, whose grants may be read.
const IS_TABLE = sql`asset.integration_id is not null
          and asset.deleted_at is null
          and asset.path is not null`

/** A table of an output port in an integration. */
export interface PortTable {
  integrationId: string
  productId: string
  portId: string
  providerTeam: string
  contractId: string | null
  /** Of the asset, as a JSON list. */
  path: string
  scope: string | null
  kind: string | null
  /**
   * The number of models of the contract on its production servers, and of assets that the port names, that are not a table
   * of an integration: the consumer may read them without any trace here.
   */
  unlinkedCount: number
}

/**
 * Lists the tables of output ports in integrations: those that are linked with the production servers of a port's contract,
 * and those that a port names. A table of several ports has a row for each.
 */
export async function listPortTables(db: Database, filter: TableFilter): Promise<PortTable[]> {
  const { organizationId } = filter
  const { rows } = await sql<PortTable>`
    with ${selectAssets(filter)},
    ${selectOwned(filter)}
    select distinct on (owned.product_id, owned.port_id, owned.integration_id, owned.path)
      owned.integration_id as "integrationId", owned.product_id as "productId", owned.port_id as "portId", owned.team as "providerTeam",
      owned.contract_id as "contractId", owned.path, owned.scope, owned.kind,
      (
        select count(*)::integer
        from contract_promise as promise
        left join asset_link as link on link.organization_id = promise.organization_id
          and link.contract_id = promise.contract_id
          and link.server = promise.server
          and link.model = promise.model
          and link.state = 'linked'
        left join asset on asset.organization_id = link.organization_id
          and asset.external_id = link.asset_id
          and ${IS_TABLE}
        where promise.organization_id = ${organizationId}
          and promise.contract_id = owned.contract_id
          and promise.is_production
          and asset.external_id is null
      ) + coalesce(absent.count, 0) as "unlinkedCount"
    from owned
    left join absent on absent.product_id = owned.product_id
      and absent.port_id = owned.port_id
    order by owned.product_id, owned.port_id, owned.integration_id, owned.path, owned.number
  `.execute(db)
  return rows
}

/** SQL fragment, two tables of a `with`: the assets that are linked with contracts, and those that data products name. */
function selectAssets({
  organizationId,
  integrationId,
  otherThan,
  productIds,
}: TableFilter): RawBuilder<unknown> {
  const isWanted =
    integrationId !== undefined
      ? sql`asset.integration_id = ${integrationId}`
      : otherThan === undefined
        ? sql`asset.integration_id is not null`
        : sql`asset.integration_id <> ${otherThan}`
  const isOfProduct = selectsProduct(productIds)
  return sql`linked as materialized (
      select link.contract_id, asset.integration_id, asset.external_id as asset_id, asset.path, asset.scope, asset.kind
      from asset
      join asset_link as link on link.organization_id = asset.organization_id
        and link.asset_id = asset.external_id
        and link.state = 'linked'
      join contract_promise as promise on promise.organization_id = link.organization_id
        and promise.contract_id = link.contract_id
        and promise.server = link.server
        and promise.model = link.model
        and promise.is_production
      where asset.organization_id = ${organizationId}
        and ${isWanted}
        and asset.deleted_at is null
        and asset.path is not null
        and link.contract_id in (
          select unnest(product.output_contracts)
          from data_product as product
          where product.organization_id = ${organizationId}
            and ${isOfProduct}
        )
    ),
    named as materialized (
      select product.external_id as product_id, asset.integration_id, asset.external_id as asset_id, asset.path, asset.scope, asset.kind
      from data_product as product
      cross join unnest(product.assets) as name (id)
      join asset on asset.organization_id = product.organization_id
        and asset.external_id = name.id
        and ${isWanted}
        and asset.deleted_at is null
        and asset.path is not null
      where product.organization_id = ${organizationId}
        and ${isOfProduct}
        and product.assets <> '{}'
    )`
}

// Condition: the row of `product` is one of these; undefined = any.
function selectsProduct(productIds: readonly string[] | undefined): RawBuilder<unknown> {
  return productIds === undefined
    ? sql`true`
    : sql`product.external_id = any(${productIds}::text[])`
}

// Condition: an entry of `listed` is of a row of `port`.
const IS_OF_PORT = sql`listed.product_id = port.product_id
        and (
          jsonb_exists(port.names, listed.value ->> 'id')
          or jsonb_exists(port.names, listed.value ->> 'name')
        )`

/**
 * SQL fragment, tables of a `with`: the output ports of these contracts and products, the tables of each (`owned`), and the
 * number of assets that each names in vain (`absent`).
 */
function selectOwned({ organizationId, productIds }: TableFilter): RawBuilder<unknown> {
  const isOfProduct = selectsProduct(productIds)
  return sql`product as materialized (
      select product.external_id as id, team.external_id as team,
        coalesce(product.document_json, product.document) as document
      from data_product as product
      join team on team.organization_id = product.organization_id
        and team.id = product.owner_team_id
      where product.organization_id = ${organizationId}
        and ${isOfProduct}
        and (
          product.output_contracts && array(select contract_id::text from linked)
          or product.external_id in (select product_id from named)
        )
    ),
    port as materialized (
      select product.id as product_id, product.team, item.value -> 'names' ->> 0 as port_id,
        item.value -> 'names' as names, item.value ->> 'contract' as contract_id, item.number
      from product
      join search_document as document on document.organization_id = ${organizationId}
        and document.kind = 'data-product'
        and document.external_id = product.id
      cross join jsonb_array_elements(document.output_ports) with ordinality as item (value, number)
    ),
    ${LISTED},
    owned as (
      select port.*, linked.integration_id, linked.path, linked.scope, linked.kind
      from port
      join linked on linked.contract_id = port.contract_id
      union
      select port.*, named.integration_id, named.path, named.scope, named.kind
      from port
      join listed on ${IS_OF_PORT}
      join named on named.product_id = port.product_id
        and named.asset_id = listed.asset_id
    ),
    absent as materialized (
      select port.product_id, port.port_id, count(*)::integer as count
      from port
      join listed on ${IS_OF_PORT}
      left join asset on asset.organization_id = ${organizationId}
        and asset.external_id = listed.asset_id
        and ${IS_TABLE}
      where asset.external_id is null
      group by port.product_id, port.port_id
    )`
}

// The assets that output ports name: ids, or objects with them.
const LISTED = sql`described as materialized (
      select product.id as product_id, part.value
      from product
      cross join jsonb_path_query(product.document::jsonb, 'lax $.outputPorts[*]') as part (value)
      where product.id in (select product_id from named)
    ),
    listed as materialized (
      select described.product_id, described.value,
        case when jsonb_typeof(asset.value) = 'object'
          then coalesce(asset.value ->> 'id', asset.value ->> 'assetId')
          else asset.value #>> '{}' end as asset_id
      from described
      cross join lateral (
        select jsonb_path_query(described.value, 'lax $.assets[*]')
        union all
        select jsonb_path_query(
          described.value, 'lax $.customProperties[*] ? (@.property == "assets").value[*]'
        )
        union all
        select jsonb_path_query(described.value, 'lax $.custom.assets[*]')
      ) as asset (value)
    )`
