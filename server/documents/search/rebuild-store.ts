import { getRows } from '../../platform/kinds.ts'
import { sql, type RawBuilder } from 'kysely'
import type { DocumentKind } from '../../ledger/history/revision.ts'
import type { Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'

/** A document as the index is built from it. */
export interface SourceDocument {
  organizationId: string
  id: string
  document: string
  mediaType: string
  /** Internal ids. */
  ownerTeamId: string | null
  integrationId: string | null
  /** The description that people added to an asset. */
  description: string | null
  tags: string[] | null
  updatedAt: Instant
}

/** The progress of a rebuild: the last document and its kind. */
export interface BuildState {
  rules: number
  /** Null = the index is complete. */
  kind: DocumentKind | null
  organizationId: string | null
  externalId: string | null
}

const ROWS_MAX = 200
const BYTES_MAX = 4 * 1024 * 1024

/** Returns the progress of building the index; undefined if it was never started. */
export async function findBuild(db: Database): Promise<BuildState | undefined> {
  const { rows } = await sql<BuildState>`
    select rules, kind, organization_id as "organizationId", external_id as "externalId"
    from search_build
  `.execute(db)
  return rows[0]
}

/** Starts building the index by a version of the rules, unless another process has. */
export async function beginBuild(db: Database, rules: number, kind: DocumentKind): Promise<void> {
  await sql`
    insert into search_build (rules, kind)
    values (${rules}, ${kind})
    on conflict (only_row) do update
    set rules = excluded.rules, kind = excluded.kind, organization_id = null, external_id = null
    where search_build.rules <> excluded.rules
  `.execute(db)
}

/** Serializes builders until the end of the transaction, and returns the progress. */
export async function lockBuild(db: Database): Promise<BuildState | undefined> {
  const { rows } = await sql<BuildState>`
    select rules, kind, organization_id as "organizationId", external_id as "externalId"
    from search_build
    for update
  `.execute(db)
  return rows[0]
}

/** Notes how far the building has come. */
export async function updateBuild(db: Database, state: BuildState): Promise<void> {
  await sql`
    update search_build
    set kind = ${state.kind}, organization_id = ${state.organizationId}::uuid,
      external_id = ${state.externalId}
  `.execute(db)
}

// The columns of an asset that are not derived from its document. One that was PUT names its owner by external id.
const ASSET_COLUMNS = sql`stored.media_type as "mediaType",
      coalesce(
        (
          select id
          from team
          where team.organization_id = stored.organization_id
            and team.external_id = stored.owner
        ),
        annotation.owner_team_id
      ) as "ownerTeamId",
      stored.integration_id as "integrationId", annotation.description, annotation.tags`

function selectOtherColumns(kind: DocumentKind): RawBuilder<unknown> {
  if (kind === 'asset') return ASSET_COLUMNS
  if (kind === 'team') return sql`'application/json' as "mediaType", null::uuid as "ownerTeamId"`
  return sql`stored.media_type as "mediaType", stored.owner_team_id as "ownerTeamId"`
}

// `offset 0` makes PostgreSQL look up each entry by key instead of comparing every pair of rows.
function isUnindexed(kind: DocumentKind): RawBuilder<unknown> {
  return sql`not exists (
          select from search_document
          where search_document.organization_id = stored.organization_id
            and search_document.kind = ${kind}
            and search_document.external_id = stored.external_id
            and search_document.updated_at >= stored.updated_at
          offset 0
        )`
}

// One condition, which the key answers: with a choice of conditions, each page would read all pages before it.
function isAfter({
  organizationId,
  externalId,
}: Pick<BuildState, 'organizationId' | 'externalId'>): RawBuilder<unknown> {
  return organizationId === null
    ? sql`true`
    : sql`(organization_id, external_id) > (${organizationId}::uuid, ${externalId})`
}

/**
 * Lists the next documents of a kind in the order of organization and id, fewer if they are large, and locks
 * them until the end of the transaction. With `unindexed`, only those without a current entry.
 */
export async function lockDocuments(
  db: Database,
  kind: DocumentKind,
  after: Pick<BuildState, 'organizationId' | 'externalId'>,
  which: 'all' | 'unindexed' = 'all',
): Promise<SourceDocument[]> {
  const table = sql.raw(getRows(kind))
  const isLive = kind === 'asset' ? sql`stored.deleted_at is null` : sql`true`
  const isWanted = which === 'all' ? sql`true` : isUnindexed(kind)
  const { rows } = await sql<SourceDocument>`
    with page as (
      select organization_id, external_id, bytes
      from (
        select *, octet_length(document) as bytes
        from ${table} as stored
        where ${isWanted}
          and ${isAfter(after)}
        order by organization_id, external_id
        -- They are read by their key: an index of live assets has another order, so each page would sort all of them.
        offset 0
      ) as stored
      where ${isLive}
      limit ${ROWS_MAX}
    ),
    sized as (
      select organization_id, external_id, row_number() over place as ordinal,
        sum(bytes) over place as bytes
      from page
      window place as (order by organization_id, external_id)
    )
    select stored.organization_id as "organizationId", stored.external_id as id, stored.document,
      stored.updated_at as "updatedAt", ${selectOtherColumns(kind)}
    from sized
    cross join lateral (
      select *
      from ${table} as locked
      where locked.organization_id = sized.organization_id
        and locked.external_id = sized.external_id
      -- Each is looked up by its key, and by nothing else: after an import the store has no statistics yet.
      limit 1
      for no key update
    ) as stored
    ${kind === 'asset' ? ANNOTATED : sql``}
    where (sized.bytes <= ${BYTES_MAX} or sized.ordinal = 1)
      and ${isLive}
    order by sized.ordinal
  `.execute(db)
  return rows
}

const ANNOTATED = sql`left join asset_annotation as annotation
      on annotation.organization_id = stored.organization_id
      and annotation.asset_id = stored.external_id`

/** Loads live assets by their ids. */
export async function loadAssets(
  db: Database,
  organizationId: string,
  externalIds: readonly string[],
): Promise<SourceDocument[]> {
  const { rows } = await sql<SourceDocument>`
    select stored.organization_id as "organizationId", stored.external_id as id, stored.document,
      stored.updated_at as "updatedAt", ${ASSET_COLUMNS}
    from unnest(${externalIds}::text[]) as requested (external_id)
    cross join lateral (
      select *
      from asset
      where asset.organization_id = ${organizationId}
        and asset.external_id = requested.external_id
      limit 1
    ) as stored
    ${ANNOTATED}
    where stored.deleted_at is null
  `.execute(db)
  return rows
}

/** Stores the terms of additions to assets, given as a space-separated text. */
export async function updateAdditions(
  db: Database,
  additions: readonly { organizationId: string; id: string; lexemes: string }[],
): Promise<void> {
  await sql`
    update asset_annotation as annotation
    set lexemes = string_to_array(given.lexemes, ' ')
    from unnest(
      ${additions.map(({ organizationId }) => organizationId)}::uuid[],
      ${additions.map(({ id }) => id)}::text[],
      ${additions.map(({ lexemes }) => lexemes)}::text[]
    ) as given (organization_id, id, lexemes)
    where annotation.organization_id = given.organization_id
      and annotation.asset_id = given.id
  `.execute(db)
}

/** Sets the status of data products whose column has another. */
export async function updateProductStatuses(
  db: Database,
  products: readonly { organizationId: string; entry: { id: string } }[],
  status: string,
): Promise<void> {
  if (products.length === 0) return
  await sql`
    update data_product as product
    set status = ${status}
    from unnest(
      ${products.map(({ organizationId }) => organizationId)}::uuid[],
      ${products.map(({ entry }) => entry.id)}::text[]
    ) as given (organization_id, id)
    where product.organization_id = given.organization_id
      and product.external_id = given.id
      and product.status is distinct from ${status}
  `.execute(db)
}

/** Deletes the entries of documents that were deleted while the index was built. */
export async function deleteStale(db: Database, kind: DocumentKind): Promise<void> {
  const isLive = kind === 'asset' ? sql`stored.deleted_at is null` : sql`true`
  // EXCEPT reads each table once. A join may compare every pair of rows, because the planner's statistics are
  // older than the last run.
  await sql`
    delete from search_document as document
    using (
      select organization_id, external_id
      from search_document
      where kind = ${kind}
      except
      select organization_id, external_id
      from ${sql.raw(getRows(kind))} as stored
      where ${isLive}
    ) as stale
    where document.organization_id = stale.organization_id
      and document.kind = ${kind}
      and document.external_id = stale.external_id
  `.execute(db)
}
