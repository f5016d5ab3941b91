import { appendActivity, selectTeam } from '../../ledger/activity/record.ts'
import { appendFreshnessChecks } from '../../ledger/freshness/record.ts'
import { sql, type RawBuilder } from 'kysely'
import { randomUUIDv7 } from 'node:crypto'
import { appendDetailedEvent } from '../../ledger/events/record.ts'
import { selectPage } from '../../requests/http/paging.ts'
import { isWithin, type Period } from '../../requests/http/period.ts'
import type { KeyedCheck } from '../../../formats/reality/checks.ts'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { appendChecks } from './check-record.ts'
import type { ResultFormat, SentResult } from './test-result.ts'

/** The kind of the events of test results. They have no versions. */
const EVENT_KIND = 'test-result'

/** A stored result without its text. */
export interface TestResultRow extends Omit<SentResult, 'id' | 'checks' | 'hasSamples'> {
  id: string
  testedAt: Instant
  publishedAt: Instant
  publishedBy: string
}

/** A stored result with its text. */
export interface FullTestResult extends TestResultRow {
  format: ResultFormat
  document: string
}

/** The columns of a `TestResultRow`. */
export const RESULT_COLUMNS = sql`
      external_id as id, contract_id as "contractId", contract_version as "contractVersion",
      product_id as "productId", output_port as "outputPort", server, branch, result,
      dry_run as "dryRun", check_count as "checkCount", passed_count as "passedCount",
      started_at as "startedAt", ended_at as "endedAt", tested_at as "testedAt",
      updated_at as "publishedAt", updated_by as "publishedBy"`

/** A result to store. */
export interface TestResultWrite {
  organizationId: string
  principal: string
  id: string
  format: ResultFormat
  document: string
  sent: SentResult
  /** The checks that are followed over time. */
  checks: readonly KeyedCheck[]
  /** The contract of the result that has this id now; undefined = there is none. */
  replaced: string | undefined
}

/**
 * Inserts a result or replaces the one with its id, and records the event, in one statement. Returns undefined if
 * the stored result is not the one of `replaced` any more, so that no result is replaced without its permission.
 */
export async function upsertResult(
  db: Database,
  clock: Clock,
  { organizationId, principal, id, format, document, sent, checks, replaced }: TestResultWrite,
): Promise<TestResultRow | undefined> {
  const origin = { organizationId, kind: EVENT_KIND, principal }
  const event = { id: randomUUIDv7(), name: 'TestResultsCreatedEvent' } as const
  const { rows } = await sql<TestResultRow>`
    with written as (
      insert into test_result (
        organization_id, external_id, contract_id, contract_version, product_id, output_port, server,
        branch, result, dry_run, check_count, passed_count, format, document, version, started_at,
        ended_at,
        tested_at, created_at, updated_at, updated_by, has_samples
      )
      select
        ${organizationId}::uuid, ${id}, ${sent.contractId}, ${sent.contractVersion},
        ${sent.productId}, ${sent.outputPort}, ${sent.server}, ${sent.branch}, ${sent.result},
        ${sent.dryRun}::boolean, ${sent.checkCount}::integer, ${sent.passedCount}::integer,
        ${format}, ${document}, 1, ${sent.startedAt}::timestamptz, ${sent.endedAt}::timestamptz,
        least(coalesce(${sent.endedAt}::timestamptz, ${sent.startedAt}::timestamptz), arrival.instant),
        arrival.instant, arrival.instant, ${principal}, ${sent.hasSamples}::boolean
      from (select ${clock.now} as instant) as arrival
      on conflict (organization_id, external_id) do update
      set contract_id = excluded.contract_id, contract_version = excluded.contract_version,
        product_id = excluded.product_id, output_port = excluded.output_port,
        server = excluded.server, branch = excluded.branch, result = excluded.result,
        dry_run = excluded.dry_run, check_count = excluded.check_count,
        passed_count = excluded.passed_count, format = excluded.format,
        document = excluded.document,
        version = test_result.version + 1, started_at = excluded.started_at,
        ended_at = excluded.ended_at, tested_at = excluded.tested_at,
        updated_at = excluded.updated_at, updated_by = excluded.updated_by,
        has_samples = excluded.has_samples
      where test_result.contract_id = ${replaced ?? null}
      returning *
    ),
    announced as (${appendDetailedEvent(origin, event, {
      result: 'written',
      timeColumn: 'updated_at',
      details: sql`jsonb_build_object('status', written.result)`,
      owners: listOwners(organizationId, sql`written.contract_id`),
    })}
    ),
    aged as (${sent.freshness.length === 0 ? sql`select` : appendFreshnessChecks(organizationId, sent.freshness)}
    ),
    followed as (${checks.length === 0 ? sql`select` : appendChecks(organizationId, sent.contractId, checks)}
    )
    select ${RESULT_COLUMNS}
    from written
  `.execute(db)
  return rows[0]
}

