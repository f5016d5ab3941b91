/** Creates assets as a run stores them, for tests of later operations. */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { toComparisonKey } from '../formats/text/words.ts'
import { appendEventOfEach } from '../server/ledger/events/record.ts'
import { appendDeletion, appendRevisions } from '../server/ledger/history/record.ts'
import { toSeenAsset } from '../server/ingestion/runs/asset-document.ts'
import { indexEntries } from '../server/documents/search/index-service.ts'
import { recordRemoval } from '../server/documents/search/record.ts'
import type { SourceAsset } from '../server/connectors/connector.ts'
import { uniqueId, type World } from './world.ts'

/** An integration with one run that exists only in the database. */
export interface TestIntegration {
  id: string
  externalId: string
  runId: string
}

/** Adds an integration; `owner` is the external id of its team. */
export async function addIntegration(
  world: World,
  { owner, source = 'postgres' }: { owner?: string; source?: string } = {},
): Promise<TestIntegration> {
  const { organizationId, services } = world
  const [id, runId, externalId] = [randomUUID(), randomUUID(), `integration-${uniqueId()}`]
  await sql`
    insert into integration (
      organization_id, id, external_id, name, source, owner_team_id, configuration,
      schedule_time_zone, enabled, version, created_at, updated_at, updated_by
    )
    values (
      ${organizationId}::uuid, ${id}::uuid, ${externalId}, ${externalId}, ${source},
      (select id from team where organization_id = ${organizationId} and external_id = ${owner ?? null}),
      '{}'::jsonb, 'UTC', false, 1, now(), now(), 'system'
    )
  `.execute(services.db)
  await sql`
    insert into ingestion_run (
      organization_id, id, integration_id, kind, status, phase, principal, forced, started_at,
      completed_at, progressed_at
    )
    values (
      ${organizationId}::uuid, ${runId}::uuid, ${id}::uuid, 'ingest', 'SUCCESS', 'publishing',
      'system', false, now(), now(), now()
    )
  `.execute(services.db)
  return { id, externalId, runId }
}

/** Returns a table with a few columns, as a connector returns it. */
export function sourceTable(path: readonly string[], more: Partial<SourceAsset> = {}): SourceAsset {
  return {
    kind: 'table',
    path,
    scope: path.slice(0, -1),
    columns: [
      { name: 'id', type: 'integer', required: true },
      { name: 'note', type: 'text' },
    ],
    primaryKey: ['id'],
    ...more,
  }
}

/** Inserts assets with their revisions and events, like a publication. Returns their ids. */
export async function ingest(
  world: World,
  integration: TestIntegration,
  assets: readonly SourceAsset[],
  source = 'postgres',
): Promise<string[]> {
  const { organizationId, services } = world
  const seen = assets.map((asset) => toSeenAsset(asset, { integrationId: integration.id, source }))
  const documents = seen.map(({ id, parentId, document }) => {
    const relationships = [{ relationshipType: 'parent', assetId: parentId }]
    const known = parentId === null ? { id } : { id, relationships }
    return `${JSON.stringify(known).slice(0, -1)},${document.slice(1)}`
  })
  const origin = { organizationId, kind: 'asset' as const, principal: 'system' }
  const reported = { result: 'reported', timeColumn: 'updated_at' } as const
  await sql`
    with written as (
      insert into asset (
        organization_id, external_id, integration_id, path, scope, kind, source_id, document,
        media_type, version, digest, name, type, source, parent_id, run_id, created_at,
        updated_at, updated_by
      )
      select
        ${organizationId}::uuid, id, ${integration.id}::uuid, path, scope, kind, source_id, document,
        'application/json', 1, digest, name, type, ${source}, parent_id,
        ${integration.runId}::uuid, now(), now(), 'system'
      from unnest(
        ${seen.map(({ id }) => id)}::text[], ${seen.map(({ path }) => path)}::text[],
        ${seen.map(({ scope }) => scope)}::text[], ${seen.map(({ kind }) => kind)}::text[],
        ${seen.map(({ sourceId }) => sourceId)}::text[], ${documents}::text[],
        ${seen.map(({ digest }) => digest)}::text[], ${seen.map(({ name }) => name)}::text[],
        ${seen.map(({ type }) => type)}::text[], ${seen.map(({ parentId }) => parentId)}::text[]
      ) as given (
        id, path, scope, kind, source_id, document, digest, name, type, parent_id
      )
      returning external_id, version, document, digest, created_at, updated_at,
        jsonb_build_object('name', name) as facts
    ),
    revised as (${appendRevisions({ ...origin, mediaType: 'application/json', format: 'ingested', requestId: integration.runId })}
    ),
    reported as (select *, 'AssetCreatedEvent' as event_name from written)
    ${appendEventOfEach(origin, reported)}
  `.execute(services.db)
  const updatedAt = new Date().toISOString()
  const rows = seen.map(({ id, entry }) => ({
    organizationId,
    entry: { ...entry(), id, idKey: toComparisonKey(id) },
    ownerTeamId: null,
    integrationId: integration.id,
    updatedAt,
  }))
  await indexEntries(services.db, rows)
  await measure(world, seen)
  return seen.map(({ id }) => id)
}

async function measure(
  world: World,
  seen: readonly ReturnType<typeof toSeenAsset>[],
): Promise<void> {
  const measured = seen.filter(({ rowCount }) => rowCount !== null)
  await sql`
    insert into asset_statistic (
      organization_id, asset_id, row_count, size_bytes, changed_at, measured_at
    )
    select ${world.organizationId}::uuid, id, row_count, size_bytes, changed_at, now()
    from unnest(
      ${measured.map(({ id }) => id)}::text[], ${measured.map(({ rowCount }) => rowCount)}::bigint[],
      ${measured.map(({ sizeBytes }) => sizeBytes)}::bigint[],
      ${measured.map(({ changedAt }) => changedAt)}::timestamptz[]
    ) as given (id, row_count, size_bytes, changed_at)
  `.execute(world.services.db)
}

/** Marks an asset as removed from its source, a number of days ago. */
export async function markGone(world: World, id: string, daysAgo = 0): Promise<void> {
  const { organizationId, services } = world
  const origin = { organizationId, kind: 'asset', principal: 'system' }
  const removed = { result: 'removed', timeColumn: 'removed_at' } as const
  await sql`
    with removed as (
      update asset
      set deleted_at = clock_timestamp() - make_interval(days => ${daysAgo})
      where organization_id = ${organizationId}
        and external_id = ${id}
      returning external_id, version, clock_timestamp() as removed_at,
        'AssetDeletedEvent' as event_name
    ),
    marked as (${appendDeletion(organizationId, 'asset', 'system')}
    ),
    unindexed as (${recordRemoval(organizationId, 'asset')}
    )
    ${appendEventOfEach(origin, removed)}
  `.execute(services.db)
}
