import { sql, type RawBuilder } from 'kysely'

// SQL fragments about the test results that count, for the stores of other modules.

/** A condition of `test_result`: tests of a branch and dry runs do not test the data. */
export const COUNTS: RawBuilder<unknown> = sql`branch is null and not dry_run`

/** The columns of a row that is named `contract`, or of its index entry. */
interface TestedContract {
  /** The id of the contract; it may not exist. */
  id: RawBuilder<unknown>
  /** The `tested_servers` of its index entry; null = unknown. */
  servers: RawBuilder<unknown>
  /** The output port whose tests count; undefined = of the whole contract. */
  port?: { productId: RawBuilder<unknown>; names: RawBuilder<unknown> }
}

/**
 * SQL fragment, `(select …)`: for each server whose tests count, the newest result as the row `newest`, or nulls if it was
 * never tested. One row without a server if the contract has none. A result that names no server of the contract counts for
 * all, one of another data product or port for none of a port.
 */
export function selectNewestResults(
  organizationId: string,
  { id, servers, port }: TestedContract,
): RawBuilder<unknown> {
  const isOfPort =
    port === undefined
      ? sql``
      : sql`
            and (product_id is null or product_id = ${port.productId})
            and (output_port is null or output_port = any(${port.names}))`
  return sql`(
        select tested.server, newest.*
        from (
          select server
          from jsonb_array_elements_text(${servers} -> 'tested') as listed (server)
          union all
          select null
          where coalesce(jsonb_array_length(${servers} -> 'tested'), 0) = 0
        ) as tested
        left join lateral (
          select external_id as result_id, result as outcome, tested_at, contract_version as tested_version,
            check_count, passed_count, test_result.server as result_server
          from test_result
          where organization_id = ${organizationId}
            and contract_id = ${id}
            and ${COUNTS}
            and (
              test_result.server is null
              or test_result.server = tested.server
              or not coalesce(${servers} -> 'tested' ? test_result.server, false)
              and not coalesce(${servers} -> 'ignored' ? test_result.server, false)
            )${isOfPort}
          order by tested_at desc, external_id desc
          limit 1
        ) as newest on true
      )`
}
