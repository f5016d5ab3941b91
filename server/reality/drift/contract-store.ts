import { sql } from 'kysely'
import type { DriftCounts } from '../../ledger/drift/drift-plan.ts'
import { selectContractDrift } from '../../ledger/drift/record.ts'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { ContractDrift } from './drift.ts'
import { selectFindings, type FindingRow } from './list-store.ts'

/** The maximum number of findings in an answer about one contract. */
const CONTRACT_FINDINGS_MAX = 5000

/** The drift of a contract in numbers. */
interface DriftSummary extends DriftCounts {
  version: number
  additive: number
  accepted: number
  unverifiable: number
  comparedAt: Instant | null
}

/** Returns the drift of a contract in numbers; undefined if the contract does not exist. */
export async function findSummary(
  db: Database,
  clock: Clock,
  organizationId: string,
  contractId: string,
): Promise<DriftSummary | undefined> {
  const { rows } = await sql<DriftSummary>`
    select contract.version, drift.promised, drift.compared, drift.breaking,
      drift.accepted_breaking as "acceptedBreaking", drift.additive, drift.accepted,
      drift.unverifiable, drift.compared_at as "comparedAt"
    from data_contract as contract
    cross join lateral ${selectContractDrift(organizationId, sql`contract.external_id`, sql`(select ${clock.now})`)}
      as drift
    where contract.organization_id = ${organizationId}
      and contract.external_id = ${contractId}
  `.execute(db)
  return rows[0]
}

/** A promise with its link. */
export type PromiseRow = Pick<ContractDrift['servers'][number], 'server' | 'isProduction'> &
  Omit<ContractDrift['servers'][number]['models'][number], 'findings' | 'link'> &
  ContractDrift['servers'][number]['models'][number]['link'] & { openCount: number }

/** Lists the promises of a contract with their links, in the order of servers and models. */
export async function listPromises(
  db: Database,
  organizationId: string,
  contractId: string,
): Promise<PromiseRow[]> {
  const { rows } = await sql<PromiseRow>`
    select promise.server, promise.is_production as "isProduction", promise.model,
      coalesce(link.state, 'not_read') as state, promise.unplaced_because as reason, link.origin,
      coalesce(link.explanation, '[]'::jsonb) as explanation,
      link.comparing_since is not null
        or (link.state = 'linked' and link.promise_digest is null) as "isComparing",
      link.compared_at as "comparedAt", asset.run_id as "runId",
      coalesce(link.omitted_count, 0) as "omittedCount",
      coalesce(link.unverifiable, '[]'::jsonb) as unverifiable,
      case when asset.external_id is not null then jsonb_build_object(
        'id', asset.external_id, 'name', asset.name, 'type', asset.type, 'source', asset.source
      ) end as asset,
      array(
        select jsonb_build_object(
          'id', candidate.id, 'name', other.name, 'type', other.type, 'source', other.source
        )
        from unnest(link.candidates) with ordinality as candidate (id, ordinal)
        left join asset as other on other.organization_id = link.organization_id
          and other.external_id = candidate.id
        order by candidate.ordinal
      ) as candidates,
      (
        select count(*)::integer
        from drift_finding as finding
        where finding.organization_id = promise.organization_id
          and finding.contract_id = promise.contract_id
          and finding.server = promise.server
          and finding.model = promise.model
          and finding.resolved_at is null
      ) as "openCount"
    from contract_promise as promise
    left join asset_link as link on link.organization_id = promise.organization_id
      and link.contract_id = promise.contract_id
      and link.server = promise.server
      and link.model = promise.model
    left join asset on asset.organization_id = link.organization_id
      and asset.external_id = link.asset_id
    where promise.organization_id = ${organizationId}
      and promise.contract_id = ${contractId}
    order by promise.is_production desc, promise.server, promise.model
  `.execute(db)
  return rows
}

/** Lists the open findings of a contract: those of production first, then breaking ones. */
export async function listOpenFindings(
  db: Database,
  organizationId: string,
  contractId: string,
): Promise<FindingRow[]> {
  const order = sql`finding.is_production desc, finding.level <> 'breaking', finding.server,
        finding.model, finding.field, finding.aspect`
  const { rows } = await sql<FindingRow>`
    with finding as materialized (
      select finding.*
      from drift_finding as finding
      where finding.organization_id = ${organizationId}
        and finding.contract_id = ${contractId}
        and finding.resolved_at is null
      order by ${order}
      limit ${CONTRACT_FINDINGS_MAX}
    )
    ${selectFindings(organizationId)}
    order by ${order}
  `.execute(db)
  return rows
}
