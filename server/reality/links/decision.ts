import { sql, type RawBuilder } from 'kysely'
import type { PromiseKey } from '../../ledger/promises/promise.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { selectCandidates, selectNamedAssets, selectPortAsset } from './candidates.ts'
import { selectEvidence, selectReadings, type DecisionScope } from './evidence.ts'
import { selectOutcome } from './outcome.ts'

// The decision about links, as one query over a set of promises: a choice by hand, else the assets that output ports name, else
// the place where the server points. Docs: decision 0126 has the table of rules.

/** SQL fragment: a row for each promise, with state, asset, origin, explanation and candidates. */
export function selectDecisions(
  clock: Clock,
  scope: DecisionScope,
  keys: readonly PromiseKey[],
): RawBuilder<unknown> {
  const { organizationId } = scope
  return sql`
      with requested as materialized (
        select promise.contract_id, promise.server, promise.model, promise.platform,
          promise.is_production, promise.path, promise.location_key, promise.scope_keys,
          promise.address, promise.unplaced_because,
          coalesce(promise.path::jsonb ->> -1, promise.model) as object_name,
          promise.promise ->> 'kind' as kind
        from unnest(
          ${keys.map(({ contractId }) => contractId)}::text[],
          ${keys.map(({ server }) => server)}::text[],
          ${keys.map(({ model }) => model)}::text[]
        ) as key (contract_id, server, model)
        join contract_promise as promise on promise.organization_id = ${organizationId}
          and promise.contract_id = key.contract_id collate "C"
          and promise.server = key.server collate "C"
          and promise.model = key.model collate "C"
      ),
      named as materialized (${selectNamedAssets(organizationId)}
      ),
      reading as materialized (${selectReadings(clock, scope)}
      )
      select requested.contract_id, requested.server, requested.model, requested.is_production, outcome.*
      from requested
      left join asset_link_choice as choice on choice.organization_id = ${organizationId}
        and choice.contract_id = requested.contract_id
        and choice.server = requested.server
        and choice.model = requested.model
      left join asset as chosen on chosen.organization_id = ${organizationId}
        and chosen.external_id = choice.asset_id
        and chosen.deleted_at is null
      left join lateral (${selectPortAsset()}
      ) as port on choice.contract_id is null and requested.platform is not null
      left join lateral (${selectCandidates(organizationId)}
      ) as located on choice.contract_id is null and port.asset_id is null
        and requested.location_key is not null
      left join lateral (${selectEvidence(organizationId)}
      ) as evidence on choice.contract_id is null and port.asset_id is null
        and requested.location_key is not null and coalesce(located.count, 0) = 0
        and located.different_count is null
      cross join lateral (${selectOutcome()}
      ) as outcome`
}

/** SQL fragment: the promises whose links differ from a new decision. */
export function selectDifferences(
  clock: Clock,
  organizationId: string,
  keys: readonly PromiseKey[],
): RawBuilder<unknown> {
  return sql`
    with decided as materialized (${selectDecisions(clock, { organizationId, runId: null }, keys)}
    )
    select decided.contract_id as "contractId", decided.server, decided.model,
      link.state as "actual", decided.state as "expected"
    from decided
    left join asset_link as link on link.organization_id = ${organizationId}
      and link.contract_id = decided.contract_id
      and link.server = decided.server
      and link.model = decided.model
    where (link.state, link.asset_id) is distinct from (decided.state, decided.asset_id)
      -- Only time makes this change, which an hourly job notices.
      and not (link.state = 'not_found' and decided.state = 'not_read')`
}
