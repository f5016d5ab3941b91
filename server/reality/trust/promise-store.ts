import { sql, type RawBuilder } from 'kysely'
import { isCompared, isUnaccepted } from '../../ledger/drift/record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { KEPT_DAYS } from './trust.ts'
import type { IncidentRow, PromiseFacts } from './facts.ts'
import type { TrustSubjects } from './state-store.ts'

/** A promise with its freshness as columns. */
type PromiseRow = Omit<PromiseFacts, 'freshness'> & {
  isJudged: boolean
} & NonNullable<PromiseFacts['freshness']>

const LINK_COLUMNS = sql`contract_id, server, model, state, asset_id, promise_digest, comparing_since,
        unverifiable`

/** Lists the facts about the promises of contracts, and about those that are linked with assets, in the order of their keys. */
export async function listPromises(
  db: Database,
  clock: Clock,
  organizationId: string,
  { contracts, assets }: Pick<TrustSubjects, 'contracts' | 'assets'>,
): Promise<PromiseFacts[]> {
  if (contracts.length + assets.length === 0) return []
  // Promises are looked up one by one: a join reads all those of the organization.
  const isOfLink = sql`organization_id = ${organizationId} and contract_id = link.contract_id
        and server = link.server and model = link.model`
  const { rows } = await sql<PromiseRow>`
    with moment as materialized (select ${clock.now} as now),
    link as materialized (${selectLinks(organizationId, { contracts, assets })})
    select link.contract_id as "contractId", link.server, link.model,
      promise.is_production as "isProduction", link.state, link.asset_id as "assetId",
      ${isCompared()} as "isCompared", finding.breaking, finding.accepted,
      finding.differs_since as "differsSince", finding.open_since as "openSince",
      finding.accepted_until as "acceptedUntil",
      jsonb_array_length(link.unverifiable) as unverifiable,
      freshness.contract_id is not null as "isJudged", freshness.promised ->> 'text' as promised,
      freshness.evidence, freshness.evidence_at as "evidenceAt", freshness.late_at as "lateAt",
      coalesce(freshness.is_confirmed, false) as "isConfirmed",
      freshness.unknown_because as "unknownBecause"
    from link
    cross join lateral (
      select is_production
      from contract_promise
      where ${isOfLink}
      limit 1
    ) as promise
    left join lateral (
      select *
      from promise_freshness
      where ${isOfLink}
      limit 1
    ) as freshness on true
    cross join moment
    cross join lateral (
      select count(*)::integer as breaking,
        (count(*) filter (where not ${isUnaccepted(sql`moment.now`)}))::integer as accepted,
        min(first_seen_at) filter (where ${isUnaccepted(sql`moment.now`)}) as differs_since,
        min(first_seen_at) as open_since,
        min(accepted_until) filter (where accepted_until > moment.now) as accepted_until
      from drift_finding as finding
      where ${isOfLink}
        and resolved_at is null
        and level = 'breaking'
    ) as finding
    order by link.contract_id, link.server, link.model
  `.execute(db)
  return rows.map(toFacts)
}

/** The links of contracts, and those with assets. */
function selectLinks(
  organizationId: string,
  { contracts, assets }: Pick<TrustSubjects, 'contracts' | 'assets'>,
): RawBuilder<unknown> {
  return sql`
      select ${LINK_COLUMNS}
      from asset_link
      where organization_id = ${organizationId}
        and contract_id = any(${contracts}::text[])
      union all
      -- Other contracts may promise thousands of other tables.
      select ${LINK_COLUMNS}
      from asset_link
      where organization_id = ${organizationId}
        and asset_id = any(${assets}::text[])
        and contract_id <> all(${contracts}::text[])`
}

function toFacts(row: PromiseRow): PromiseFacts {
  const {
    isJudged,
    promised,
    evidence,
    evidenceAt,
    lateAt,
    isConfirmed,
    unknownBecause,
    ...facts
  } = row
  const freshness = { promised, evidence, evidenceAt, lateAt, isConfirmed, unknownBecause }
  return { ...facts, freshness: isJudged ? freshness : null }
}

/** Lists the incidents of contracts that are open, or were in the last 30 days. */
export async function listIncidents(
  db: Database,
  clock: Clock,
  organizationId: string,
  contracts: readonly string[],
): Promise<IncidentRow[]> {
  if (contracts.length === 0) return []
  const { rows } = await sql<IncidentRow>`
    select contract_id as "contractId", kind, server, opened_at as "openedAt",
      acknowledged_at as "acknowledgedAt", resolved_at as "resolvedAt"
    from incident
    where organization_id = ${organizationId}
      and contract_id = any(${contracts}::text[])
      and coalesce(resolved_at > (select ${clock.now} - make_interval(days => ${sql.lit(KEPT_DAYS)})), true)
    order by contract_id, opened_at, id
  `.execute(db)
  return rows
}
