import { sql } from 'kysely'
import { isUnaccepted } from '../../ledger/drift/record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { DifferingTable } from './table-sql.ts'

/** One model of a contract on one of its servers. */
export interface TableQuery {
  organizationId: string
  contractId: string
  server: string
  model: string
}

/** Finds a promise with its table and its breaking differences that are not accepted; undefined = no such promise. */
export async function findDifferingTable(
  db: Database,
  clock: Clock,
  { organizationId, contractId, server, model }: TableQuery,
): Promise<DifferingTable | undefined> {
  const { rows } = await sql<DifferingTable>`
    select promise.platform, coalesce(asset.path, asset.described_path, promise.path) as path,
      coalesce(asset.document_json, asset.document) as asset,
      coalesce((
        select json_agg(json_build_object('field', field, 'aspect', aspect) order by field, aspect)
        from drift_finding as finding
        where organization_id = promise.organization_id
          and contract_id = promise.contract_id
          and server = promise.server
          and model = promise.model
          and resolved_at is null
          and level = 'breaking'
          and ${isUnaccepted(clock.now)}
      ), '[]') as findings
    from contract_promise as promise
    left join asset_link as link on link.organization_id = promise.organization_id
      and link.contract_id = promise.contract_id
      and link.server = promise.server
      and link.model = promise.model
      and link.state = 'linked'
    left join asset on asset.organization_id = link.organization_id
      and asset.external_id = link.asset_id
      and asset.deleted_at is null
    where promise.organization_id = ${organizationId}
      and promise.contract_id = ${contractId}
      and promise.server = ${server}
      and promise.model = ${model}
  `.execute(db)
  return rows[0]
}
