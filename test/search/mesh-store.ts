/**
 * Writes a mesh into a database, set by set. The index is built by the product's own code, and a mesh with a
 * million assets is written within a few minutes.
 */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { documentEntry } from '../../server/documents/search/asset-entry.ts'
import { indexEntries } from '../../server/documents/search/index-service.ts'
import { ensureIndex } from '../../server/documents/search/rebuild-service.ts'
import type { ResourceType } from '../../server/documents/search/search.ts'
import type { Database } from '../../server/platform/tables.ts'
import { assetDocument, contractDocument, productDocument } from './mesh-documents.ts'
import { toContractId, type Mesh, type MeshThing } from './mesh.ts'
import { PLATFORMS, TEAMS } from './vocabulary.ts'

const ROWS_AT_ONCE = 1000
const INDEX_MEMORY = '512MB'
const RUN_MS = 60 * 60_000

/** Writes a mesh into an organization and builds the index. */
export async function writeMesh(db: Database, mesh: Mesh): Promise<void> {
  const teamIds = await writeTeams(db, mesh)
  const integrationIds = await writeIntegrations(db, mesh)
  const of = (type: ResourceType): MeshThing[] => mesh.things.filter((one) => one.type === type)
  const contracts = of('DATA_CONTRACT')
  const withContract = new Set(contracts.map(({ id }) => id))
  await withoutIndexes(db, ['search_document', 'asset'], async () => {
    await writeDocuments(db, mesh, 'data_contract', contracts, teamIds, contractDocument)
    await writeDocuments(db, mesh, 'data_product', of('DATA_PRODUCT'), teamIds, (product) =>
      productDocument(product, withContract.has(toContractId(product.id))),
    )
    await settle(db, ['data_product', 'data_contract', 'team', 'integration'])
    await sql`delete from search_build`.execute(db)
    await ensureIndex(db)
    await writeAssets(db, mesh, of('DATA_ASSET'), integrationIds)
  })
  await addReaders(db, mesh)
  await settle(db, ['search_document', 'search_word', 'asset'])
}

// A third of the products and contracts have readers, and they were changed in the last 1,000 days.
async function addReaders(db: Database, { organizationId }: Mesh): Promise<void> {
  await sql`
    update search_document
    set readers = case when digest % 3 = 0 then digest % 50 else 0 end,
      updated_at = updated_at - digest % 1000 * interval '1 day'
    from (
      select external_id as id, abs(hashtext(external_id)) as digest
      from search_document
      where organization_id = ${organizationId}
        and kind in ('data-product', 'data-contract')
    ) as hashed
    where organization_id = ${organizationId}
      and kind in ('data-product', 'data-contract')
      and external_id = id
  `.execute(db)
}

