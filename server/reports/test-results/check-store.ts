import { sql, type RawBuilder } from 'kysely'
import type { CheckOutcome } from '../../../formats/reality/check-outcome.ts'
import type { KeyedCheck } from '../../../formats/reality/checks.ts'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { COUNTS } from '../../ledger/tests/record.ts'
import { selectPage } from '../../requests/http/paging.ts'
import { appendChecks, findFailingSince, toOutcomeName, toPortKey } from './check-record.ts'
import { RESULT_COLUMNS, type FullTestResult, type TestResultRow } from './store.ts'

// Programs that send a result for each model give them one time.
const SIMULTANEOUS_MAX = 20

// The checks of the place of a result: its contract, server and output port.
function isOfPlace(
  organizationId: string,
  { contractId, server, productId, outputPort }: TestResultRow,
): RawBuilder<unknown> {
  return sql`
      test_check.organization_id = ${organizationId}
        and test_check.contract_id = ${contractId}
        and test_check.server = ${server ?? ''}
        and test_check.port = ${toPortKey(sql`${productId}::text`, sql`${outputPort}::text`)}`
}

/**
 * Removes the outcomes of a stored result from the history of its checks, before it is replaced or deleted, and with them those of
 * other results of its place that have the same time. Checks without any other outcome are deleted.
 */
export async function removeOutcomes(
  db: Database,
  organizationId: string,
  result: TestResultRow,
): Promise<void> {
  const { testedAt } = result
  const isOfResult = isOfPlace(organizationId, result)
  // Without the locks, outcomes that others add since this statement began would be lost. In the order in which others lock them.
  await sql`
    select
    from test_check
    where ${isOfResult}
      and times @> array[${testedAt}::timestamptz]
    order by check_key
    for update
  `.execute(db)
  const failingSince = findFailingSince(
    sql`affected.outcomes`,
    sql`affected.times`,
    sql`test_check.failing_since`,
  )
  await sql`
    with affected as (
      select check_key,
        left(outcomes, place - 1) || substr(outcomes, place + 1) as outcomes,
        times[:place - 1] || times[place + 1:] as times,
        values[:place - 1] || values[place + 1:] as values
      from test_check
      cross join lateral (select width_bucket(${testedAt}::timestamptz, times) as place) as position
      where ${isOfResult}
        and times[place] = ${testedAt}::timestamptz
    ),
    emptied as (
      delete from test_check
      using affected
      where ${isOfResult}
        and test_check.check_key = affected.check_key
        and affected.outcomes = ''
    )
    update test_check
    set outcomes = affected.outcomes, times = affected.times, values = affected.values,
      outcome = ${toOutcomeName(sql`right(affected.outcomes, 1)`)},
      tested_at = affected.times[cardinality(affected.times)],
      failing_since = ${failingSince}
    from affected
    where ${isOfResult}
      and test_check.check_key = affected.check_key
      and affected.outcomes <> ''
  `.execute(db)
}

/** Lists other results of the place and the time of a result, at most 20, the oldest first. */
export async function listSimultaneous(
  db: Database,
  organizationId: string,
  { id, contractId, server, productId, outputPort, testedAt }: TestResultRow,
): Promise<FullTestResult[]> {
  const { rows } = await sql<FullTestResult>`
    select ${RESULT_COLUMNS}, format, document
    from test_result
    where organization_id = ${organizationId}
      and contract_id = ${contractId}
      and external_id <> ${id}
      and server is not distinct from ${server}::text
      and product_id is not distinct from ${productId}::text
      and output_port is not distinct from ${outputPort}::text
      and tested_at = ${testedAt}::timestamptz
      and ${COUNTS}
    order by created_at, external_id
    limit ${SIMULTANEOUS_MAX}
  `.execute(db)
  return rows
}

/** Writes the outcomes of a stored result into the history of its checks again; nothing if it was deleted. */
export async function restoreOutcomes(
  db: Database,
  organizationId: string,
  { id, contractId }: TestResultRow,
  checks: readonly KeyedCheck[],
): Promise<void> {
  await sql`
    with written as (
      select *
      from test_result
      where organization_id = ${organizationId}
        and contract_id = ${contractId}
        and external_id = ${id}
    )
    ${appendChecks(organizationId, contractId, checks)}
  `.execute(db)
}

/** Removes what a stored result reported about the newest instants in the data, before it is replaced. */
export async function removeFreshness(
  db: Database,
  organizationId: string,
  resultId: string,
): Promise<void> {
  await sql`
    delete from freshness_check
    where organization_id = ${organizationId}
      and result_id = ${resultId}
  `.execute(db)
}

/** A check with its newest outcomes, oldest first. */
interface CheckRow {
  key: string
  server: string
  /** The JSON list of the data product and the port; empty = none. */
  port: string
  name: string | null
  model: string | null
  field: string | null
  ruleKey: string | null
  outcome: CheckOutcome
  failingSince: Instant | null
  testedAt: Instant
  testedVersion: string | null
  /** Letters. */
  outcomes: string
  times: Instant[]
  values: (number | null)[]
}

/** The checks of a contract that are asked for. */
interface CheckFilter {
  contractId: string
  /** Undefined = those of all servers. */
  server: string | undefined
}

/** Lists a page of the checks of a contract, and one more if there is a next page: the failing ones first, then by name. */
export async function listChecks(
  db: Database,
  organizationId: string,
  { contractId, server }: CheckFilter,
  { page, size }: { page: number; size: number },
): Promise<CheckRow[]> {
  const { rows } = await sql<CheckRow>`
    select check_key as key, server, port, name, model, field, rule_key as "ruleKey", outcome,
      failing_since as "failingSince", tested_at as "testedAt", tested_version as "testedVersion", outcomes, values,
      array(
        select to_char(time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
        from unnest(times) with ordinality as tested (time, ordinal)
        order by ordinal
      ) as times
    from test_check
    where organization_id = ${organizationId}
      and contract_id = ${contractId}
      and (${server ?? null}::text is null or server = ${server ?? null})
    order by failing_since is null, model nulls first, field nulls first, name, check_key, server, port
    ${selectPage(page, size)}
  `.execute(db)
  return rows
}

/** A result that tested a contract at a time. */
interface TimedResult {
  id: string
  server: string
  port: string
  testedAt: Instant
}

/** Lists the results of a contract by the times of their tests. */
export async function listResultsAt(
  db: Database,
  organizationId: string,
  contractId: string,
  times: readonly Instant[],
): Promise<TimedResult[]> {
  const { rows } = await sql<TimedResult>`
    select external_id as id, coalesce(server, '') as server,
      ${toPortKey(sql`product_id`, sql`output_port`)} as port, tested_at as "testedAt"
    from test_result
    where organization_id = ${organizationId}
      and contract_id = ${contractId}
      and tested_at = any(${times}::timestamptz[])
      and ${COUNTS}
  `.execute(db)
  return rows
}

/** The maximum number of checks that one statement deletes. */
export const DELETE_CHECKS_MAX = 10_000

/** Deletes the next checks that no result has had for a year. Returns their number. */
export async function deleteExpiredChecks(db: Database, clock: Clock): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from test_check
    using (
      select organization_id, contract_id, server, port, check_key
      from test_check
      where tested_at < (select ${clock.now} - interval '1 year')
      limit ${DELETE_CHECKS_MAX}
    ) as expired
    where test_check.organization_id = expired.organization_id
      and test_check.contract_id = expired.contract_id
      and test_check.server = expired.server
      and test_check.port = expired.port
      and test_check.check_key = expired.check_key
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
