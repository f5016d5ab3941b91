/** Reads the search index, and changes what it indexes, for tests of the index. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { upsertAnnotation } from '../../server/catalog/assets/annotation-store.ts'
import { storeClock } from '../../server/platform/kit/clock.ts'
import { ingestedEntry } from '../../server/documents/search/asset-entry.ts'
import type { SearchResult } from '../../server/documents/search/search.ts'
import { search } from '../../server/documents/search/service.ts'
import type { Database } from '../../server/platform/tables.ts'
import type { IngestionWorld } from '../ingestion.ts'

/** An entry of the index. */
export interface IndexedRow {
  kind: string
  external_id: string
  updated_at: unknown
}

/** Searches an organization. */
export async function find(
  db: Database,
  organizationId: string,
  text: string,
): Promise<SearchResult[]> {
  const request = {
    organizationId,
    text,
    filters: {},
    custom: [],
    customFields: [],
    countedTags: [],
    sort: 'relevance' as const,
    page: 0,
    limit: 100,
    withFacets: false,
  }
  return (await search({ db, clock: storeClock, baseUrl: 'http://portbook.test' }, request)).answer
    .results
}

/** Returns the names of the results of a search. */
export async function findNames(
  db: Database,
  { organizationId }: { organizationId: string },
  text: string,
): Promise<string[]> {
  return (await find(db, organizationId, text)).map(({ name }) => name)
}

/** Reads the entries of an organization. */
export async function readIndex(db: Database, organizationId: string): Promise<IndexedRow[]> {
  const { rows } = await sql<IndexedRow>`
    select kind, external_id, name, name_key, id_key, standing, owner_team_id, integration_id, status,
      domain, tags, source, type, description, columns, ports, synonyms, classifications, custom,
      output_ports::text, tested_servers::text, words::text, updated_at
    from search_document
    where organization_id = ${organizationId}
    order by kind, external_id
  `.execute(db)
  return rows
}

/** Adds a description and tags of a person to an ingested asset. */
export async function annotate(
  db: Database,
  { organizationId, integrationId, assets }: IngestionWorld,
  path: string,
  added: { description: string | null; tags: string[] | null },
): Promise<void> {
  const asset = (await assets()).get(path) ?? assert.fail(path)
  const { rows } = await sql<{ document: string; integration: string }>`
    select asset.document, integration.external_id as integration
    from asset
    join integration on integration.id = ${integrationId}
    where asset.organization_id = ${organizationId}
      and asset.external_id = ${asset.id}
  `.execute(db)
  const { document = '', integration = '' } = rows[0] ?? {}
  const entry = ingestedEntry(asset.id, document, added)
  const row = { ...added, externalId: asset.id, ownerTeamId: null, entry, integration }
  const metadata = { organizationId, principal: 'test', requestId: randomUUID() }
  assert.ok(await upsertAnnotation(db, storeClock, metadata, row, asset.version))
}
