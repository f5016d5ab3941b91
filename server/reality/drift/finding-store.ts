import { sql, type RawBuilder } from 'kysely'
import { SIDE_CHARACTERS_MAX, type DriftDifference } from '../../../formats/reality/difference.ts'
import type { PromiseKey } from '../../ledger/promises/promise.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { selectComparedKey, selectKeys } from './comparison-store.ts'
import type { FindingCause } from './drift.ts'
import {
  changeFindings,
  openFindings,
  recordComparisons,
  resolveFindings,
} from './finding-record.ts'

// The statements that write findings. Each takes the whole list of the differences of promises and changes what is
// different: a finding that is still there keeps its id and its time.

/** The result of a comparison of a promise with a version of its asset. */
export interface PromiseComparison extends PromiseKey {
  comparedKey: string
  assetId: string
  assetVersion: number
  isProduction: boolean
  because: FindingCause
  runId: string | null
  differences: readonly DriftDifference[]
  /** The number of differences beyond the maximum. */
  omittedCount: number
  unverifiable: readonly { field: string; reason: string }[]
}

/** The numbers of breaking findings that a statement opened and resolved in a contract. */
export interface DriftChange {
  contractId: string
  openedCount: number
  resolvedCount: number
}

/** Writes the results of comparisons, as far as they are those of the current versions. */
export async function applyComparisons(
  db: Database,
  clock: Clock,
  organizationId: string,
  comparisons: readonly PromiseComparison[],
): Promise<DriftChange[]> {
  const rows = comparisons.map((one) => ({
    contract_id: one.contractId,
    server: one.server,
    model: one.model,
    compared_key: one.comparedKey,
    asset_id: one.assetId,
    asset_version: one.assetVersion,
    is_production: one.isProduction,
    because: one.because,
    run_id: one.runId,
    differences: one.differences,
    omitted_count: one.omittedCount,
    unverifiable: one.unverifiable,
  }))
  return await apply(
    db,
    clock,
    organizationId,
    sql`
      select sent.*
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as sent (
        contract_id text, server text, model text, compared_key text, asset_id text,
        asset_version integer, is_production boolean, because text, run_id uuid,
        differences jsonb, omitted_count integer, unverifiable jsonb
      )
      join asset_link as link on link.organization_id = ${organizationId}
        and link.contract_id = sent.contract_id
        and link.server = sent.server
        and link.model = sent.model
        and link.state = 'linked'
        and link.asset_id = sent.asset_id
      join contract_promise as promise on promise.organization_id = link.organization_id
        and promise.contract_id = link.contract_id
        and promise.server = link.server
        and promise.model = link.model
        and ${selectComparedKey(sql`promise.digest`, sql`link.asset_id`)} = sent.compared_key
      join asset on asset.organization_id = link.organization_id
        and asset.external_id = link.asset_id
        and asset.version = sent.asset_version`,
  )
}

/** Writes the comparisons that the current worker of a run has staged, as far as they are those of what it has published. */
export async function applyStaged(
  db: Database,
  clock: Clock,
  organizationId: string,
  runId: string,
): Promise<DriftChange[]> {
  return await apply(
    db,
    clock,
    organizationId,
    sql`
      select staged.contract_id, staged.server, staged.model,
        ${selectComparedKey(sql`promise.digest`, sql`link.asset_id`)} as compared_key,
        link.asset_id, asset.version as asset_version, promise.is_production, 'run' as because,
        ${runId}::uuid as run_id, staged.findings as differences, staged.omitted_count,
        staged.unverifiable
      from staged_drift as staged
      join asset_link as link on link.organization_id = staged.organization_id
        and link.contract_id = staged.contract_id
        and link.server = staged.server
        and link.model = staged.model
        and link.state = 'linked'
        and link.asset_id = staged.asset_id
      join contract_promise as promise on promise.organization_id = staged.organization_id
        and promise.contract_id = staged.contract_id
        and promise.server = staged.server
        and promise.model = staged.model
        and promise.digest = staged.promise_digest
      join asset on asset.organization_id = staged.organization_id
        and asset.external_id = staged.asset_id
        and asset.run_id = staged.run_id
        and asset.digest = staged.asset_digest
      where staged.organization_id = ${organizationId}
        and staged.run_id = ${runId}
        and staged.fence = (
          select fence
          from ingestion_run
          where organization_id = ${organizationId}
            and id = ${runId}
        )`,
  )
}

/** The reason why promises have no asset now. */
export interface UnlinkCause {
  because: FindingCause
  runId: string | null
}

/**
 * Resolves the findings of promises without an asset. One whose table is missing gets a finding for that; one whose table
 * was not read keeps its findings from the last time that it was.
 */
