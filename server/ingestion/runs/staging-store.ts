import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import type { SeenAsset } from './asset-document.ts'
import type { SearchEntry } from '../../documents/search/entry.ts'
import { matchesClaim } from './claim-store.ts'
import type { Claim } from './claim.ts'
import type { LedgerEntry } from './ledger.ts'

// ASCII's unit separator.
const SEPARATOR = '\u001f'
// Neither tags nor the paths of columns contain one.
const LINE = '\n'

/** Matches the rows that a claim has staged; `name` is the name of the table in the statement. */
function matchesStaged(
  { organizationId, runId, fence }: Claim,
  name = 'staged_asset',
): RawBuilder<unknown> {
  return sql`${sql.ref(`${name}.organization_id`)} = ${organizationId}
      and ${sql.ref(`${name}.run_id`)} = ${runId}
      and ${sql.ref(`${name}.fence`)} = ${fence}`
}

/** The stored asset of a native path. */
interface ExistingAsset {
  path: string
  id: string
  /** The digest of the stored asset; null = it is deleted. */
  digest: string | null
}

/** Lists the stored assets of paths. */
export async function listExistingAssets(
  db: Database,
  { organizationId, integrationId }: Claim,
  paths: readonly string[],
): Promise<ExistingAsset[]> {
  const { rows } = await sql<ExistingAsset>`
    select asset.path, asset.external_id as id,
      case when asset.deleted_at is null then asset.digest end as digest
    from unnest(${paths}::text[]) as seen (path)
    join asset on asset.organization_id = ${organizationId}
      and asset.integration_id = ${integrationId}
      and asset.path = seen.path
  `.execute(db)
  return rows
}

/** An asset to stage. */
export interface StagedAsset extends Omit<SeenAsset, 'document' | 'entry'> {
  /** Null = the stored asset is identical. */
  document: string | null
  /** Its entry in the search index; absent if the document is null. */
  entry?: SearchEntry | undefined
  /** The id of the asset, if it differs from the id of its path. */
  assetId: string | null
}

/**
 * Stages the assets that a run has seen, unless another worker claimed the run. Rows staged earlier
 * for the same path stay: a source may list an object twice. Returns the number of new rows.
 */
