import { sql } from 'kysely'
import type { FreshnessPromise } from '../../../formats/reality/freshness.ts'
import type { PromiseKey } from '../../ledger/promises/promise.ts'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { EvidenceKind, UnknownReason } from './freshness.ts'
import type { AssetStatistics } from './statistics.ts'

/** Reads the values of an asset, of the days between two dates; undefined if it does not exist. */
export async function findStatistics(
  db: Database,
  organizationId: string,
  assetId: string,
  { from, to }: { from: string | undefined; to: string | undefined },
): Promise<AssetStatistics | undefined> {
  const { rows } = await sql<
    Partial<AssetStatistics['current']> & Omit<AssetStatistics, 'current'>
  >`
    select statistic.row_count as "rowCount", statistic.size_bytes as "sizeBytes",
      statistic.changed_at as "changedAt", statistic.changed_means as "changedMeans",
      statistic.count_changed_after as "countedAfter", statistic.count_changed_at as "countedAt",
      statistic.measured_at as "measuredAt", coalesce(history.days, '[]') as days
    from asset
    left join asset_statistic as statistic on statistic.organization_id = asset.organization_id
      and statistic.asset_id = asset.external_id
    left join lateral (
      select json_agg(json_build_object(
        'day', day, 'rowCount', row_count, 'sizeBytes', size_bytes,
        'changedAt', to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
      ) order by day) as days
      from asset_statistic_day
      where organization_id = asset.organization_id
        and asset_id = asset.external_id
        and day between coalesce(${from ?? null}::date, '-infinity') and coalesce(${to ?? null}::date, 'infinity')
    ) as history on true
    where asset.organization_id = ${organizationId}
      and asset.external_id = ${assetId}
  `.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { days, measuredAt, ...values } = row
  const none = { rowCount: null, sizeBytes: null, changedAt: null, changedMeans: null }
  const current =
    measuredAt == null
      ? null
      : { ...none, countedAfter: null, countedAt: null, ...values, measuredAt }
  return { current, days }
}

/** A stored judgement of a contract. */
interface JudgedPromise extends PromiseKey {
  isProduction: boolean
  assetId: string | null
  promised: FreshnessPromise
  evidence: EvidenceKind | null
  evidenceAt: Instant | null
  lateAt: Instant | null
  isConfirmed: boolean
  unknownBecause: UnknownReason | null
  now: Instant
}

/** Lists the judgements of a contract, by server and model; undefined if the contract does not exist. */
export async function listJudgements(
  db: Database,
  clock: Clock,
  organizationId: string,
  contractId: string,
): Promise<JudgedPromise[] | undefined> {
  const { rows } = await sql<JudgedPromise & { model: string | null }>`
    select contract.external_id as "contractId", freshness.server, freshness.model,
      promise.is_production as "isProduction",
      case when link.state = 'linked' then link.asset_id end as "assetId", freshness.promised,
      freshness.evidence, freshness.evidence_at as "evidenceAt", freshness.late_at as "lateAt",
      freshness.is_confirmed as "isConfirmed", freshness.unknown_because as "unknownBecause",
      ${clock.now} as now
    from data_contract as contract
    left join promise_freshness as freshness on freshness.organization_id = contract.organization_id
      and freshness.contract_id = contract.external_id
    left join contract_promise as promise on promise.organization_id = contract.organization_id
      and promise.contract_id = contract.external_id
      and promise.server = freshness.server
      and promise.model = freshness.model
    left join asset_link as link on link.organization_id = contract.organization_id
      and link.contract_id = contract.external_id
      and link.server = freshness.server
      and link.model = freshness.model
    where contract.organization_id = ${organizationId}
      and contract.external_id = ${contractId}
    order by freshness.server, freshness.model
  `.execute(db)
  if (rows.length === 0) return undefined
  return rows.filter(({ model }) => model !== null)
}
