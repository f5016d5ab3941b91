import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import {
  findWorstState,
  judgeDriftState,
  PLANNED_FINDINGS_MAX,
  type DriftCounts,
  type DriftPlan,
  type DriftState,
  type PlannedFinding,
} from './drift-plan.ts'
import { DRIFT_COUNTS, isUnaccepted, selectContractDrift } from './record.ts'

/** Lists the contracts that are linked with assets. */
export async function listLinkedContracts(
  db: Database,
  organizationId: string,
  assetIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct contract_id as id
    from asset_link
    where organization_id = ${organizationId}
      and asset_id = any(${assetIds}::text[])
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns what the transaction has changed in the findings of contracts, and their state. */
export async function readDriftPlan(
  db: Database,
  clock: Clock,
  organizationId: string,
  contractIds: readonly string[],
): Promise<DriftPlan> {
  const { rows } = await sql<{
    counts: DriftCounts[]
    opened: PlannedFinding[]
    resolved: PlannedFinding[]
  }>`
    with drift as materialized (
      select drift.*
      from data_contract as contract
      cross join lateral ${selectContractDrift(organizationId, sql`contract.external_id`, sql`(select ${clock.now})`)}
        as drift
      where contract.organization_id = ${organizationId}
        and contract.external_id = any(${contractIds}::text[])
    ),
    touched as materialized (
      select *
      from drift_finding
      where organization_id = ${organizationId}
        and contract_id = any(${contractIds}::text[])
        and xmin = pg_current_xact_id()::xid
    )
    select
      array(select ${DRIFT_COUNTS} from drift) as counts,
      ${selectTouched(sql`resolved_at is null and first_seen_at = changed_at`)} as opened,
      ${selectTouched(sql`resolved_at is not null`)} as resolved
  `.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a statement that always gives a row gave none')
  const { counts, opened, resolved } = row
  return {
    state: findWorstState(counts.map(judgeDriftState)) ?? 'unknown',
    opened,
    resolved,
    open: counts.reduce((sum, { breaking }) => sum + breaking, 0),
  }
}

function selectTouched(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`array(
        select ${PLANNED}
        from touched as finding
        where ${condition}
        order by ${ORDER}
        limit ${PLANNED_FINDINGS_MAX}
      )`
}

const PLANNED = sql`jsonb_build_object(
          'dataContractId', finding.contract_id, 'server', finding.server,
          'isProduction', finding.is_production, 'model', finding.model,
          'field', nullif(finding.field, ''), 'aspect', finding.aspect, 'level', finding.level,
          'promised', finding.promised, 'actual', finding.actual
        )`

const ORDER = sql`finding.level <> 'breaking', not finding.is_production, finding.contract_id,
          finding.server, finding.model, finding.field, finding.aspect`

/** The state of a contract, and the breaking findings that count: on servers of production, without an acceptance. */
interface ContractGate {
  state: DriftState
  count: number
  findings: PlannedFinding[]
}

/** Returns what a gate for a contract depends on. A contract that does not exist is unknown. */
export async function readContractGate(
  db: Database,
  clock: Clock,
  organizationId: string,
  contractId: string,
): Promise<ContractGate> {
  const { rows } = await sql<{ counts: DriftCounts; findings: PlannedFinding[] }>`
    select ${DRIFT_COUNTS} as counts,
      array(
        select ${PLANNED}
        from drift_finding as finding
        where finding.organization_id = ${organizationId}
          and finding.contract_id = ${contractId}
          and finding.is_production
          and finding.resolved_at is null
          and finding.level = 'breaking'
          and ${isUnaccepted(sql`(select ${clock.now})`)}
        order by ${ORDER}
        limit ${PLANNED_FINDINGS_MAX}
      ) as findings
    from ${selectContractDrift(organizationId, sql`${contractId}::text`, sql`(select ${clock.now})`)} as drift
  `.execute(db)
  const [row] = rows
  if (row === undefined) return { state: 'unknown', count: 0, findings: [] }
  const { counts, findings } = row
  return { state: judgeDriftState(counts), count: counts.breaking, findings }
}
