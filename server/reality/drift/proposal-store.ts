import { sql } from 'kysely'
import { isUnaccepted } from '../../ledger/drift/record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { DifferingModel } from './drift.ts'

/**
 * Lists the models of a contract that have open differences, at most `tablesMax` of them. Without ids these are the breaking
 * ones that count, apart from tables that do not exist: the text of a contract cannot adopt that.
 */
export async function listDifferingModels(
  db: Database,
  { now }: Clock,
  { organizationId, contractId }: { organizationId: string; contractId: string },
  ids: readonly string[] | undefined,
  tablesMax: number,
): Promise<DifferingModel[]> {
  const wanted =
    ids === undefined
      ? sql`finding.level = 'breaking'
          and finding.is_production
          and finding.aspect <> 'object'
          and ${isUnaccepted(sql`(select ${now})`)}`
      : sql`finding.id = any(${ids}::uuid[])`
  // The tables are chosen before their documents are read.
  const { rows } = await sql<DifferingModel>`
    with differing as materialized (
      select finding.server, finding.model,
        json_agg(
          json_build_object('id', finding.id, 'field', finding.field, 'aspect', finding.aspect)
          order by finding.field, finding.aspect
        ) as findings
      from drift_finding as finding
      where finding.organization_id = ${organizationId}
        and finding.contract_id = ${contractId}
        and finding.resolved_at is null
        and ${wanted}
      group by finding.server, finding.model
      order by finding.server, finding.model
      limit ${tablesMax}
    )
    select differing.server, differing.model, differing.findings,
      coalesce(asset.document_json, asset.document) as asset
    from differing
    left join asset_link as link on link.organization_id = ${organizationId}
      and link.contract_id = ${contractId}
      and link.server = differing.server
      and link.model = differing.model
      and link.state = 'linked'
    left join asset on asset.organization_id = ${organizationId}
      and asset.external_id = link.asset_id
      and asset.deleted_at is null
    order by differing.server, differing.model
  `.execute(db)
  return rows
}
