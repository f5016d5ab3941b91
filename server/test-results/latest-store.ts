import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../tables.ts'
import { RESULT_COLUMNS, type TestResultRow } from './store.ts'

// Tests of a branch and dry runs do not test the data of the contract.
const COUNTS: RawBuilder<unknown> = sql`branch is null and not dry_run`

const RECENT_MAX = 200
const LATEST_MAX = 100

/** Lists the newest result for each server of a contract, newest first. */
export async function listLatestOfContract(
  db: Database,
  organizationId: string,
  contractId: string,
): Promise<TestResultRow[]> {
  const { rows } = await sql<TestResultRow>`
    with recent as (
      select *
      from test_result
      where organization_id = ${organizationId}
        and contract_id = ${contractId}
        and ${COUNTS}
      order by tested_at desc, external_id desc
      limit ${RECENT_MAX}
    ),
    latest as (
      select distinct on (server) *
      from recent
      order by server, tested_at desc, external_id desc
    )
    select ${RESULT_COLUMNS}
    from latest
    order by tested_at desc, external_id desc
    limit ${LATEST_MAX}
  `.execute(db)
  return rows
}

/**
 * Lists, for each contract of a product's output ports, the newest result that names no data product, and the newest
 * one for each output port of this product.
 */
export async function listLatestOfProduct(
  db: Database,
  organizationId: string,
  productId: string,
): Promise<TestResultRow[]> {
  const { rows } = await sql<TestResultRow>`
    with latest as (
      select newest.*
      from data_product as product
      cross join lateral unnest(product.output_contracts) as contract (id)
      cross join lateral (
        select distinct on (product_id, output_port) *
        from (
          select *
          from test_result
          where organization_id = product.organization_id
            and contract_id = contract.id
            and ${COUNTS}
            and (product_id is null or product_id = product.external_id)
          order by tested_at desc, external_id desc
          limit ${RECENT_MAX}
        ) as recent
        order by product_id, output_port, tested_at desc, external_id desc
      ) as newest
      where product.organization_id = ${organizationId}
        and product.external_id = ${productId}
    )
    select ${RESULT_COLUMNS}
    from latest
    order by tested_at desc, external_id desc
    limit ${LATEST_MAX}
  `.execute(db)
  return rows
}
