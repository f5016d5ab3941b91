import { sql } from 'kysely'
import type { PromiseKey } from '../../ledger/promises/promise.ts'
import type { Database } from '../../platform/tables.ts'
import type { ComparedPromise, ComparedTexts } from './comparison-task.ts'
import type { PairLimits } from './comparison-store.ts'

// Comparisons of what a run has staged with what contracts promise, before the run is published. They are used as far as
// promise and asset are still the same then.

/** The attempt of a run. */
export interface StagedAttempt {
  organizationId: string
  integrationId: string
  runId: string
  fence: number
}

/** A promise and the staged document of its asset. */
interface StagedPair extends PromiseKey, ComparedTexts {
  assetId: string
  promiseDigest: string
  assetDigest: string
}

/** Lists promises whose assets an attempt has staged with changes, in the order of their keys after `after`. */
export async function listStagedPairs(
  db: Database,
  { organizationId, integrationId, runId, fence }: StagedAttempt,
  after: PromiseKey,
  { pairsMax, charactersMax }: PairLimits,
): Promise<StagedPair[]> {
  const { rows } = await sql<StagedPair>`
    with pair as materialized (
      select link.contract_id, link.server, link.model, link.asset_id, promise.promise,
        promise.digest as promise_digest, staged.digest as asset_digest, staged.document
      from asset_link as link
      join contract_promise as promise on promise.organization_id = link.organization_id
        and promise.contract_id = link.contract_id
        and promise.server = link.server
        and promise.model = link.model
      join asset on asset.organization_id = link.organization_id
        and asset.external_id = link.asset_id
        and asset.integration_id = ${integrationId}
      join staged_asset as staged on staged.organization_id = link.organization_id
        and staged.run_id = ${runId}
        and staged.fence = ${fence}
        and staged.path = asset.path
        and staged.document is not null
      where link.organization_id = ${organizationId}
        and link.state = 'linked'
        and (link.contract_id, link.server, link.model)
          > (${after.contractId}, ${after.server}, ${after.model})
      order by link.contract_id, link.server, link.model
      limit ${pairsMax}
    ),
    measured as (
      select pair.*,
        sum(length(document) + length(promise::text))
          over (order by contract_id, server, model rows between unbounded preceding and 1 preceding)
          as characters
      from pair
    )
    select contract_id as "contractId", server, model, asset_id as "assetId",
      promise::text as promise, promise_digest as "promiseDigest", asset_digest as "assetDigest",
      document, 'application/json' as "mediaType"
    from measured
    where coalesce(characters, 0) < ${charactersMax}
    order by contract_id, server, model
  `.execute(db)
  return rows
}

/** Stores comparisons of an attempt. */
export async function insertStagedDrift(
  db: Database,
  { organizationId, runId, fence }: StagedAttempt,
  compared: readonly (StagedPair & ComparedPromise)[],
): Promise<void> {
  const rows = compared.map((one) => ({
    contract_id: one.contractId,
    server: one.server,
    model: one.model,
    asset_id: one.assetId,
    promise_digest: one.promiseDigest,
    asset_digest: one.assetDigest,
    findings: one.differences,
    omitted_count: one.omittedCount,
    unverifiable: one.unverifiable,
  }))
  await sql`
    insert into staged_drift (
      organization_id, run_id, fence, contract_id, server, model, asset_id, promise_digest,
      asset_digest, findings, omitted_count, unverifiable
    )
    select ${organizationId}::uuid, ${runId}::uuid, ${fence}::bigint, sent.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as sent (
      contract_id text, server text, model text, asset_id text, promise_digest text,
      asset_digest text, findings jsonb, omitted_count integer, unverifiable jsonb
    )
    on conflict do nothing
  `.execute(db)
}

/** Deletes the comparisons of a run up to an attempt. */
export async function deleteStagedDrift(
  db: Database,
  { organizationId, runId, fence }: StagedAttempt,
): Promise<void> {
  await sql`
    delete from staged_drift
    where organization_id = ${organizationId}
      and run_id = ${runId}
      and fence <= ${fence}
  `.execute(db)
}

/** Deletes the comparisons of attempts whose workers died. */
export async function deleteAbandonedDrift(db: Database): Promise<void> {
  await sql`
    delete from staged_drift as staged
    where not exists (
      select
      from ingestion_run as run
      where run.organization_id = staged.organization_id
        and run.id = staged.run_id
        and run.fence = staged.fence
        and run.status = 'RUNNING'
    )
  `.execute(db)
}
