import { sql, type RawBuilder } from 'kysely'
import type { RealityChange } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import type { AffectedPromise } from './link.ts'

/** Lists the promises whose comparison with an asset may have another result after a change. */
export async function listAffected(
  db: Database,
  change: RealityChange,
): Promise<AffectedPromise[]> {
  const { organizationId } = change
  const { rows } = await sql<AffectedPromise>`
    select promise.contract_id as "contractId", promise.server, promise.model,
      promise.is_production as "isProduction", link.state, link.asset_id as "assetId"
    from asset_link as link
    join contract_promise as promise on promise.organization_id = link.organization_id
      and promise.contract_id = link.contract_id
      and promise.server = link.server
      and promise.model = link.model
    where link.organization_id = ${organizationId}
      and ${isAffected(change)}
    order by promise.contract_id, promise.server, promise.model
  `.execute(db)
  return rows
}

function isAffected(change: RealityChange): RawBuilder<unknown> {
  switch (change.kind) {
    case 'contract':
      return sql`link.contract_id = ${change.id}`
    case 'choice':
      return sql`(link.contract_id, link.server, link.model)
        = (${change.contractId}, ${change.server}, ${change.model})`
    case 'assets':
      return sql`link.asset_id = any(${change.ids}::text[])`
    case 'run':
      return sql`link.asset_id in (
        select asset_id
        from asset_change
        where organization_id = ${change.organizationId}
          and run_id = ${change.runId}
          and held_because is null
      )`
    case 'product':
    case 'address':
      return sql`false`
  }
}
