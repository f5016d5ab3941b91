import { sql, type RawBuilder } from 'kysely'
import { selectNewestResults } from '../../ledger/tests/record.ts'
import type { DocumentKind } from '../../platform/kinds.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { TrustedAsset, TrustRow } from './facts.ts'

/** The resources whose signals are read. */
interface TrustRequest {
  products: readonly string[]
  contracts: readonly string[]
}

// Only these are judged, so that one answer reads a limited number of results.
const PORTS_MAX = 100
const CERTIFICATIONS_MAX = 100

/**
 * Lists what the signals of data products and data contracts follow from: a row for each tested server of each port of a
 * product and of each contract. Documents that do not exist are left out.
 */
export async function listTrustRows(
  db: Database,
  clock: Clock,
  organizationId: string,
  { products, contracts }: TrustRequest,
): Promise<TrustRow[]> {
  const { rows } = await sql<TrustRow>`
    with certification as materialized (${selectCertifications(organizationId)}),
    document as materialized (
      ${selectDocuments(organizationId, 'data-product', products)}
      union all
      ${selectDocuments(organizationId, 'data-contract', contracts)}
    ),
    port as materialized (
      select document.id as product_id, item.number, item.value ->> 'name' as name,
        array(select jsonb_array_elements_text(item.value -> 'names')) as names,
        item.value ->> 'contract' as contract_id, item.value ->> 'status' as status
      from document
      cross join jsonb_array_elements(document.output_ports) with ordinality as item (value, number)
      where document.kind = 'data-product'
        and item.number <= ${PORTS_MAX}
    ),
    tested as (
      ${selectPortTests(organizationId)}
      union all
      ${selectContractTests(organizationId)}
    )
    select document.kind, document.id, document.status, document.announced, document.readers,
      document.certifications, tested.number::integer as port, tested.name as "portName",
      tested.names as "portNames", tested.status as "portStatus",
      tested.contract_id as "contractId", tested.contract_status as "contractStatus",
      tested.contract_version as "contractVersion", tested.valid_seconds as "validSeconds",
      tested.server, tested.result_id as "resultId", tested.outcome,
      tested.tested_at as "testedAt", tested.tested_version as "testedVersion",
      tested.check_count as "checkCount", tested.passed_count as "passedCount",
      ${clock.now} as now
    from document
    left join tested on tested.kind = document.kind
      and tested.document_id = document.id
    order by document.ordinal, tested.number, tested.server
  `.execute(db)
  return rows
}

