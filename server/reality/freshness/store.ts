import { sql, type RawBuilder } from 'kysely'
import type { FreshnessPromise } from '../../../formats/reality/freshness.ts'
import type { PromiseKey } from '../../ledger/promises/promise.ts'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { RealityChange } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import type { FreshnessRow } from './evidence.ts'
import type { EvidenceKind, UnknownReason } from './freshness.ts'

/** The promises to judge: those of a contract, or those of keys and those that are linked with assets of an integration. */
export type JudgedSelection =
  | { contractIds: readonly string[] }
  | { keys: readonly PromiseKey[]; integrationId?: string; runId?: string }

/** Selects the promises of a change: relinked ones, and all of an integration that was read. */
export function toSelection(change: RealityChange, keys: readonly PromiseKey[]): JudgedSelection {
  if (change.kind === 'contracts') return { contractIds: change.ids }
  if (change.kind === 'choice') return { contractIds: [change.contractId] }
  if (change.kind !== 'run') return { keys }
  return { keys, integrationId: change.integrationId, runId: change.runId }
}

// The columns of a key, for lists of keys as JSON.
const KEY = sql`("contractId" text, server text, model text)`

function selectKeys(organizationId: string, selection: JudgedSelection): RawBuilder<unknown> {
  if ('contractIds' in selection) {
    return sql`
      select contract_id, server, model
      from contract_promise
      where organization_id = ${organizationId}
        and contract_id = any(${selection.contractIds}::text[])`
  }
  const given = sql`
      select "contractId" as contract_id, server, model
      from json_to_recordset(${JSON.stringify(selection.keys)}::json) as given ${KEY}`
  if (selection.integrationId === undefined) return given
  return sql`${given}
      union
      select promise.contract_id, promise.server, promise.model
      from contract_promise as promise
      join asset_link as link on link.organization_id = promise.organization_id
        and link.contract_id = promise.contract_id
        and link.server = promise.server
        and link.model = promise.model
      join asset on asset.organization_id = link.organization_id
        and asset.external_id = link.asset_id
      where promise.organization_id = ${organizationId}
        and promise.freshness is not null
        and asset.integration_id = ${selection.integrationId}`
}

function selectPromised(organizationId: string): RawBuilder<unknown> {
  return sql`
      select promise.contract_id, promise.server, promise.model, promise.is_production, promise.freshness,
        -- Tests name models as on their platform.
        array[promise.model, promise.path::jsonb ->> -1] as names,
        case when link.state = 'linked' then link.asset_id end as asset_id
      from requested
      join contract_promise as promise on promise.organization_id = ${organizationId}
        and promise.contract_id = requested.contract_id
        and promise.server = requested.server
        and promise.model = requested.model
      left join asset_link as link on link.organization_id = ${organizationId}
        and link.contract_id = requested.contract_id
        and link.server = requested.server
        and link.model = requested.model
      where promise.freshness is not null
        or exists (
          select from promise_freshness as stored
          where stored.organization_id = ${organizationId}
            and stored.contract_id = requested.contract_id
            and stored.server = requested.server
            and stored.model = requested.model
        )`
}

// The last run that read each source, or the given one, which is still open.
function selectReading(organizationId: string, runId: string | null): RawBuilder<unknown> {
  return sql`
      select source.integration_id, run.id, run.started_at
      from (
        select distinct asset.integration_id
        from promised
        join asset on asset.organization_id = ${organizationId}
          and asset.external_id = promised.asset_id
        where asset.integration_id is not null
      ) as source
      cross join lateral (
        select id, started_at
        from ingestion_run
        where organization_id = ${organizationId}
          and integration_id = source.integration_id
          and kind = 'ingest'
          and (status = 'SUCCESS' or id = ${runId}::uuid)
        order by started_at desc, id desc
        limit 1
      ) as run`
}

const FRESHNESS_COLUMNS = sql`
      promised.contract_id as "contractId", promised.server, promised.model,
      promised.is_production as "isProduction", promised.freshness as promise,
      asset.external_id as "assetId", coalesce(asset.kind = 'view', false) as "isView",
      case when scope.state = 'complete' then reading.started_at else statistic.measured_at end as "readAt",
      statistic.changed_at as "changedAt", statistic.changed_means as "changedMeans",
      statistic.count_changed_at as "countChangedAt",
      statistic.count_changed_after as "countChangedAfter",
      written.completed_at as "writtenAt", tested.tested_at as "checkedAt",
      tested.latest_at as "latestAt", moment.now, coalesce(not written.is_settled, false) as "isWritten",
      case when stored.contract_id is not null then json_build_object(
        'promised', stored.promised,
        'evidence', stored.evidence,
        'evidenceAt', extract(epoch from stored.evidence_at) * 1000,
        'lateAt', extract(epoch from stored.late_at) * 1000,
        'isConfirmed', stored.is_confirmed,
        'unknownBecause', stored.unknown_because,
        'isDue', stored.judged_at < stored.late_at and stored.late_at <= moment.now
      ) end as stored`

