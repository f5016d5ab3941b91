import { sql } from 'kysely'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { selectFreshnessState } from './record.ts'

/** The number of late models that an incident names. */
const MODELS_NAMED_MAX = 10

/** A production server of a contract that has late data or an open incident about them. */
interface LateServer {
  contractId: string
  server: string
  /** The number of late models; 0 = the incident is over. */
  count: number
  /** At most ten of them, the longest late first. */
  models: { model: string; promised: string; evidenceAt: Instant | null; lateAt: Instant }[]
  /** Whether one of its models is fresh. */
  hasFresh: boolean
}

/** Lists the servers of contracts that have late data on production, or an open incident of late data. */
export async function listLateServers(
  db: Database,
  clock: Clock,
  organizationId: string,
  contracts: readonly string[],
): Promise<LateServer[]> {
  const { rows } = await sql<LateServer>`
    with judged as materialized (
      select freshness.contract_id, freshness.server, freshness.model, freshness.evidence_at,
        freshness.late_at, freshness.promised ->> 'text' as promised,
        ${selectFreshnessState('freshness', sql`moment.now`)} as state
      from promise_freshness as freshness
      join contract_promise as promise on promise.organization_id = freshness.organization_id
        and promise.contract_id = freshness.contract_id
        and promise.server = freshness.server
        and promise.model = freshness.model
      cross join (select ${clock.now} as now) as moment
      where freshness.organization_id = ${organizationId}
        and freshness.contract_id = any(${contracts}::text[])
        and promise.is_production
    ),
    late as (
      select contract_id, server, (count(*) filter (where state = 'late'))::integer as count,
        json_agg(json_build_object(
          'model', model, 'promised', promised, 'evidenceAt', evidence_at, 'lateAt', late_at
        ) order by late_at, model) filter (where state = 'late' and place <= ${MODELS_NAMED_MAX}) as models,
        bool_or(state = 'fresh') as has_fresh
      from (
        select *, row_number() over (partition by contract_id, server, state order by late_at, model) as place
        from judged
      ) as placed
      group by contract_id, server
    ),
    open as (
      select contract_id, server
      from incident
      where organization_id = ${organizationId}
        and contract_id = any(${contracts}::text[])
        and kind = 'late'
        and resolved_at is null
    )
    select contract_id as "contractId", server, coalesce(late.count, 0) as count,
      coalesce(late.models, '[]') as models, coalesce(late.has_fresh, false) as "hasFresh"
    from late
    full join open using (contract_id, server)
    where late.count > 0
      or open.contract_id is not null
    order by contract_id, server
  `.execute(db)
  return rows
}