/** Lists assets with what their standing follows from. Those that do not exist are left out. */
export async function listAssetRows(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<TrustedAsset[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<TrustedAsset>`
    with certification as materialized (${selectCertifications(organizationId)})
    select entry.external_id as id, entry.status, null as announced,
      ${listCertifications(sql`entry.tags`)} as certifications
    from search_document as entry
    where entry.organization_id = ${organizationId}
      and entry.kind = ${sql.lit('asset' satisfies DocumentKind)}
      and entry.external_id = any(${ids}::text[])
  `.execute(db)
  return rows
}

/** The documents that a change of certifications may concern. */
interface CertifiableDocuments {
  products: string[]
  contracts: string[]
  assets: string[]
}

/** Lists the documents with the tag of a certification, and those whose stored standing is positive. */
export async function listCertifiable(
  db: Database,
  organizationId: string,
): Promise<CertifiableDocuments> {
  const { rows } = await sql<CertifiableDocuments>`
    with certification as materialized (${selectCertifications(organizationId)}),
    document as materialized (
      select kind, external_id as id
      from search_document
      where organization_id = ${organizationId}
        and kind in ('data-product', 'data-contract', 'asset')
        and tags && array(select tag from certification where tag is not null)
      union
      select kind, subject
      from trust_state
      where organization_id = ${organizationId}
        and kind in ('data-product', 'data-contract', 'asset')
        and reasons -> 'standing' -> 0 ->> 'word' = 'Certified'
    )
    select array(select id from document where kind = 'data-product' order by id) as products,
      array(select id from document where kind = 'data-contract' order by id) as contracts,
      array(select id from document where kind = 'asset' order by id) as assets
  `.execute(db)
  return rows[0] ?? { products: [], contracts: [], assets: [] }
}

// The highest rank first.
function listCertifications(tags: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
          select coalesce(
            jsonb_agg(
              jsonb_build_object('id', id, 'name', name) order by rank nulls last, id
            ),
            '[]'
          )
          from certification
          where tag = any(${tags})
        )`
}

// The highest rank first.
function selectCertifications(organizationId: string): RawBuilder<unknown> {
  return sql`
      select external_id as id, name, rank,
        coalesce(document_json, document)::jsonb ->> 'tag' as tag
      from catalog_record
      where organization_id = ${organizationId}
        and kind = ${sql.lit('certification' satisfies DocumentKind)}
      order by rank nulls last, external_id
      limit ${CERTIFICATIONS_MAX}`
}

function selectDocuments(
  organizationId: string,
  kind: TrustRow['kind'],
  ids: readonly string[],
): RawBuilder<unknown> {
  return sql`
      select ${sql.lit(kind)} as kind, entry.external_id as id, entry.status, entry.readers,
        entry.output_ports, entry.tested_servers, given.ordinal, announcement.announced,
        ${listCertifications(sql`entry.tags`)} as certifications
      from unnest(${[...new Set(ids)]}::text[]) with ordinality as given (id, ordinal)
      cross join lateral (
        select external_id, status, standing, readers, tags, output_ports, tested_servers
        from search_document
        where organization_id = ${organizationId}
          and kind = ${sql.lit(kind)}
          and external_id = given.id
        limit 1
      ) as entry
      left join lateral (
        select part -> 'since' as announced
        from (
          select facts
          from revision
          where organization_id = ${organizationId}
            and kind = ${sql.lit(kind)}
            and external_id = given.id
          order by version desc
          limit 1
        ) as newest
        cross join jsonb_array_elements(newest.facts -> 'deprecated') as part
        where part ->> 'pointer' = ''
        limit 1
      ) as announcement on true`
}

// The contract that a port names may not exist: its tests count nevertheless.
function selectPortTests(organizationId: string): RawBuilder<unknown> {
  const port = { productId: sql`port.product_id`, names: sql`port.names` }
  const contract = { id: sql`port.contract_id`, servers: sql`contract.tested_servers`, port }
  return sql`
      select 'data-product' as kind, port.product_id as document_id, port.number, port.name, port.names,
        port.status, port.contract_id, contract.status as contract_status, contract.contract_version,
        (contract.tested_servers ->> 'validSeconds')::double precision as valid_seconds, newest.*
      from port
      left join lateral (${selectContract(organizationId, sql`port.contract_id`)}) as contract on true
      cross join lateral ${selectNewestResults(organizationId, contract)} as newest`
}

function selectContractTests(organizationId: string): RawBuilder<unknown> {
  const contract = { id: sql`document.id`, servers: sql`contract.tested_servers` }
  return sql`
      select 'data-contract', document.id, null::bigint, null, null::text[], null, document.id,
        contract.status, contract.contract_version,
        (contract.tested_servers ->> 'validSeconds')::double precision, newest.*
      from document
      left join lateral (${selectContract(organizationId, sql`document.id`)}) as contract on true
      cross join lateral ${selectNewestResults(organizationId, contract)} as newest
      where document.kind = 'data-contract'`
}

function selectContract(organizationId: string, id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
        select entry.status, entry.tested_servers, stored.contract_version
        from search_document as entry
        join data_contract as stored on stored.organization_id = entry.organization_id
          and stored.external_id = entry.external_id
        where entry.organization_id = ${organizationId}
          and entry.kind = 'data-contract'
          and entry.external_id = ${id}
        limit 1`
}
