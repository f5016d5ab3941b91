import { sql, type RawBuilder } from 'kysely'
import type { PromiseKey } from '../../ledger/promises/promise.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { selectDecisions } from './decision.ts'
import type { DecisionScope } from './evidence.ts'
import type { AffectedPromise } from './link.ts'

/**
 * Decides about promises and writes the links that differ, in one statement. Returns those that differ, and those with a
 * comparable asset.
 */
export async function writeLinks(
  db: Database,
  clock: Clock,
  scope: DecisionScope,
  keys: readonly PromiseKey[],
): Promise<AffectedPromise[]> {
  const { organizationId, runId } = scope
  const { rows } = await sql<AffectedPromise>`
    with decided as materialized (${selectDecisions(clock, scope, keys)}
    ),
    written as (
      insert into asset_link as link (
        organization_id, contract_id, server, model, state, asset_id, origin, explanation, candidates,
        linked_at, run_id
      )
      select ${organizationId}::uuid, contract_id, server, model, state, asset_id, origin, explanation,
        candidates, ${clock.now}, ${runId}::uuid
      from decided
      on conflict (organization_id, contract_id, server, model) do update
      set state = excluded.state, asset_id = excluded.asset_id, origin = excluded.origin,
        explanation = excluded.explanation, candidates = excluded.candidates,
        linked_at = case when ${isMoved()} then excluded.linked_at else link.linked_at end,
        run_id = case when ${isMoved()} then excluded.run_id else link.run_id end,
        -- A comparison with another asset proves nothing about this one.
        promise_digest = case when ${isSameAsset()} then link.promise_digest end,
        asset_version = case when ${isSameAsset()} then link.asset_version end,
        compared_at = case when ${isSameAsset()} then link.compared_at end,
        unverifiable = case when ${isSameAsset()} then link.unverifiable else '[]' end
      where (link.state, link.asset_id, link.origin, link.explanation, link.candidates)
        is distinct from (excluded.state, excluded.asset_id, excluded.origin, excluded.explanation, excluded.candidates)
    )
    select decided.contract_id as "contractId", decided.server, decided.model,
      decided.is_production as "isProduction", decided.state, decided.asset_id as "assetId",
      former.state as "formerState", former.asset_id as "formerAssetId"
    from decided
    -- By key, and as it was before this statement.
    left join asset_link as former on former.organization_id = ${organizationId}
      and former.contract_id = decided.contract_id
      and former.server = decided.server
      and former.model = decided.model
    order by decided.contract_id, decided.server, decided.model
  `.execute(db)
  return rows
}

const isMoved = (): RawBuilder<unknown> =>
  sql`(link.state, link.asset_id) is distinct from (excluded.state, excluded.asset_id)`

const isSameAsset = (): RawBuilder<unknown> =>
  sql`link.asset_id is not distinct from excluded.asset_id`
