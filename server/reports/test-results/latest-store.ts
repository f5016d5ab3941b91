import { sql, type RawBuilder } from 'kysely'
import { COUNTS } from '../../ledger/tests/record.ts'
import type { Database } from '../../platform/tables.ts'
import { RESULT_COLUMNS, type TestResultRow } from './store.ts'

const LATEST_MAX = 100

/** Lists the newest result for each server of a contract, newest first. */
export async function listLatestOfContract(
  db: Database,
  organizationId: string,
  contractId: string,
): Promise<TestResultRow[]> {
  const condition = sql`organization_id = ${organizationId} and contract_id = ${contractId}`
  const { rows } = await sql<TestResultRow>`
    select ${RESULT_COLUMNS}
    from ${selectNewest(sql`coalesce(server, '')`, condition)} as latest
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
  const condition = sql`
    organization_id = product.organization_id
      and contract_id = contract.id
      and coalesce(product_id, '') = named.product_id`
  const { rows } = await sql<TestResultRow>`
    with latest as (
      select newest.*
      from data_product as product
      cross join lateral (
        select distinct id
        from unnest(product.output_contracts) as named (id)
      ) as contract
      cross join lateral (values (''), (product.external_id)) as named (product_id)
      cross join lateral ${selectNewest(sql`coalesce(output_port, '')`, condition)} as newest
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

// Selects the newest result for each value of a key. Each step finds the next value in an index, so that its cost does
// not depend on the number of results.
function selectNewest(key: RawBuilder<unknown>, condition: RawBuilder<unknown>) {
  const first = (more: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select *, ${key} as key
    from test_result
    where ${condition}
      and ${COUNTS}
      ${more}
    order by ${key}, tested_at desc, external_id desc
    limit 1`
  return sql`(
    with recursive newest as (
      (${first(sql``)})
      union all
      select later.*
      from newest
      cross join lateral (${first(sql`and ${key} > newest.key`)}) as later
    )
    select * from newest
  )`
}
