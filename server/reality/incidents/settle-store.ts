import { sql, type RawBuilder } from 'kysely'
import { COUNTS } from '../../ledger/tests/record.ts'
import type { Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'

/** A server of a contract with failing tests, or an open incident, or both. */
export interface TestedServer {
  contractId: string
  server: string
  hasIncident: boolean
  /** Why an incident may not be open; null = the server is one of production of an existing contract. */
  excludedBecause: 'contract' | 'server' | null
  /** The newest result that fails; null = none does. */
  failing: {
    resultId: string
    result: string
    testedAt: Instant
    checkCount: number | null
    passedCount: number | null
    dataProductId: string | null
    outputPortId: string | null
    /** The first checks that fail. */
    checks: { name: string | null; model: string | null; field: string | null }[]
  } | null
  /** Whether any result counts. */
  isTested: boolean
}

const CHECKS_NAMED_MAX = 5

/**
 * Lists the servers of contracts whose newest result fails, for any output port that was tested within 30 days of it, and
 * those with an open incident of tests. Results that name no server are those of the server with an empty name.
 */
export async function listTestedServers(
  db: Database,
  organizationId: string,
  contractIds: readonly string[],
): Promise<TestedServer[]> {
  const { rows } = await sql<TestedServer>`
    with ${selectFailing(organizationId, contractIds)},
    open as (
      select incident.contract_id, incident.server
      from contract
      join incident on incident.organization_id = ${organizationId}
        and incident.contract_id = contract.id
        and incident.kind = 'test'
        and incident.resolved_at is null
    ),
    place as (
      select contract_id, server from failing
      union
      select contract_id, server from open
    )
    select place.contract_id as "contractId", place.server,
      exists (
        select
        from open
        where open.contract_id = place.contract_id
          and open.server = place.server
      ) as "hasIncident",
      case
        when not contract.exists then 'contract'
        when coalesce(contract.servers -> 'ignored' ? place.server, false) then 'server'
      end as "excludedBecause",
      case when failing.external_id is not null then ${selectFacts(organizationId)} end as failing,
      exists (
        select
        from counted
        where counted.contract_id = place.contract_id
          and counted.server = place.server
      ) as "isTested"
    from place
    join contract on contract.id = place.contract_id
    left join failing on failing.contract_id = place.contract_id
      and failing.server = place.server
  `.execute(db)
  return rows
}

// The contracts, the newest results for each of their servers and ports, and for each server the newest one that fails.
function selectFailing(
  organizationId: string,
  contractIds: readonly string[],
): RawBuilder<unknown> {
  return sql`contract as materialized (
      select given.id, stored.external_id is not null as exists, entry.tested_servers as servers
      from unnest(${contractIds}::text[]) as given (id)
      left join data_contract as stored on stored.organization_id = ${organizationId}
        and stored.external_id = given.id
      left join search_document as entry on entry.organization_id = ${organizationId}
        and entry.kind = 'data-contract'
        and entry.external_id = given.id
    ),
    newest as (
      select distinct on (test_result.contract_id, coalesce(server, ''), product_id, output_port)
        test_result.contract_id, coalesce(server, '') as server, external_id, result, tested_at, check_count,
        passed_count, product_id, output_port
      from contract
      join test_result on test_result.organization_id = ${organizationId}
        and test_result.contract_id = contract.id
        and test_result.result <> 'unknown'
        and ${COUNTS}
      order by test_result.contract_id, coalesce(server, ''), product_id, output_port, tested_at desc,
        external_id desc
    ),
    counted as (
      select newest.*, max(tested_at) over (partition by contract_id, server) as latest_at
      from newest
    ),
    failing as (
      select distinct on (contract_id, server) *
      from counted
      where result in ('failed', 'error')
        and tested_at > latest_at - interval '30 days'
      order by contract_id, server, tested_at desc, external_id desc
    )`
}

function selectFacts(organizationId: string): RawBuilder<unknown> {
  return sql`json_build_object(
        'resultId', failing.external_id, 'result', failing.result, 'testedAt', failing.tested_at,
        'checkCount', failing.check_count, 'passedCount', failing.passed_count,
        'dataProductId', failing.product_id, 'outputPortId', failing.output_port,
        'checks', (
          select coalesce(json_agg(json_build_object('name', name, 'model', model, 'field', field)), '[]')
          from (
            select name, model, field
            from test_check
            where test_check.organization_id = ${organizationId}
              and test_check.contract_id = failing.contract_id
              and test_check.server = failing.server
              and test_check.tested_at = failing.tested_at
              and test_check.outcome in ('failed', 'error')
            order by model, field, name, check_key
            limit ${CHECKS_NAMED_MAX}
          ) as named
        )
      )`
}

/** An open incident. */
interface OpenIncident {
  contractId: string
  server: string
  kind: string
  excludedBecause: 'contract' | 'server'
}

/** Lists the open incidents of contracts that may not be open: the contract is deleted, or the server is not one of production. */
export async function listExcluded(
  db: Database,
  organizationId: string,
  contractIds: readonly string[],
): Promise<OpenIncident[]> {
  const { rows } = await sql<OpenIncident>`
    select incident.contract_id as "contractId", incident.server, incident.kind,
      case when contract.external_id is null then 'contract' else 'server' end as "excludedBecause"
    from incident
    left join data_contract as contract on contract.organization_id = ${organizationId}
      and contract.external_id = incident.contract_id
    left join search_document as entry on entry.organization_id = ${organizationId}
      and entry.kind = 'data-contract'
      and entry.external_id = incident.contract_id
    where incident.organization_id = ${organizationId}
      and incident.contract_id = any(${contractIds}::text[])
      and incident.resolved_at is null
      and (
        contract.external_id is null
        or coalesce(entry.tested_servers -> 'ignored' ? incident.server, false)
      )
  `.execute(db)
  return rows
}