// Sorting all rows into an index afterwards takes a fraction of the time.
async function withoutIndexes(
  db: Database,
  tables: readonly string[],
  write: () => Promise<void>,
): Promise<void> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select index.indexrelid::regclass::text as name, pg_get_indexdef(index.indexrelid) as definition
    from pg_index as index
    where index.indrelid = any(${tables}::text[]::regclass[])
      and not index.indisunique
  `.execute(db)
  for (const { name } of rows) await sql`drop index ${sql.table(name)}`.execute(db)
  await write()
  await db.transaction().execute(async (transaction) => {
    await sql`set local maintenance_work_mem = ${sql.lit(INDEX_MEMORY)}`.execute(transaction)
    for (const { definition } of rows) await sql.raw(definition).execute(transaction)
  })
}

// What a store does by itself within a minute of such a load.
async function settle(db: Database, tables: readonly string[]): Promise<void> {
  for (const table of tables) await sql`vacuum (analyze) ${sql.table(table)}`.execute(db)
}

async function writeTeams(
  db: Database,
  { organizationId, teams }: Mesh,
): Promise<Map<string, string>> {
  const ids = new Map(teams.map(({ id }) => [id, randomUUID()]))
  const documents = teams.map((team) => JSON.stringify({ ...team, type: 'Team' }))
  await sql`
    insert into team (
      organization_id, id, external_id, name, type, member_emails, member_roles, document, digest,
      version, created_at, updated_at, updated_by
    )
    select ${organizationId}::uuid, id, external_id, name, 'Team', '{}', '{}', document, '', 1, now(),
      now(), 'system'
    from unnest(
      ${[...ids.values()]}::uuid[], ${teams.map(({ id }) => id)}::text[],
      ${teams.map(({ name }) => name)}::text[], ${documents}::text[]
    ) as given (id, external_id, name, document)
  `.execute(db)
  return ids
}

async function writeIntegrations(
  db: Database,
  { organizationId }: Mesh,
): Promise<Map<string, string>> {
  const ids = new Map(PLATFORMS.map(({ source }) => [source, randomUUID()] as const))
  for (const [at, { source, integration }] of PLATFORMS.entries()) {
    const team = `team-${TEAMS[at]?.toLowerCase()}`
    await sql`
      insert into integration (
        organization_id, id, external_id, name, source, owner_team_id, configuration,
        schedule_time_zone, enabled, version, created_at, updated_at, updated_by
      )
      select ${organizationId}::uuid, ${ids.get(source)}::uuid, ${source}, ${integration}, ${source},
        team.id, '{}', 'UTC', false, 1, now(), now(), 'system'
      from team
      where organization_id = ${organizationId}
        and external_id = ${team}
    `.execute(db)
  }
  return new Map(ids)
}

async function writeDocuments(
  db: Database,
  { organizationId }: Mesh,
  table: 'data_product' | 'data_contract',
  things: readonly MeshThing[],
  teamIds: ReadonlyMap<string, string>,
  newDocument: (thing: MeshThing) => object,
): Promise<void> {
  const isProduct = table === 'data_product'
  const more = isProduct ? sql`input_contracts, output_contracts, assets,` : sql``
  const values = isProduct
    ? sql`'{}', array_remove(array[document::jsonb #>> '{outputPorts,0,contractId}'], null), '{}',`
    : sql``
  for (const part of getParts(things)) {
    await sql`
      insert into ${sql.table(table)} (
        organization_id, external_id, document, media_type, format, version, digest, name,
        owner_team_id, status, domain, tags, ${more} created_at, updated_at, updated_by
      )
      select ${organizationId}::uuid, external_id, document, 'application/json',
        ${isProduct ? 'odps' : 'odcs'}, 1, '', name, team_id, 'active', domain, '{}', ${values}
        now(), now(), 'system'
      from unnest(
        ${part.map(({ id }) => id)}::text[],
        ${part.map((thing) => JSON.stringify(newDocument(thing)))}::text[],
        ${part.map(({ name }) => name)}::text[],
        ${part.map(({ team }) => teamIds.get(`team-${team.toLowerCase()}`))}::uuid[],
        ${part.map(({ entity }) => entity.domain)}::text[]
      ) as given (external_id, document, name, team_id, domain)
    `.execute(db)
  }
}

async function writeAssets(
  db: Database,
  { organizationId }: Mesh,
  assets: readonly MeshThing[],
  integrationIds: ReadonlyMap<string, string>,
): Promise<void> {
  const nowMs = Date.now()
  let isWritten = Promise.resolve()
  for (const [number, part] of [...getParts(assets)].entries()) {
    // Each run of a source changes some of its assets.
    const updatedAt = new Date(nowMs - number * RUN_MS).toISOString()
    const documents = part.map((asset) => assetDocument(asset))
    const integrations = part.map(({ platform }) => integrationIds.get(platform?.source ?? ''))
    const rows = part.map((asset, at) => ({
      organizationId,
      entry: documentEntry(documents[at] ?? null, asset.id, true),
      ownerTeamId: null,
      integrationId: integrations[at] ?? null,
      updatedAt,
    }))
    // The database writes one part while the next one is prepared here.
    await isWritten
    isWritten = (async () => {
      await sql`
        insert into asset (
          organization_id, external_id, integration_id, document, media_type, version, digest, name, type,
          source, created_at, updated_at, updated_by
        )
        select ${organizationId}::uuid, id, integration_id, document, 'application/json', 1, '', name, type,
          source, ${updatedAt}::timestamptz, ${updatedAt}::timestamptz, 'system'
        from unnest(
          ${part.map(({ id }) => id)}::text[], ${integrations}::uuid[],
          ${documents.map((document) => JSON.stringify(document))}::text[],
          ${part.map(({ name }) => name)}::text[],
          ${rows.map(({ entry }) => entry.type)}::text[],
          ${rows.map(({ entry }) => entry.source)}::text[]
        ) as given (id, integration_id, document, name, type, source)
      `.execute(db)
      await indexEntries(db, rows)
    })()
  }
  await isWritten
}

function* getParts<T>(things: readonly T[]): Iterable<T[]> {
  for (let from = 0; from < things.length; from += ROWS_AT_ONCE) {
    yield things.slice(from, from + ROWS_AT_ONCE)
  }
}
