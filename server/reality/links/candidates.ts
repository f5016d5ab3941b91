import { sql, type RawBuilder } from 'kysely'
import { CANDIDATE_PLATFORMS, KNOWN_PLATFORMS, PLATFORM_ASSETS } from './platform-assets.ts'

// SQL fragments of the decision about links: the assets that a promise may mean. They read the row `requested`, a promise.

/** The maximum number of assets that a link offers. */
const CANDIDATES_MAX = 10

/** SQL fragment: the live assets that output ports name for the contracts of the requested promises. */
export function selectNamedAssets(organizationId: string): RawBuilder<unknown> {
  return sql`
        select distinct pair.contract_id, asset.external_id as asset_id, asset.source, asset.type,
          lower(coalesce(asset.path, asset.described_path)) as location_key,
          lower(coalesce(coalesce(asset.path, asset.described_path)::jsonb ->> -1, asset.name)) as object_key
        from data_product as product
        cross join unnest(product.output_assets) as text (pair)
        cross join lateral (
          select text.pair::jsonb ->> 0 as contract_id, text.pair::jsonb ->> 1 as asset_id
        ) as pair
        join asset on asset.organization_id = ${organizationId}
          and asset.external_id = pair.asset_id
          and asset.deleted_at is null
        where product.organization_id = ${organizationId}
          and product.output_contracts && (select array_agg(distinct contract_id) from requested)
          and product.output_assets <> '{}'`
}

/**
 * SQL fragment: the asset of a promise among those named. Only a name could be the table of another environment, so it decides
 * only on production, or if the contract gives no place.
 */
export function selectPortAsset(): RawBuilder<unknown> {
  return sql`
        select case
            when count(*) filter (where is_there) = 1 then min(asset_id) filter (where is_there)
            when count(*) = 1 and (requested.path is null or requested.is_production) then min(asset_id)
          end as asset_id
        from (
          select named.asset_id, named.location_key is not distinct from requested.location_key as is_there
          from named
          where named.contract_id = requested.contract_id
            and named.object_key = lower(requested.object_name)
            and ${isOfPlatform(sql`named.source`, sql`named.type`)}
        ) as named`
}

function isOfPlatform(source: RawBuilder<unknown>, type: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
              case
                when requested.platform = any(${KNOWN_PLATFORMS}) then exists (
                  select
                  from ${PLATFORM_ASSETS}
                  where known.platform = requested.platform
                    and known.source in ('', lower(${source}))
                    and starts_with(lower(${type}), known.only_type)
                    and (known.never_type = '' or not starts_with(lower(${type}), known.never_type))
                )
                when requested.platform = any(${CANDIDATE_PLATFORMS}) then true
                else requested.platform = lower(${source})
              end
              and ${type} !~* '(^|_)(catalog|database|dataset|namespace|schema)$'
            )`
}

/** SQL expression: how the address of a contract fits those of an integration: equal, different, or unknown on one side. */
export function selectFit(addresses: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case
              when requested.address is null or ${addresses} is null then 'unknown'
              when string_to_array(requested.address, ',') && ${addresses} then 'equal'
              -- A catalog of Glue has an account and a region; a server often gives only one of them.
              when requested.platform = 'glue' and not exists (
                select
                from unnest(${addresses}) as own (address)
                where split_part(own.address, '=', 1) = split_part(requested.address, '=', 1)
              ) then 'unknown'
              else 'different'
            end`
}

/** SQL fragment: counts the assets at a place. Those of the best fit count: with an equal address, else with an unknown one. */
export function selectCandidates(organizationId: string): RawBuilder<unknown> {
  return sql`
        select
          nullif(count(*) filter (where rank < 2), 0) as count,
          count(*) filter (where rank = best and is_exact) as exact_count,
          count(*) filter (where rank = best) as best_count,
          min(id) filter (where rank = best and is_exact) as exact_id,
          min(id) filter (where rank = best) as best_id,
          min(path) filter (where rank = best) as best_path,
          min(best) as best,
          nullif(count(*) filter (where rank = 2), 0) as different_count,
          (array_agg(id order by rank, not is_exact, id) filter (where rank = best or best = 2))[1:${CANDIDATES_MAX}] as ids
        from (
          select id, path, addresses, is_exact, rank, min(rank) over () as best
          from (
            select asset.external_id as id, coalesce(asset.path, asset.described_path) as path,
              source.addresses,
              coalesce(asset.path, asset.described_path) = requested.path as is_exact,
              case ${selectFit(sql`source.addresses`)}
                when 'equal' then 0
                when 'unknown' then 1
                else 2
              end as rank
            from asset
            left join lateral (
              select array_agg(address order by address) as addresses
              from integration_address
              where organization_id = ${organizationId}
                and integration_id = asset.integration_id
            ) as source on true
            where asset.organization_id = ${organizationId}
              and asset.deleted_at is null
              and coalesce(asset.path, asset.described_path) is not null
              and lower(coalesce(asset.path, asset.described_path)) = requested.location_key
              and ${isOfPlatform(sql`asset.source`, sql`asset.type`)}
          ) as fitting
        ) as ranked`
}
