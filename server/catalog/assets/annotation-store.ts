import { sql } from 'kysely'
import { appendWrite, selectTeam } from '../../ledger/activity/record.ts'
import { newEvents } from '../../ledger/events/event.ts'
import { appendEvents } from '../../ledger/events/record.ts'
import { nextUpdatedAt, appendRevisions } from '../../ledger/history/record.ts'
import type { ChangeMetadata } from '../../ledger/history/revision.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { additionLexemes, type SearchEntry } from '../../documents/search/entry.ts'
import { recordEntry, recordWords } from '../../documents/search/record.ts'
import type { Database } from '../../platform/tables.ts'
import { selectRevisionFacts } from './publish-store.ts'

/** An annotation, with the internal id of the team. */
export interface AnnotationRow {
  externalId: string
  description: string | null
  ownerTeamId: string | null
  tags: readonly string[] | null
  /** The search entry of the annotated asset. */
  entry: SearchEntry
  /** The external id of its integration. */
  integration: string
}

/** Finds the owner of an asset without an owner in its annotation: external id of the team. */
export async function findFallbackOwner(
  db: Database,
  organizationId: string,
  externalId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ owner: string }>`
    select team.external_id as owner
    from asset
    join integration on integration.organization_id = asset.organization_id
      and integration.id = asset.integration_id
    join team on team.organization_id = integration.organization_id
      and team.id = integration.owner_team_id
    where asset.organization_id = ${organizationId}
      and asset.external_id = ${externalId}
  `.execute(db)
  return rows[0]?.owner
}

/**
 * Replaces the annotation of a version of a live ingested asset, and its search entry, in one
 * statement. The asset gets a version with the same document, so that the change is emitted as an
 * event and recorded in its history. Returns false if that version is no longer the current one:
 * nothing was written then.
 */
export async function upsertAnnotation(
  db: Database,
  clock: Clock,
  metadata: ChangeMetadata,
  row: AnnotationRow,
  version: number,
): Promise<boolean> {
  const { organizationId, principal } = metadata
  const revision = { ...metadata, kind: 'asset' as const, mediaType: 'application/json' }
  const target = { result: 'written', timeColumn: 'updated_at' } as const
  const team = selectTeam(organizationId, row.ownerTeamId)
  const entry = { kind: 'asset', name: row.entry.name, level: 'none', team } as const
  const { rows } = await sql`
    with written as (
      update asset
      set version = version + 1, updated_by = ${principal},
        updated_at = ${nextUpdatedAt(clock.now)}
      where organization_id = ${organizationId}
        and external_id = ${row.externalId}
        and version = ${version}
        and integration_id is not null
        and deleted_at is null
      returning external_id, version, document, digest, created_at, updated_at,
        ${selectRevisionFacts('asset')} as facts
    ),
    annotated as (
      insert into asset_annotation (
        organization_id, asset_id, description, owner_team_id, tags, lexemes, version, updated_at,
        updated_by
      )
      select
        ${organizationId}::uuid, external_id, ${row.description}, ${row.ownerTeamId}::uuid,
        ${row.tags}::text[], ${additionLexemes(row)}::text[], 1, updated_at, ${principal}
      from written
      on conflict (organization_id, asset_id) do update
      set description = excluded.description, owner_team_id = excluded.owner_team_id,
        tags = excluded.tags, lexemes = excluded.lexemes, version = asset_annotation.version + 1,
        updated_at = excluded.updated_at, updated_by = excluded.updated_by
    ),
    revised as (${appendRevisions({ ...revision, format: 'ingested' })}
    ),
    announced as (
      ${appendEvents({ ...metadata, kind: 'asset' }, newEvents([{ name: 'AssetUpdatedEvent' }]), target)}
    ),
    recorded as (${appendWrite(metadata, entry)}
    ),
    indexed as (${recordEntry(organizationId, row.entry, { teamId: row.ownerTeamId, integration: row.integration })}
    ),
    vocabulary as (${recordWords(organizationId, row.entry)}
    )
    select version from written
  `.execute(db)
  return rows.length > 0
}
