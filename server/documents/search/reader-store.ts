import { sql, type RawBuilder } from 'kysely'
import type { DocumentKind } from '../../platform/kinds.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'

/**
 * The readers of a data product or a data contract: the distinct consumers of its active agreements, and those that used
 * it in the last 90 days. Of a contract, only the output ports that have it now count.
 *
 * | Reader | Identified by |
 * |---|---|
 * | consumer of an agreement | the team, the person or the data product |
 * | usage that names an agreement of the data product | the consumer of that agreement |
 * | usage of a person | the person, by e-mail address; of others the name of the user |
 * | usage of a role | the consumer of an active agreement that grants the role, else the role |
 */

/** The kinds of documents that have readers. */
export const READ_KINDS = ['data-product', 'data-contract'] as const satisfies DocumentKind[]

/** A kind of document that has readers. */
export type ReadKind = (typeof READ_KINDS)[number]

/** The days of usage that count, including today (UTC). */
const USAGE_DAYS = 90

/**
 * Counts the readers of some documents and writes the numbers that changed. Returns how many did. Skip locked: a document
 * that is being written is counted next time, so the count never delays a writer and never deadlocks with one.
 */
export async function updateReaders(
  db: Database,
  clock: Clock,
  organizationId: string,
  kind: ReadKind,
  ids: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with period as materialized (${selectPeriod(clock)}),
    document as materialized (${lockDocuments(organizationId, kind, ids)}),
    source as materialized (${selectSources(organizationId, kind)}),
    consumption as materialized (${selectUsage(organizationId)}),
    reader as (${selectReaders(organizationId)}),
    counted as (
      select document.external_id, document.readers as former,
        count(reader.reader)::integer as readers
      from document
      left join reader on reader.document_id = document.external_id
      group by document.external_id, document.readers
    )
    update search_document
    set readers = counted.readers
    from counted
    where search_document.organization_id = ${organizationId}
      and search_document.kind = ${kind}
      and search_document.external_id = counted.external_id
      and counted.readers <> counted.former
    returning search_document.external_id as id
  `.execute(db)
  return rows.length
}

// The first day that counts, and the first month of which every day counts: months are summed up already.
function selectPeriod(clock: Clock): RawBuilder<unknown> {
  return sql`
      select first_day,
        case when extract(day from first_day) = 1 then first_day
          else (date_trunc('month', first_day::timestamp) + interval '1 month')::date
        end as first_month
      from (
        select (${clock.now} at time zone 'UTC')::date - ${sql.lit(USAGE_DAYS - 1)} as first_day
      ) as window_start`
}

function lockDocuments(
  organizationId: string,
  kind: ReadKind,
  ids: readonly string[],
): RawBuilder<unknown> {
  return sql`
      select locked.external_id, locked.readers
      from unnest(${[...new Set(ids)]}::text[]) as given (id)
      cross join lateral (
        select external_id, readers
        from search_document
        where organization_id = ${organizationId}
          and kind = ${kind}
          and external_id = given.id
        limit 1
        for no key update skip locked
      ) as locked`
}

function selectReaders(organizationId: string): RawBuilder<unknown> {
  return sql`
      select source.document_id, holder.reader
      from source
      cross join lateral (
        select ${CONSUMER} as reader
        from access_agreement
        where organization_id = ${organizationId}
          and held_product = source.product_id
          and state = 'active'
          and (source.ports is null or output_port = any(source.ports))
        offset 0
      ) as holder
      union
      select consumption.document_id, ${identifyReader(organizationId)}
      from consumption`
}

// The data products and output ports of each document (null = all ports of the data product).
function selectSources(organizationId: string, kind: ReadKind): RawBuilder<unknown> {
  if (kind === 'data-product') {
    return sql`
      select external_id as document_id, external_id as product_id, null::text[] as ports
      from document`
  }
  return sql`
      select document.external_id as document_id, provider.product_id, provider.ports
      from document
      cross join lateral (
        select product.external_id as product_id, array_agg(distinct port.name) as ports
        from data_product as product
        cross join lateral (
          select output_ports
          from search_document
          where organization_id = ${organizationId}
            and kind = ${sql.lit('data-product' satisfies DocumentKind)}
            and external_id = product.external_id
          limit 1
        ) as entry
        cross join jsonb_array_elements(entry.output_ports) as item
        cross join jsonb_array_elements_text(item -> 'names') as port (name)
        where product.organization_id = ${organizationId}
          and product.output_contracts @> array[document.external_id]
          and item ->> 'contract' = document.external_id
        group by product.external_id
      ) as provider`
}

// Who used the sources in the period: whole months, and the days before them.
function selectUsage(organizationId: string): RawBuilder<unknown> {
  const isOfSource = sql`organization_id = ${organizationId}
            and data_product_id = source.product_id
            and (source.ports is null or output_port = any(source.ports))`
  return sql`
      select distinct source.document_id, source.product_id, usage.user_name, usage.role,
        usage.access_id
      from source
      cross join period
      cross join lateral (
        (
          select user_name, role, access_id
          from usage_month
          where ${isOfSource}
            and month >= period.first_month
            and query_count > 0
          offset 0
        )
        union all
        (
          select user_name, role, access_id
          from usage_day
          where ${isOfSource}
            and day >= period.first_day
            and day < period.first_month
            and query_count + archived_query_count > 0
          offset 0
        )
      ) as usage`
}

// Identifies the consumer of an agreement.
const CONSUMER = sql`consumer_type || ':' || coalesce(consumer_product, consumer_user::text, consumer_team)`

// Identifies who is behind a row of `consumption`; null = it has no names.
function identifyReader(organizationId: string): RawBuilder<unknown> {
  return sql`coalesce(
        (
          select ${CONSUMER}
          from access_agreement
          where organization_id = ${organizationId}
            and external_id = nullif(consumption.access_id, '')
            and provider_product = consumption.product_id
          limit 1
        ),
        (
          select 'user:' || account.id
          from user_account as account
          join organization_member as member on member.organization_id = ${organizationId}
            and member.user_id = account.id
          where account.email_key = lower(nullif(consumption.user_name, ''))
          limit 1
        ),
        nullif('name:' || consumption.user_name, 'name:'),
        (
          select min(${CONSUMER})
          from access_agreement
          where organization_id = ${organizationId}
            and held_product = consumption.product_id
            and state = 'active'
            and nullif(consumption.role, '') = any(roles)
        ),
        nullif('role:' || consumption.role, 'role:'),
        nullif('access:' || consumption.access_id, 'access:')
      )`
}

/** The documents whose readers an event may change. */
interface ReadDocuments {
  products: string[]
  contracts: string[]
}

/** Finds the documents whose readers the given agreements, data products and data contracts may change. */
export async function findReadDocuments(
  db: Database,
  organizationId: string,
  {
    agreements,
    products,
    contracts,
  }: Readonly<Record<'agreements' | keyof ReadDocuments, string[]>>,
): Promise<ReadDocuments> {
  const { rows } = await sql<ReadDocuments>`
    with agreement as materialized (
      select one.provider_product, one.contract_id
      from unnest(${agreements}::text[]) as given (id)
      cross join lateral (
        select provider_product, contract_id
        from access_agreement
        where organization_id = ${organizationId}
          and external_id = given.id
        limit 1
      ) as one
    ),
    product as materialized (
      select provider_product as id
      from agreement
      union
      select unnest(${products}::text[])
    )
    select array(select id from product) as products,
      array(
        select contract_id
        from agreement
        where contract_id is not null
        union
        select unnest(${contracts}::text[])
        union
        select unnest(one.output_contracts)
        from product
        cross join lateral (
          select output_contracts
          from data_product
          where organization_id = ${organizationId}
            and external_id = product.id
          limit 1
        ) as one
      ) as contracts
  `.execute(db)
  return rows[0] ?? { products: [], contracts: [] }
}
