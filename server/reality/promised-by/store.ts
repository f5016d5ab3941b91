import { sql } from 'kysely'
import { countFindings } from '../../ledger/drift/record.ts'
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
      link.origin, link.compared_at as "comparedAt", finding.breaking,
      finding.accepted, finding.additive
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
      select ${countFindings(clock.now)}
      from drift_finding as finding
      where organization_id = link.organization_id
        and contract_id = link.contract_id
        and server = link.server
        and model = link.model
        and resolved_at is null
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
