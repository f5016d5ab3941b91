import { sql, type RawBuilder } from 'kysely'
import { appendActivity, selectTeam, type NewEntry } from '../../ledger/activity/record.ts'
import type { DocumentRow } from '../../documents/document.ts'
import { newDocumentEvent } from '../../ledger/events/event.ts'
import { appendEvents } from '../../ledger/events/record.ts'
import {
  firstVersion,
  nextUpdatedAt,
  appendDeletion,
  appendRevision,
} from '../../ledger/history/record.ts'
import type { ChangeMetadata } from '../../ledger/history/revision.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { recordEntry, recordRemoval, recordWords } from '../../documents/search/record.ts'
import type { Database } from '../../platform/tables.ts'

/** A tag and an asset. */
interface Assignment {
  organizationId: string
  assetId: string
  tagId: string
}

/** The actor and the request of an assignment. */
type AssignmentOrigin = Omit<ChangeMetadata, 'organizationId'>

// The columns of the asset are in scope.
function newAssignmentEntry(clock: Clock, tag: string, action: string): NewEntry {
  return {
    kind: 'asset',
    action,
    at: clock.now,
    subject: sql`external_id`,
    name: sql`name`,
    team: sql`owner`,
    details: { tag },
  }
}

/** Whether the parts of an assignment exist. */
interface KnownParts {
  isTagKnown: boolean
  isAssetKnown: boolean
}

/**
 * Assigns a tag to an asset; nothing changes if it is assigned already. Locks both, so that a concurrent deletion or
 * renaming cannot violate a foreign key. Foreign keys delete the assignment with its asset or its tag.
 */
export async function assignTag(
  db: Database,
  clock: Clock,
  { organizationId, assetId, tagId, ...origin }: Assignment & AssignmentOrigin,
): Promise<KnownParts> {
  const entry = newAssignmentEntry(clock, tagId, 'tag-assigned')
  const { rows } = await sql<KnownParts>`
    with known_tag as materialized (
      select external_id
      from catalog_record
      where organization_id = ${organizationId}
        and kind = 'tag'
        and external_id = ${tagId}
      for key share
    ),
    known_asset as materialized (
      select external_id, name, owner
      from asset
      where organization_id = ${organizationId}
        and external_id = ${assetId}
      for key share
    ),
    assigned as (
      insert into asset_tag (organization_id, asset_id, tag_id, assigned_at, assigned_by)
      select ${organizationId}::uuid, known_asset.external_id, known_tag.external_id, ${clock.now},
        ${origin.principal}
      from known_tag
      cross join known_asset
      on conflict do nothing
      returning asset_id
    ),
    recorded as (
      ${appendActivity({ organizationId, ...origin }, entry, sql`from assigned join known_asset on external_id = asset_id`)}
    )
    select exists (select from known_tag) as "isTagKnown",
      exists (select from known_asset) as "isAssetKnown"
  `.execute(db)
  return rows[0] ?? { isTagKnown: false, isAssetKnown: false }
}

/** Removes a tag from an asset; nothing changes if it is not assigned. Returns whether the tag exists. */
export async function removeTag(
  db: Database,
  clock: Clock,
  { organizationId, assetId, tagId, ...origin }: Assignment & AssignmentOrigin,
): Promise<boolean> {
  const entry = newAssignmentEntry(clock, tagId, 'tag-removed')
  const removedFrom = sql`
      from removed
      join asset on asset.organization_id = ${organizationId}
        and asset.external_id = removed.asset_id`
  const { rows } = await sql<{ isKnown: boolean }>`
    with removed as (
      delete from asset_tag
      where organization_id = ${organizationId}
        and asset_id = ${assetId}
        and tag_id = ${tagId}
      returning asset_id
    ),
    recorded as (${appendActivity({ organizationId, ...origin }, entry, removedFrom)}
    )
    select exists (
      select from catalog_record
      where organization_id = ${organizationId}
        and kind = 'tag'
        and external_id = ${tagId}
    ) as "isKnown"
  `.execute(db)
  return rows[0]?.isKnown ?? false
}

/** An asset that carries a tag. */
export interface TaggedAsset {
  id: string
  name: string
  type: string
}