export async function insertStaged(
  db: Database,
  claim: Claim,
  assets: readonly StagedAsset[],
): Promise<number> {
  const column = (of: (asset: StagedAsset) => unknown): RawBuilder<unknown> =>
    sql`${assets.map(of)}`
  // One long text is sent and parsed many times faster than a list with escaped quotes; JSON and
  // our ids contain no control characters.
  const joined = (of: (asset: StagedAsset) => string): RawBuilder<unknown> => {
    const texts = assets.map(of)
    // An empty text has no parts, not an empty one.
    if (texts.length === 1) return sql`${texts}::text[]`
    return sql`string_to_array(${texts.join(SEPARATOR)}, ${SEPARATOR})`
  }
  const { numAffectedRows } = await sql`
    insert into staged_asset (
      organization_id, run_id, fence, id, parent_id, path, scope, kind, source_id, digest,
      document, name, type, row_count, size_bytes, changed_at, changed_means, change_count, asset_id, name_key, lexemes,
      description, tags, columns, source_version
    )
    select ${claim.organizationId}::uuid, ${claim.runId}::uuid, ${claim.fence}::bigint, seen.id,
      nullif(seen.parent_id, ''), seen.path, seen.scope, seen.kind, seen.source_id, seen.digest,
      nullif(seen.document, ''), seen.name, seen.type,
      seen.row_count, seen.size_bytes, seen.changed_at, seen.changed_means, seen.change_count,
      nullif(seen.asset_id, ''),
      seen.name_key, string_to_array(seen.lexemes, ' '), seen.description,
      string_to_array(seen.tags, ${LINE}), seen.columns, seen.source_version
    from unnest(
      ${joined(({ id }) => id)},
      ${joined(({ parentId }) => parentId ?? '')},
      ${joined(({ path }) => path)},
      ${joined(({ scope }) => scope)},
      ${joined(({ kind }) => kind)},
      ${column(({ sourceId }) => sourceId)}::text[],
      ${joined(({ digest }) => digest)},
      ${joined(({ document }) => document ?? '')},
      ${column(({ name }) => name)}::text[],
      ${joined(({ type }) => type)},
      ${column(({ rowCount }) => rowCount)}::bigint[],
      ${column(({ sizeBytes }) => sizeBytes)}::bigint[],
      ${column(({ changedAt }) => changedAt)}::timestamptz[],
      ${column(({ changedMeans }) => changedMeans)}::text[],
      ${column(({ changeCount }) => changeCount)}::bigint[],
      ${joined(({ assetId }) => assetId ?? '')},
      ${joined(({ entry }) => entry?.nameKey ?? '')},
      ${joined(({ entry }) => entry?.lexemes.join(' ') ?? '')},
      ${column(({ entry }) => entry?.description ?? null)}::text[],
      ${column(({ entry }) => entry?.tags.join(LINE) || null)}::text[],
      ${column(({ entry }) => entry?.columns.join(LINE) ?? null)}::text[],
      ${column(({ sourceVersion }) => sourceVersion)}::text[]
    ) as seen (
      id, parent_id, path, scope, kind, source_id, digest, document, name, type, row_count,
      size_bytes, changed_at, changed_means, change_count, asset_id, name_key, lexemes, description, tags, columns,
      source_version
    )
    where exists (select from ingestion_run where ${matchesClaim(claim)})
    on conflict do nothing
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/**
 * Withholds updates of live assets in scopes, unless their paths are in `whole`: they count as seen
 * and stay unchanged. New ones are created.
 */
export async function withholdUpdates(
  db: Database,
  claim: Claim,
  scopes: readonly string[],
  whole: readonly string[],
): Promise<void> {
  await sql`
    update staged_asset as staged
    set document = null, digest = ''
    from asset
    where ${matchesStaged(claim, 'staged')}
      and staged.scope = any(${scopes}::text[])
      and not staged.path = any(${whole}::text[])
      and asset.organization_id = staged.organization_id
      and asset.integration_id = ${claim.integrationId}
      and asset.path = staged.path
      and asset.deleted_at is null
  `.execute(db)
}

/** Counts the rows that a claim has staged. */
export async function countStaged(db: Database, claim: Claim): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from staged_asset
    where ${matchesStaged(claim)}
  `.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Deletes the staged rows of scopes before they are read again. Returns the number of deleted rows.
 */
export async function deleteStagedScopes(
  db: Database,
  claim: Claim,
  scopes: readonly string[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from staged_asset
    where ${matchesStaged(claim)}
      and scope = any(${scopes}::text[])
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/**
 * Analyzes the staged rows, so that the planner estimates their number. Must run outside of a
 * transaction, which would hold its lock until the end.
 */
export async function analyzeStaged(db: Database): Promise<void> {
  await sql`
    analyze staged_asset (
      organization_id, run_id, fence, id, parent_id, path, scope, kind, source_id, digest, asset_id
    )
  `.execute(db)
}

/** Deletes all staged rows of a run up to this attempt. */
export async function deleteStaged(db: Database, claim: Claim): Promise<void> {
  await sql`
    delete from staged_asset
    where organization_id = ${claim.organizationId}
      and run_id = ${claim.runId}
      and fence <= ${claim.fence}
  `.execute(db)
}

/** Deletes staged rows of expired claims, whose workers died. */
export async function deleteAbandoned(db: Database): Promise<void> {
  await sql`
    delete from staged_asset as staged
    where not exists (
      select from ingestion_run as run
      where run.organization_id = staged.organization_id
        and run.id = staged.run_id
        and run.fence = staged.fence
        and run.status = 'RUNNING'
    )
  `.execute(db)
}

/** Writes the state of scopes to the ledger of a run, unless another worker claimed the run. */
export async function upsertScopes(
  db: Database,
  claim: Claim,
  entries: readonly LedgerEntry[],
): Promise<void> {
  await sql`
    insert into ingestion_scope (organization_id, run_id, scope, kind, state, object_count, message)
    select ${claim.organizationId}::uuid, ${claim.runId}::uuid, entry.scope, entry.kind, entry.state,
      entry.object_count, entry.message
    from unnest(
      ${entries.map(({ scope }) => scope)}::text[],
      ${entries.map(({ kind }) => kind)}::text[],
      ${entries.map(({ state }) => state)}::text[],
      ${entries.map(({ objects }) => objects)}::integer[],
      ${entries.map(({ message }) => message)}::text[]
    ) as entry (scope, kind, state, object_count, message)
    where exists (select from ingestion_run where ${matchesClaim(claim)})
    on conflict (organization_id, run_id, scope) do update
    set state = excluded.state, object_count = excluded.object_count, message = excluded.message
  `.execute(db)
}

/** Clears the ledger of a run, which may contain entries of an earlier attempt. */
export async function deleteScopes(db: Database, claim: Claim): Promise<void> {
  await sql`
    delete from ingestion_scope
    where organization_id = ${claim.organizationId}
      and run_id = ${claim.runId}
      and exists (select from ingestion_run where ${matchesClaim(claim)})
  `.execute(db)
}
