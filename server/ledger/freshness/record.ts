import { sql, type RawBuilder } from 'kysely'
import type { FreshnessCheck } from './freshness-check.ts'

// SQL fragments that keep the evidence of fresh data, for statements that write reports of pipelines.

/**
 * SQL fragment: keeps the newest completed run that wrote each asset, from inserted rows of `lineage_event`, which are the result
 * of the given name. An event that arrives late, or of an unknown asset, changes nothing; one in the future counts from its arrival.
 */
export function appendAssetWrites(result: string): RawBuilder<unknown> {
  const name = sql.ref(result)
  return sql`
      insert into asset_write (organization_id, asset_id, completed_at)
      select ${name}.organization_id, output.asset_id,
        max(least(coalesce(${name}.event_at, ${name}.received_at), ${name}.received_at))
      from ${name}
      cross join unnest(${name}.output_assets) as output (asset_id)
      join asset on asset.organization_id = ${name}.organization_id
        and asset.external_id = output.asset_id
      where ${name}.event_type = 'COMPLETE'
      group by ${name}.organization_id, output.asset_id
      -- In one order in all transactions, so that none waits for another that waits for it.
      order by ${name}.organization_id, output.asset_id
      on conflict (organization_id, asset_id) do update
      set completed_at = excluded.completed_at, is_settled = false
      where asset_write.completed_at < excluded.completed_at`
}

/**
 * SQL fragment: keeps the newest instant in the data of each model from the result of a test, which is the row named `written` of
 * `test_result`. Results of branches and dry runs do not count, nor one that is older than what is kept.
 */
export function appendFreshnessChecks(
  organizationId: string,
  checks: readonly FreshnessCheck[],
): RawBuilder<unknown> {
  return sql`
      insert into freshness_check (
        organization_id, contract_id, server, model, latest_at, tested_at, result_id
      )
      select ${organizationId}::uuid, written.contract_id, coalesce(written.server, ''), sent.model,
        max(sent."latestAt"), written.tested_at, written.external_id
      from written
      cross join json_to_recordset(${JSON.stringify(checks)}::json) as sent (
        model text, "latestAt" timestamptz
      )
      where written.branch is null
        and not written.dry_run
      group by written.contract_id, written.server, sent.model, written.tested_at, written.external_id
      order by sent.model collate "C"
      on conflict (organization_id, contract_id, server, model) do update
      set latest_at = excluded.latest_at, tested_at = excluded.tested_at,
        result_id = excluded.result_id
      where freshness_check.tested_at <= excluded.tested_at`
}
