import { sql, type RawBuilder } from 'kysely'
import { selectPage } from '../../requests/http/paging.ts'
import type { DocumentReference } from '../../requests/http/document-list.ts'
import type { Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { Announcement } from './plan.ts'
import type { DocumentKind, Revision, VersionSummary } from './revision.ts'

/** The key of a document. */
export interface DocumentName {
  organizationId: string
  kind: DocumentKind
  externalId: string
}

/** Lists versions, newest first, and one more if there is a next page. */
export async function listVersions(
  db: Database,
  name: DocumentName,
  offset: number,
  limit: number,
): Promise<VersionSummary[]> {
  const { rows } = await sql<VersionSummary>`
    select
      version,
      valid_from as "validFrom",
      coalesce(deleted_at, lead(valid_from) over (order by version)) as "validTo",
      principal,
      level,
      digest
    from revision
    where organization_id = ${name.organizationId}
      and kind = ${name.kind}
      and external_id = ${name.externalId}
    order by version desc
    offset ${offset}
    limit ${limit}
  `.execute(db)
  return rows
}

/** One version as far as it decides whether its text is loaded. */
interface VersionSize {
  version: number
  digest: string
  bytes: number
}

/** Lists the first versions of a document that changed more than documentation, oldest first. */
export async function listSubstantialVersions(
  db: Database,
  name: DocumentName,
  limit: number,
): Promise<VersionSize[]> {
  const { rows } = await sql<VersionSize>`
    select version, digest, octet_length(document) as bytes
    from revision
    where organization_id = ${name.organizationId}
      and kind = ${name.kind}
      and external_id = ${name.externalId}
      and level <> 'wording'
    order by version
    limit ${limit}
  `.execute(db)
  return rows
}

/** Finds a version by its number. */
export async function findVersion(
  db: Database,
  name: DocumentName,
  version: number,
): Promise<Revision | undefined> {
  return await getRevisions(db, name).where('version', '=', version).executeTakeFirst()
}

/** Finds the version that held at an instant; a later rewrite or deletion does not hide it. */
export async function findAsOf(
  db: Database,
  name: DocumentName,
  instant: Instant,
): Promise<Revision | undefined> {
  const { rows } = await sql<Revision & { deleted: boolean }>`
    select
      version, document, media_type as "mediaType", format, digest, valid_from as "validFrom",
      facts->>'ownerId' as "ownerId", coalesce(deleted_at <= ${instant}::timestamptz, false) as deleted
    from revision
    where organization_id = ${name.organizationId}
      and kind = ${name.kind}
      and external_id = ${name.externalId}
      and valid_from <= ${instant}::timestamptz
    order by version desc
    limit 1
  `.execute(db)
  const [last] = rows
  return last === undefined || last.deleted ? undefined : last
}

/** A deprecated part of a version, and when its deprecation was announced. */
interface RecordedDeprecation {
  /** Empty = the document itself. */
  key: string
  since: Announcement
}

/**
 * Lists the deprecated parts of a version, in the order of the document; none if it was written before deprecations were
 * recorded.
 */
export async function listDeprecations(
  db: Database,
  name: DocumentName,
  version: number,
): Promise<RecordedDeprecation[]> {
  const { rows } = await sql<RecordedDeprecation>`
    select part.value->>'key' as key, part.value->'since' as since
    from revision
    cross join jsonb_array_elements(revision.facts->'deprecated') with ordinality
      as part (value, ordinal)
    where revision.organization_id = ${name.organizationId}
      and revision.kind = ${name.kind}
      and revision.external_id = ${name.externalId}
      and revision.version = ${version}
    order by part.ordinal
  `.execute(db)
  return rows
}

/** The key of a version within its kind. */
interface VersionKey {
  externalId: string
  version: number
}

/** A list of documents as of an instant, with its filters and order. */
export interface AsOfList {
  organizationId: string
  kind: DocumentKind
  instant: Instant
  /** Conditions on `facts`, all required. */
  filters: readonly RawBuilder<unknown>[]
  /** An expression over facts, created_at and valid_from; external_id breaks ties. */
  order: RawBuilder<unknown>
  page: number
  /** The maximum number of documents in a page. */
  elementsMax: number
}

/** Lists a page of the versions that were current at an instant, and one more if there is a next page. */
export async function listAsOf(
  db: Database,
  { organizationId, kind, instant, filters, order, page, elementsMax }: AsOfList,
): Promise<(DocumentReference<VersionKey> & { format: string })[]> {
  const { rows } = await sql<DocumentReference<VersionKey> & { format: string }>`
    with held as (
      select distinct on (external_id)
        external_id, version, format, facts, created_at, valid_from, deleted_at,
        octet_length(document) as bytes
      from revision
      where organization_id = ${organizationId}
        and kind = ${kind}
        and valid_from <= ${instant}::timestamptz
      order by external_id, version desc
    )
    select json_build_object('externalId', external_id, 'version', version) as key, format, bytes
    from held
    where ${sql.join([sql`coalesce(deleted_at > ${instant}::timestamptz, true)`, ...filters], sql` and `)}
    order by ${order}, external_id
    ${selectPage(page, elementsMax)}
  `.execute(db)
  return rows
}

/** Loads the texts of versions in the given order. */
export async function loadVersions(
  db: Database,
  organizationId: string,
  kind: DocumentKind,
  keys: readonly VersionKey[],
): Promise<{ id: string; document: string; mediaType: string }[]> {
  const { rows } = await sql<{ id: string; document: string; mediaType: string }>`
    select requested.external_id as id, revision.document, revision.media_type as "mediaType"
    from unnest(
      ${keys.map((key) => key.externalId)}::text[],
      ${keys.map((key) => key.version)}::integer[]
    ) with ordinality as requested (external_id, version, ordinal)
    join revision on revision.organization_id = ${organizationId}
      and revision.kind = ${kind}
      and revision.external_id = requested.external_id
      and revision.version = requested.version
    order by requested.ordinal
  `.execute(db)
  return rows
}

function getRevisions(db: Database, name: DocumentName) {
  return db
    .selectFrom('revision')
    .select(['version', 'document', 'media_type as mediaType', 'format', 'digest'])
    .select(['valid_from as validFrom', sql<string | null>`facts->>'ownerId'`.as('ownerId')])
    .where('organization_id', '=', name.organizationId)
    .where('kind', '=', name.kind)
    .where('external_id', '=', name.externalId)
}