/**
 * Lists promises of freshness with their evidence, in the order of their keys, and those that have only a judgement of an
 * earlier promise. A table was read by the last run that read its scope completely, or by the given run, which is still open.
 */
export async function listEvidence(
  db: Database,
  clock: Clock,
  organizationId: string,
  selection: JudgedSelection,
): Promise<FreshnessRow[]> {
  const runId = 'runId' in selection ? (selection.runId ?? null) : null
  const { rows } = await sql<FreshnessRow>`
    with requested as materialized (${selectKeys(organizationId, selection)}
    ),
    promised as materialized (${selectPromised(organizationId)}
    ),
    reading as materialized (${selectReading(organizationId, runId)}
    )
    select ${FRESHNESS_COLUMNS}
    from promised
    cross join (select ${clock.now} as now) as moment
    left join asset on asset.organization_id = ${organizationId}
      and asset.external_id = promised.asset_id
      and asset.deleted_at is null
    left join asset_statistic as statistic on statistic.organization_id = ${organizationId}
      and statistic.asset_id = asset.external_id
    left join reading on reading.integration_id = asset.integration_id
    left join ingestion_scope as scope on scope.organization_id = ${organizationId}
      and scope.run_id = reading.id
      and scope.scope = asset.scope
    left join asset_write as written on written.organization_id = ${organizationId}
      and written.asset_id = asset.external_id
    left join lateral (
      select latest_at, tested_at
      from freshness_check
      where organization_id = ${organizationId}
        and contract_id = promised.contract_id
        and server in (promised.server, '')
        and model = any(promised.names)
      order by tested_at desc, server desc
      limit 1
    ) as tested on true
    left join promise_freshness as stored on stored.organization_id = ${organizationId}
      and stored.contract_id = promised.contract_id
      and stored.server = promised.server
      and stored.model = promised.model
    order by promised.contract_id, promised.server, promised.model
  `.execute(db)
  return rows
}

/** A judgement to store, with times as ISO texts. */
export interface JudgementWrite extends PromiseKey {
  promised: FreshnessPromise
  evidence: EvidenceKind | null
  evidenceAt: string | null
  lateAt: string | null
  isConfirmed: boolean
  unknownBecause: UnknownReason | null
}

/** Writes judgements of promises that still exist. */
export async function upsertJudgements(
  db: Database,
  organizationId: string,
  judgedAt: Instant,
  judgements: readonly JudgementWrite[],
): Promise<void> {
  await sql`
    insert into promise_freshness (
      organization_id, contract_id, server, model, promised, evidence, evidence_at, late_at,
      is_confirmed, unknown_because, judged_at
    )
    select ${organizationId}::uuid, promise.contract_id, promise.server, promise.model, judged.promised,
      judged.evidence, judged."evidenceAt", judged."lateAt", judged."isConfirmed",
      judged."unknownBecause", ${judgedAt}::timestamptz
    from json_to_recordset(${JSON.stringify(judgements)}::json) as judged (
      "contractId" text, server text, model text, promised jsonb, evidence text,
      "evidenceAt" timestamptz, "lateAt" timestamptz, "isConfirmed" boolean, "unknownBecause" text
    )
    join contract_promise as promise on promise.organization_id = ${organizationId}
      and promise.contract_id = judged."contractId"
      and promise.server = judged.server
      and promise.model = judged.model
    on conflict (organization_id, contract_id, server, model) do update
    set promised = excluded.promised, evidence = excluded.evidence,
      evidence_at = excluded.evidence_at, late_at = excluded.late_at,
      is_confirmed = excluded.is_confirmed, unknown_because = excluded.unknown_because,
      judged_at = excluded.judged_at
  `.execute(db)
}

/** Deletes the judgements of promises of no freshness. */
export async function deleteJudgements(
  db: Database,
  organizationId: string,
  keys: readonly PromiseKey[],
): Promise<void> {
  await sql`
    delete from promise_freshness
    using json_to_recordset(${JSON.stringify(keys)}::json) as given ${KEY}
    where promise_freshness.organization_id = ${organizationId}
      and promise_freshness.contract_id = given."contractId"
      and promise_freshness.server = given.server
      and promise_freshness.model = given.model
  `.execute(db)
}