/** Lists the live assets to which a tag is assigned, sorted by name, and counts them. */
export async function listTaggedAssets(
  db: Database,
  organizationId: string,
  tagId: string,
  countMax: number,
): Promise<{ total: number; assets: TaggedAsset[] }> {
  const { rows } = await sql<TaggedAsset & { total: number }>`
    select asset.external_id as id, asset.name, asset.type, (count(*) over ())::integer as total
    from asset_tag as assigned
    join asset on asset.organization_id = assigned.organization_id
      and asset.external_id = assigned.asset_id
      and asset.deleted_at is null
    where assigned.organization_id = ${organizationId}
      and assigned.tag_kind = 'tag'
      and assigned.tag_id = ${tagId}
    order by asset.name collate "C", asset.external_id
    limit ${countMax}
  `.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    assets: rows.map(({ id, name, type }) => ({ id, name, type })),
  }
}

/** A version of a tag that gets another id. */
interface TagRename {
  metadata: ChangeMetadata
  from: string
  version: number
  /** The row under the new id. */
  row: DocumentRow
}

/**
 * Renames a version of a tag with its document, history, events and search entry, in one statement; assignments follow
 * by their foreign key. In the feed and in the history, the old id ends and the new one begins. Returns false if the
 * version is no longer current. A tag with the new id violates a constraint.
 */
export async function renameTag(
  db: Database,
  clock: Clock,
  { metadata, from, version, row }: TagRename,
): Promise<boolean> {
  const { organizationId, principal } = metadata
  const origin = { ...metadata, kind: 'tag' as const }
  const entry = {
    kind: 'tag',
    name: row.entry.name,
    at: sql`updated_at`,
    team: selectTeam(organizationId, row.ownerTeamId),
    details: { before: { id: from }, after: { id: row.externalId } },
  } as const
  const settings = Object.entries(row.columns).map(
    ([name, value]) => sql`${sql.ref(name)} = ${toColumn(value)}, `,
  )
  const { rows } = await sql`
    with written as (
      update catalog_record
      set external_id = ${row.externalId}, document = ${row.document}, digest = ${row.digest},
        version = ${firstVersion(organizationId, 'tag', row.externalId)},
        ${sql.join(settings, sql``)}
        updated_at = ${nextUpdatedAt(clock.now)}, updated_by = ${principal}
      where organization_id = ${organizationId}
        and kind = 'tag'
        and external_id = ${from}
        and version = ${version}
      returning external_id, version, document, digest, created_at, updated_at
    ),
    removed as (
      select ${from}::text as external_id, ${version}::integer as version, updated_at as removed_at
      from written
    ),
    revised as (${appendRevision({ ...metadata, ...row, mediaType: row.mediaType, kind: 'tag' })}
    ),
    marked as (${appendDeletion(organizationId, 'tag', principal)}
    ),
    ended as (
      ${appendEvents(origin, newDocumentEvent('tag', 'Deleted'), { result: 'removed', timeColumn: 'removed_at' })}
    ),
    begun as (
      ${appendEvents(origin, newDocumentEvent('tag', 'Created'), { result: 'written', timeColumn: 'updated_at' })}
    ),
    recorded_end as (${appendActivity(metadata, { ...entry, subject: from, action: 'renamed', versionBefore: sql`${version}` }, sql`from written`)}
    ),
    recorded as (${appendActivity(metadata, { ...entry, subject: row.externalId, action: 'created', versionAfter: sql`version` }, sql`from written`)}
    ),
    unindexed as (${recordRemoval(organizationId, 'tag')}
    ),
    indexed as (${recordEntry(organizationId, row.entry, { teamId: row.ownerTeamId })}
    ),
    vocabulary as (${recordWords(organizationId, row.entry)}
    )
    select version from written
  `.execute(db)
  return rows.length > 0
}

// An empty list has no type of its own, so each value is cast.
function toColumn(value: DocumentRow['columns'][string]): RawBuilder<unknown> {
  if (value === null || typeof value === 'string') return sql`${value}::text`
  return 'compile' in value ? value : sql`${value}::text[]`
}
