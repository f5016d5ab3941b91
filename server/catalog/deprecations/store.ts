import { sql } from 'kysely'
import type { Announcement } from '../../ledger/history/plan.ts'
import type { Database } from '../../platform/tables.ts'
import type { DocumentRef } from './deprecation.ts'

/** A deprecated part as a version recorded it. */
interface StoredPart {
  kind: 'document' | 'model' | 'field' | 'input port' | 'output port' | 'management port'
  name: string
  pointer: string
  advice: string | null
  since: Announcement | null
  replacedBy?: string
}

/** Lists the deprecated parts of the current versions of documents; documents without any are left out. */
export async function listDeprecatedParts(
  db: Database,
  organizationId: string,
  names: readonly DocumentRef[],
): Promise<(DocumentRef & { parts: StoredPart[] })[]> {
  const { rows } = await sql<DocumentRef & { parts: StoredPart[] }>`
    select requested.kind, requested.id, revision.facts->'deprecated' as parts
    from unnest(${names.map(({ kind }) => kind)}::text[], ${names.map(({ id }) => id)}::text[])
      with ordinality as requested (kind, id, ordinal)
    cross join lateral (
      select facts
      from revision
      where revision.organization_id = ${organizationId}
        and revision.kind = requested.kind
        and revision.external_id = requested.id
        and revision.deleted_at is null
      order by version desc
      limit 1
    ) as revision
    where jsonb_array_length(revision.facts->'deprecated') > 0
    order by requested.ordinal
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
