import { sql } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { AssetPromise } from './promised-by.ts'

/**
 * Lists the promises that are linked to an asset, with the number of their differences at a time; undefined = there is no
 * such asset.
 */
export async function listPromisesOfAsset(
  db: Database,
  { organizationId, assetId, clock, max }: AssetPromiseQuery,
): Promise<AssetPromise[] | undefined> {
  const { rows } = await sql<AssetPromise | { dataContractId: null }>`
    select contract.external_id as "dataContractId", contract.name as "dataContractName",
      team.external_id as "ownerId", promise.server, promise.is_production as "isProduction", promise.model,
      link.origin, link.compared_at as "comparedAt", coalesce(finding.breaking, 0)::int as breaking,
      coalesce(finding.accepted, 0)::int as accepted, coalesce(finding.additive, 0)::int as additive
    from asset
    left join asset_link as link on link.organization_id = asset.organization_id
      and link.asset_id = asset.external_id
      and link.state = 'linked'
    left join contract_promise as promise on promise.organization_id = link.organization_id
      and promise.contract_id = link.contract_id
      and promise.server = link.server
      and promise.model = link.model
    left join data_contract as contract on contract.organization_id = link.organization_id
      and contract.external_id = link.contract_id
    left join team on team.organization_id = contract.organization_id
      and team.id = contract.owner_team_id
    left join lateral (
      select count(*) filter (where level = 'breaking' and not is_accepted) as breaking,
        count(*) filter (where is_accepted) as accepted,
        count(*) filter (where level = 'additive' and not is_accepted) as additive
      from (
        select level, coalesce(accepted_until > ${clock.now}, false) as is_accepted
        from drift_finding
        where organization_id = link.organization_id
          and contract_id = link.contract_id
          and server = link.server
          and model = link.model
          and resolved_at is null
      ) as open
    ) as finding on true
    where asset.organization_id = ${organizationId}
      and asset.external_id = ${assetId}
    order by contract.external_id, promise.server, promise.model
    limit ${max}
  `.execute(db)
  return rows.length === 0 ? undefined : rows.filter((row) => row.dataContractId !== null)
}

/** The promises of one asset. */
interface AssetPromiseQuery {
  organizationId: string
  assetId: string
  clock: Clock
  max: number
}