// The team that owns the contract of a result, as an array; empty without a contract or an owner.
function listOwners(organizationId: string, contractId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`array(
        select ${selectTeam(organizationId, sql`contract.owner_team_id`)}
        from data_contract as contract
        where contract.organization_id = ${organizationId}
          and contract.external_id = ${contractId}
          and contract.owner_team_id is not null
      )`
}

/** Finds a result with its text. */
export async function findResult(
  db: Database,
  organizationId: string,
  id: string,
): Promise<FullTestResult | undefined> {
  const { rows } = await sql<FullTestResult>`
    select ${RESULT_COLUMNS}, format, document
    from test_result
    where organization_id = ${organizationId}
      and external_id = ${id}
  `.execute(db)
  return rows[0]
}

/** Reserves the result of a contract until the end of the transaction; undefined if the contract has no such result. */
export async function lockResult(
  db: Database,
  { organizationId, id, contractId }: { organizationId: string; id: string; contractId: string },
): Promise<TestResultRow | undefined> {
  const { rows } = await sql<TestResultRow>`
    select ${RESULT_COLUMNS}
    from test_result
    where organization_id = ${organizationId}
      and external_id = ${id}
      and contract_id = ${contractId}
    for update
  `.execute(db)
  return rows[0]
}

/** Deletes the result of a contract and records the event, in one statement. Returns whether it was there. */
export async function deleteResult(
  db: Database,
  clock: Clock,
  {
    organizationId,
    principal,
    requestId,
    id,
    contractId,
  }: Record<'organizationId' | 'principal' | 'requestId' | 'id' | 'contractId', string>,
): Promise<boolean> {
  const origin = { organizationId, kind: EVENT_KIND, principal }
  const event = { id: randomUUIDv7(), name: 'TestResultsDeletedEvent' } as const
  const entry = {
    kind: 'test-result',
    action: 'deleted',
    at: sql`removed_at`,
    subject: sql`removed.external_id`,
    name: sql`removed.contract_id`,
    team: selectTeam(organizationId, sql`data_contract.owner_team_id`),
    details: sql`jsonb_build_object('contract', removed.contract_id, 'result', removed.result)`,
  } as const
  const from = sql`
    from removed
    left join data_contract on data_contract.organization_id = removed.organization_id
      and data_contract.external_id = removed.contract_id`
  const { rows } = await sql`
    with removed as (
      delete from test_result
      where organization_id = ${organizationId}
        and external_id = ${id}
        and contract_id = ${contractId}
      returning *, ${clock.now} as removed_at
    ),
    announced as (${appendDetailedEvent(origin, event, {
      result: 'removed',
      timeColumn: 'removed_at',
      details: sql`jsonb_build_object('status', removed.result)`,
      owners: listOwners(organizationId, sql`removed.contract_id`),
    })}
    ),
    recorded as (${appendActivity({ organizationId, principal, requestId }, entry, from)}
    )
    select from removed
  `.execute(db)
  return rows.length > 0
}

/** The filters of results; a result must match all of them. */
export interface TestResultFilter extends Period {
  contractId?: string | undefined
  server?: string | undefined
  branch?: string | undefined
}

/** Lists a page of results, newest first, and one more if there is a next page. */
export async function listResults(
  db: Database,
  organizationId: string,
  { contractId, server, branch, ...period }: TestResultFilter,
  { page, size }: { page: number; size: number },
): Promise<TestResultRow[]> {
  const conditions = [
    sql`organization_id = ${organizationId}`,
    contractId !== undefined && sql`contract_id = ${contractId}`,
    server !== undefined && sql`server = ${server}`,
    branch !== undefined && sql`branch = ${branch}`,
    isWithin(sql`tested_at`, period),
  ].filter((condition) => typeof condition === 'object')
  const { rows } = await sql<TestResultRow>`
    select ${RESULT_COLUMNS}
    from test_result
    where ${sql.join(conditions, sql` and `)}
    order by tested_at desc, external_id desc
    ${selectPage(page, size)}
  `.execute(db)
  return rows
}

/** The days for which samples of a result are kept. */
export const SAMPLES_DAYS = 30