export async function applyUnlinked(
  db: Database,
  clock: Clock,
  organizationId: string,
  keys: readonly PromiseKey[],
  { because, runId }: UnlinkCause,
): Promise<DriftChange[]> {
  return await apply(
    db,
    clock,
    organizationId,
    sql`
      select affected.*, null::text as compared_key, null::text as asset_id,
        null::integer as asset_version, coalesce(promise.is_production, false) as is_production,
        case when promise.contract_id is null then 'contract' else ${because} end as because,
        ${runId}::uuid as run_id,
        case when link.state = 'not_found' then jsonb_build_array(jsonb_build_object(
          'field', '', 'aspect', 'object', 'level', 'breaking', 'actual', null,
          'promised', (
            select left(string_agg(part, '.' order by ordinal), ${SIDE_CHARACTERS_MAX}::integer)
            from jsonb_array_elements_text(promise.path::jsonb) with ordinality as item (part, ordinal)
          )
        )) else '[]'::jsonb end as differences,
        0 as omitted_count, '[]'::jsonb as unverifiable
      from (${selectKeys(keys)}
      ) as affected
      left join contract_promise as promise on promise.organization_id = ${organizationId}
        and promise.contract_id = affected.contract_id
        and promise.server = affected.server
        and promise.model = affected.model
      left join asset_link as link on link.organization_id = ${organizationId}
        and link.contract_id = affected.contract_id
        and link.server = affected.server
        and link.model = affected.model
      where link.state is null
        or link.state not in ('linked', 'not_read')`,
  )
}

// `given` has a row for each promise: its key, compared_key, asset_id, asset_version, is_production, because, run_id,
// differences, omitted_count and unverifiable.
async function apply(
  db: Database,
  clock: Clock,
  organizationId: string,
  given: RawBuilder<unknown>,
): Promise<DriftChange[]> {
  const { rows } = await sql<DriftChange>`
    with now as materialized (select ${clock.now} as instant),
    given as materialized (${given}
    ),
    difference as materialized (
      select given.contract_id, given.server, given.model, given.asset_id, given.is_production,
        given.run_id, one.*
      from given
      cross join lateral jsonb_to_recordset(given.differences) as one (
        field text, aspect text, level text, promised text, actual text
      )
    ),
    former as materialized (
      select finding.*, given.because
      from given
      -- Looked up by key: without statistics, a join reads all findings for each promise.
      cross join lateral (
        select id, contract_id, server, model, field, aspect, level, promised, actual, asset_id,
          is_production
        from drift_finding
        where organization_id = ${organizationId}
          and contract_id = given.contract_id
          and server = given.server
          and model = given.model
          and resolved_at is null
        offset 0
      ) as finding
    ),
    ${recordComparisons(organizationId)},
    ${resolveFindings(organizationId)},
    ${changeFindings(organizationId)},
    ${openFindings(organizationId)},
    counted as (
      select contract_id, 1 as opened, 0 as resolved from opened where level = 'breaking'
      union all
      select contract_id, 0, 1 from resolved where level = 'breaking'
      union all
      select contract_id, (level = 'breaking')::integer, (level <> 'breaking')::integer
      from changed
      where level <> former_level
    )
    select contract_id as "contractId", sum(opened)::integer as "openedCount",
      sum(resolved)::integer as "resolvedCount"
    from counted
    group by contract_id
    order by contract_id
  `.execute(db)
  return rows
}

/** Lists the promises of contracts that have open findings but do not exist any more. */
export async function listGone(
  db: Database,
  organizationId: string,
  contractIds: readonly string[],
): Promise<PromiseKey[]> {
  const { rows } = await sql<PromiseKey>`
    select distinct contract_id as "contractId", server, model
    from drift_finding as finding
    where finding.organization_id = ${organizationId}
      and finding.contract_id = any(${contractIds}::text[])
      and finding.resolved_at is null
      and not exists (
        select
        from contract_promise as promise
        where promise.organization_id = finding.organization_id
          and promise.contract_id = finding.contract_id
          and promise.server = finding.server
          and promise.model = finding.model
      )
  `.execute(db)
  return rows
}

/** The days for which a resolved finding is kept. */
const RESOLVED_KEPT_DAYS = 365

/** Deletes findings that were resolved a year ago, at most `limit`. Returns their number. */
export async function deleteOldFindings(
  db: Database,
  clock: Clock,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from drift_finding as finding
    using (
      select organization_id, id
      from drift_finding
      where resolved_at is not null
        and resolved_at < (select ${clock.now} - make_interval(days => ${RESOLVED_KEPT_DAYS}))
      order by resolved_at
      limit ${limit}
    ) as old
    where finding.organization_id = old.organization_id
      and finding.id = old.id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
