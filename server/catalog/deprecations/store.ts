import { sql } from 'kysely'
import type { Announcement } from '../../ledger/history/plan.ts'
import type { Database } from '../../platform/tables.ts'
import type { DocumentRef } from './deprecation.ts'

/** A deprecated part as a version recorded it; without the announcement, as a document has it. */
export interface StoredPart {
  /** Of a port: `outputPorts/id/…`, or `outputPorts/name/…@version` without an id. */
  key: string
  kind: 'document' | 'model' | 'field' | 'input port' | 'output port' | 'management port'
  name: string
  pointer: string
  advice: string | null
  since?: Announcement
  replacedBy?: string
}

/** The deprecated parts of a document, or its text if an earlier release wrote it and recorded none. */
interface DeprecatedDocument extends DocumentRef {
  parts: StoredPart[] | null
  document: string | null
  mediaType: string
}

// The size of the texts that one answer reads; further documents are left out.
const UNRECORDED_BYTES_MAX = 4 * 1024 * 1024

/** Lists the deprecated parts of the current versions of documents; documents without any are left out. */
export async function listDeprecatedParts(
  db: Database,
  organizationId: string,
  names: readonly DocumentRef[],
): Promise<DeprecatedDocument[]> {
  const { rows } = await sql<DeprecatedDocument>`
    select kind, id, parts, case when parts is null then document end as document,
      media_type as "mediaType"
    from (
      select requested.kind, requested.id, requested.ordinal, revision.parts, revision.document,
        revision.media_type,
        sum(case when revision.parts is null then octet_length(revision.document) else 0 end)
          over (order by requested.ordinal) as bytes
      from unnest(${names.map(({ kind }) => kind)}::text[], ${names.map(({ id }) => id)}::text[])
        with ordinality as requested (kind, id, ordinal)
      cross join lateral (
        select facts->'deprecated' as parts, document, media_type, deleted_at
        from revision
        where revision.organization_id = ${organizationId}
          and revision.kind = requested.kind
          and revision.external_id = requested.id
        order by version desc
        limit 1
      ) as revision
      where revision.deleted_at is null
        and (revision.parts is null or jsonb_array_length(revision.parts) > 0)
    ) as listed
    where parts is not null or bytes <= ${UNRECORDED_BYTES_MAX}
    order by ordinal
  `.execute(db)
  return rows
}

/** Lists those of some ids that data products and data contracts have, with their names. */
export async function listNamedDocuments(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<(DocumentRef & { name: string })[]> {
  const { rows } = await sql<DocumentRef & { name: string }>`
    select 'data-product' as kind, external_id as id, name
    from data_product
    where organization_id = ${organizationId}
      and external_id = any(${ids}::text[])
    union all
    select 'data-contract', external_id, name
    from data_contract
    where organization_id = ${organizationId}
      and external_id = any(${ids}::text[])
  `.execute(db)
  return rows
}

// The size of the data products that one answer reads for the names of their ports; the first one is always read.
const DOCUMENT_BYTES_MAX = 8 * 1024 * 1024

/** Loads data products in JSON, as many as the limit of their size allows. */
export async function loadProducts(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<{ id: string; document: string }[]> {
  const { rows } = await sql<{ id: string; document: string }>`
    select id, document
    from (
      select external_id as id, coalesce(document_json, document) as document,
        sum(octet_length(coalesce(document_json, document))) over (order by external_id) as bytes,
        row_number() over (order by external_id) as number
      from data_product
      where organization_id = ${organizationId}
        and external_id = any(${ids}::text[])
    ) as product
    where number = 1 or bytes <= ${DOCUMENT_BYTES_MAX}
  `.execute(db)
  return rows
}

/** A name of an output port, which is its id, its name or its name with the version, and its data contract. */
interface PortContract {
  productId: string
  name: string
  contractId: string
}

/** Lists the data contracts of the output ports of data products, as the search index has them. */
export async function listPortContracts(
  db: Database,
  organizationId: string,
  productIds: readonly string[],
): Promise<PortContract[]> {
  const { rows } = await sql<PortContract>`
    select document.external_id as "productId", named.name, port.value ->> 'contract' as "contractId"
    from search_document as document
    cross join jsonb_array_elements(document.output_ports) as port (value)
    cross join jsonb_array_elements_text(port.value -> 'names') as named (name)
    where document.organization_id = ${organizationId}
      and document.kind = 'data-product'
      and document.external_id = any(${productIds}::text[])
      and port.value ->> 'contract' is not null
  `.execute(db)
  return rows
}

/** Lists those of some definitions that do not exist. */
export async function listMissingDefinitions(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select given.id
    from unnest(${ids}::text[]) as given (id)
    where not exists (
      select
      from catalog_record
      where catalog_record.organization_id = ${organizationId}
        and catalog_record.kind = 'definition'
        and catalog_record.external_id = given.id
    )
  `.execute(db)
  return rows.map(({ id }) => id)
}
