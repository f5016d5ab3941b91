import { sql } from 'kysely'
import { COUNTS } from '../../ledger/tests/record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { SAMPLES_DAYS } from './store.ts'

// Test results and samples that are kept for a time.

const RESULTS_OF_CONTRACT_MAX = 1000

/** The maximum number of results that one statement deletes. */
export const DELETE_RESULTS_MAX = 10_000

/** Results that were deleted. */
interface DeletedResults {
  count: number
  /** The contracts that lost the newest result of one of their servers or output ports. */
  contracts: { organizationId: string; contractId: string }[]
}

/**
 * Deletes the next results that are older than a year or not among the newest of their contract; the newest one of each
 * contract stays.
 */
export async function deleteExpiredResults(db: Database, clock: Clock): Promise<DeletedResults> {
  const { rows } = await sql<DeletedResults>`
    with ranked as (
      select organization_id, external_id, tested_at,
        row_number() over (
          partition by organization_id, contract_id order by tested_at desc, external_id desc
        ) as place,
        ${COUNTS} and row_number() over (
          partition by organization_id, contract_id, server, product_id, output_port, ${COUNTS}
          order by tested_at desc, external_id desc
        ) = 1 as is_newest
      from test_result
    ),
    expired as (
      select organization_id, external_id, is_newest
      from ranked
      where place > ${RESULTS_OF_CONTRACT_MAX}
        or (place > 1 and tested_at < ${clock.now} - interval '1 year')
      limit ${DELETE_RESULTS_MAX}
    ),
    deleted as (
      delete from test_result
      using expired
      where test_result.organization_id = expired.organization_id
        and test_result.external_id = expired.external_id
      returning test_result.organization_id, test_result.contract_id, expired.is_newest
    )
    select count(*)::integer as count,
      coalesce(
        jsonb_agg(distinct jsonb_build_object(
          'organizationId', organization_id, 'contractId', contract_id
        )) filter (where is_newest),
        '[]'
      ) as contracts
    from deleted
  `.execute(db)
  return rows[0] ?? { count: 0, contracts: [] }
}

/** A result with samples that are kept no more. */
interface ExpiredSamples {
  organizationId: string
  id: string
  version: number
  document: string
  /** When it was published, in the precision of the database. */
  publishedAt: string
}

/** Results have at most 5 MB. */
const EXPIRED_AT_ONCE_MAX = 8

/** The place in the list of results with expired samples; undefined = its beginning. */
export type ExpiredPlace = Pick<ExpiredSamples, 'publishedAt' | 'organizationId' | 'id'> | undefined

/** Lists the next results that may have samples and were published 30 days ago, in the order of their publication. */
export async function listExpiredSamples(
  db: Database,
  clock: Clock,
  after: ExpiredPlace,
): Promise<ExpiredSamples[]> {
  const { rows } = await sql<ExpiredSamples>`
    select organization_id as "organizationId", external_id as id, version, document,
      updated_at::text as "publishedAt"
    from test_result
    where has_samples is distinct from false
      and updated_at < (select ${clock.now} - ${SAMPLES_DAYS} * interval '1 day')
      and (updated_at, organization_id, external_id) > (
        ${after?.publishedAt ?? '-infinity'}::timestamptz,
        ${after?.organizationId ?? '00000000-0000-0000-0000-000000000000'}::uuid,
        ${after?.id ?? ''}
      )
    order by updated_at, organization_id, external_id
    limit ${EXPIRED_AT_ONCE_MAX}
  `.execute(db)
  return rows
}

/** Replaces the text of a result by the one without samples, unless the result was replaced. It stays the same result. */
export async function removeSamples(
  db: Database,
  { organizationId, id, version }: Pick<ExpiredSamples, 'organizationId' | 'id' | 'version'>,
  document: string,
): Promise<void> {
  await sql`
    update test_result
    set document = ${document}, has_samples = false
    where organization_id = ${organizationId}
      and external_id = ${id}
      and version = ${version}
  `.execute(db)
}
