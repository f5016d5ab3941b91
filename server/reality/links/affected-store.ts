import { sql, type RawBuilder } from 'kysely'
import type { PromiseKey } from '../../ledger/promises/promise.ts'
import type { RealityChange } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import { PLATFORM_ASSETS } from './platform-assets.ts'

/** Returns whether an organization has any promise. Without one, no change needs more. */
export async function hasPromises(db: Database, organizationId: string): Promise<boolean> {
  const { rows } = await sql<{ hasPromises: boolean }>`
    select true as "hasPromises"
    from contract_promise
    where organization_id = ${organizationId}
    limit 1
  `.execute(db)
  return rows.length > 0
}

/**
 * Lists the promises about whose links a change may decide, sorted by key. With `isLocked` their links stay locked until the end of
 * the transaction: the later of two changes of assets decides after the earlier one is visible to it.
 */
export async function listAffected(
  db: Database,
  change: RealityChange,
  isLocked: boolean,
): Promise<PromiseKey[]> {
  const { organizationId } = change
  const { rows } = await sql<PromiseKey>`
    with changed as materialized (${selectChangedAssets(change)}
    ),
    affected as materialized (${selectAffected(change)}
    )
    select promise.contract_id as "contractId", promise.server, promise.model
    from affected as promise
    ${
      isLocked
        ? sql`
    join asset_link as link on link.organization_id = ${organizationId}
      and link.contract_id = promise.contract_id
      and link.server = promise.server
      and link.model = promise.model`
        : sql``
    }
    order by promise.contract_id, promise.server, promise.model
    ${isLocked ? sql`for no key update of link` : sql``}
  `.execute(db)
  return rows
}

const NO_ASSETS = sql`
      select null::text as id, null::text as location_key
      where false`

// The ids of the assets that changed, and the places where they are or were. Deleted ones keep their place.
function selectChangedAssets(change: RealityChange): RawBuilder<unknown> {
  const { organizationId } = change
  if (change.kind === 'assets') {
    return sql`
      select external_id as id, lower(coalesce(path, described_path)) as location_key
      from asset
      where organization_id = ${organizationId}
        and external_id = any(${change.ids}::text[])
      union
      select id, null
      from unnest(${change.ids}::text[]) as gone (id)
      union
      select null, lower(path collate "C")
      from unnest(${change.formerPaths ?? []}::text[]) as former (path)`
  }
  if (change.kind !== 'run') return NO_ASSETS
  return sql`
      select asset_id as id, lower(path) as location_key
      from asset_change as change
      cross join lateral (values (path_before), (path_after)) as place (path)
      where organization_id = ${organizationId}
        and run_id = ${change.runId}
        and held_because is null
        and path is not null`
}

function selectAffected(change: RealityChange): RawBuilder<unknown> {
  const { organizationId } = change
  const promises = sql`
      select contract_id, server, model
      from contract_promise
      where organization_id = ${organizationId}`
  switch (change.kind) {
    case 'contracts':
      return sql`${promises}
        and contract_id = any(${change.ids}::text[])`
    case 'choice':
      return sql`${promises}
        and contract_id = ${change.contractId}
        and server = ${change.server}
        and model = ${change.model}`
    case 'products':
      return sql`${promises}
        and contract_id = any(${change.namingContracts}::text[])`
    case 'address':
      return promises
    case 'assets':
      // The ids of a run may be too many for an index of lists: it reads the products once.
      return selectOfAssets(organizationId, sql`and product.assets && ${change.ids}::text[]`)
    case 'run':
      return sql`${selectOfAssets(organizationId, sql``)}
      union
      ${selectOfScopes(organizationId, change)}`
  }
}

// By place, by link, by choice, and by the output ports that name the assets, of the products that fulfil a condition.
function selectOfAssets(
  organizationId: string,
  isOfProducts: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
      select promise.contract_id, promise.server, promise.model
      from changed
      join contract_promise as promise on promise.location_key = changed.location_key
      where promise.organization_id = ${organizationId}
      union
      select link.contract_id, link.server, link.model
      from changed
      join asset_link as link on link.asset_id = changed.id
      where link.organization_id = ${organizationId}
      union
      select promise.contract_id, promise.server, promise.model
      from changed
      join asset_link_choice as choice on choice.asset_id = changed.id
      join contract_promise as promise on promise.organization_id = choice.organization_id
        and promise.contract_id = choice.contract_id
        and promise.server = choice.server
        and promise.model = choice.model
      where choice.organization_id = ${organizationId}
      union
      select promise.contract_id, promise.server, promise.model
      from (
        select pair::jsonb ->> 0 as contract_id, pair::jsonb ->> 1 as asset_id
        from data_product as product
        cross join unnest(product.output_assets) as named (pair)
        where product.organization_id = ${organizationId}
          and product.output_assets <> '{}'
          ${isOfProducts}
      ) as named
      join changed on changed.id = named.asset_id
      join contract_promise as promise on promise.organization_id = ${organizationId}
        and promise.contract_id = named.contract_id`
}

// A run that has read a scope decides whether what is promised there is missing.
function selectOfScopes(
  organizationId: string,
  { runId, integrationId }: { runId: string; integrationId: string },
): RawBuilder<unknown> {
  return sql`
      select promise.contract_id, promise.server, promise.model
      from asset_link as link
      join contract_promise as promise on promise.organization_id = link.organization_id
        and promise.contract_id = link.contract_id
        and promise.server = link.server
        and promise.model = link.model
      where link.organization_id = ${organizationId}
        and link.state in ('not_found', 'not_read', 'no_source')
        and promise.platform in (
          select known.platform
          from integration
          join ${PLATFORM_ASSETS} on known.source = integration.source
          where integration.organization_id = ${organizationId}
            and integration.id = ${integrationId}
        )
        and exists (
          select
          from ingestion_run as run
          where run.organization_id = ${organizationId}
            and run.id = ${runId}
            and run.kind = 'ingest'
        )`
}
