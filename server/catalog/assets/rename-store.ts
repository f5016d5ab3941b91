import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import type { Publication } from './change.ts'
import { CONTAINERS, selectStaged } from './publish-store.ts'

// Identifies the asset of a staged row: by its path, or by the platform's id if it was renamed.

/** Allows assets to exchange their paths: uniqueness is checked when the transaction commits. */
export async function deferPaths(db: Database): Promise<void> {
  await sql`set constraints asset_path deferred`.execute(db)
}

// The store cannot parse JSON escapes of NUL or half a surrogate pair; such documents are so rare
// that their columns are not compared.
const UNREADABLE = String.raw`\\u(?:0000|d[89a-f])`

/**
 * Identifies renamed assets: a new path with the platform's id of an asset whose path is gone. It
 * stays the same asset, unless it has no column in common: then the platform has reused the id.
 */
export async function resolveRenamed(db: Database, publication: Publication): Promise<void> {
  await sql`
    with candidate as materialized (
      select staged.path, asset.external_id, staged.kind, staged.document,
        asset.document as document_before
      from staged_asset as staged
      join asset on asset.organization_id = staged.organization_id
        and asset.integration_id = ${publication.integrationId}
        and asset.source_id = staged.source_id
        and asset.kind = staged.kind
        and asset.deleted_at is null
      where ${selectStaged(publication)}
        and staged.document is not null
        and not exists (
          select from asset as same
          where same.organization_id = staged.organization_id
            and same.integration_id = ${publication.integrationId}
            and same.path = staged.path
        )
        and not exists (
          select from staged_asset as still
          where ${selectStaged(publication, 'still')}
            and still.path = asset.path
        )
    ),
    renamed as (
      select distinct on (external_id) path, external_id
      from candidate
      where case
        when kind = any(${CONTAINERS}) then true
        when document ~ ${UNREADABLE} or document_before ~ ${UNREADABLE} then true
        -- Without any column before or after there is nothing to compare.
        when document::json->'columns'->0 is null or document_before::json->'columns'->0 is null
          then true
        else exists (
          select given->>'name'
          from json_array_elements(document::json->'columns') as given
          intersect
          select given->>'name'
          from json_array_elements(document_before::json->'columns') as given
        )
      end
      order by external_id, path
    )
    update staged_asset as staged
    set asset_id = renamed.external_id
    from renamed
    where ${selectStaged(publication)}
      and staged.path = renamed.path
  `.execute(db)
}

/**
 * Gives new assets another id if theirs is taken: by an asset that was renamed from their path, or
 * by one that was PUT.
 */
export async function resolveTakenIds(db: Database, publication: Publication): Promise<void> {
  await sql`
    update staged_asset as staged
    set asset_id = ${publication.source} || '-' || substr(
      -- The digits of hexadecimal that base32 does not have become letters.
      translate(
        encode(sha256(convert_to(staged.path || coalesce(staged.source_id, '') || taken.version, 'UTF8')), 'hex'),
        '0189', 'wxyz'
      ),
      1, 26
    )
    from asset as taken
    where ${selectStaged(publication)}
      and staged.document is not null
      and staged.asset_id is null
      and taken.organization_id = staged.organization_id
      and taken.external_id = staged.id
      and (
        taken.integration_id is distinct from ${publication.integrationId}::uuid
        or taken.path <> staged.path
      )
  `.execute(db)
}

/**
 * Updates the platform's id of assets that are otherwise unchanged: those of another server with
 * the same tables, or those stored without the server's id. This is not a change of an asset.
 */
export async function refreshSourceIds(db: Database, publication: Publication): Promise<void> {
  await sql`
    update asset
    set source_id = staged.source_id
    from staged_asset as staged
    where ${selectStaged(publication)}
      and staged.document is null
      and staged.digest <> ''
      and asset.organization_id = ${publication.organizationId}
      and asset.integration_id = ${publication.integrationId}
      and asset.path = staged.path
      and asset.source_id is distinct from staged.source_id
  `.execute(db)
}
