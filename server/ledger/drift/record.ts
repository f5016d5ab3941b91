import { sql, type RawBuilder } from 'kysely'

// SQL fragments that read whether assets are what contracts promise. They count the servers of production, or all of a
// contract that names none of production.

/** SQL expression: whether a finding counts at a time: it is not accepted, or not any more. */
export function isUnaccepted(now: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(finding.accepted_until is null or finding.accepted_until <= ${now})`
}

/** SQL expression: whether the comparison of a row `link` is current. */
export function isCompared(): RawBuilder<unknown> {
  return sql`(
                link.state = 'linked'
                and link.promise_digest is not null
                and link.comparing_since is null
              )`
}

/**
 * SQL fragment, `(select …)`: the drift of a contract as one row of the counts that `judgeDriftState` judges (`promised`,
 * `compared`, `breaking`, `accepted_breaking`), `additive`, `accepted`, `unverifiable` and `compared_at`.
 */
export function selectContractDrift(
  organizationId: string | RawBuilder<unknown>,
  contractId: RawBuilder<unknown>,
  now: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
        select compared.*, found.*
        from (
          select ${COMPARED}
          from contract_promise as promise
          left join asset_link as link on link.organization_id = promise.organization_id
            and link.contract_id = promise.contract_id
            and link.server = promise.server
            and link.model = promise.model
          where promise.organization_id = ${organizationId}
            and promise.contract_id = ${contractId}
            and promise.is_production
        ) as compared
        cross join (
          select ${countFindings(now)}
          from drift_finding as finding
          where finding.organization_id = ${organizationId}
            and finding.contract_id = ${contractId}
            and finding.is_production
            and finding.resolved_at is null
        ) as found
      )`
}

// Promises that cannot be compared with any table count only if all promises of the contract are like that.
const COMPARED = sql`
            (count(*) filter (where link.state is null or link.state not in ('excluded', 'not_applicable')))::integer
              as promised,
            (count(*) filter (where ${isCompared()}))::integer as compared,
            coalesce(sum(jsonb_array_length(link.unverifiable)), 0)::integer as unverifiable,
            min(link.compared_at) as compared_at`

/**
 * SQL fragment, columns: the numbers of the rows `finding` by what they need: `breaking`, `additive`, `accepted` and
 * `accepted_breaking`.
 */
export function countFindings(now: RawBuilder<unknown>): RawBuilder<unknown> {
  const counts = isUnaccepted(now)
  return sql`
            count(*) filter (where level = 'breaking' and ${counts})::integer as breaking,
            count(*) filter (where level = 'additive' and ${counts})::integer as additive,
            count(*) filter (where not ${counts})::integer as accepted,
            count(*) filter (where level = 'breaking' and not ${counts})::integer as accepted_breaking`
}

/** SQL expression: a JSON object of the counts that `judgeDriftState` judges, of a row `drift`. */
export const DRIFT_COUNTS = sql`jsonb_build_object(
          'promised', drift.promised, 'compared', drift.compared, 'breaking', drift.breaking,
          'acceptedBreaking', drift.accepted_breaking
        )`
