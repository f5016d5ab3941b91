/** Promises, sources and assets as rows, for tests of the decision about links. */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { settleReality } from '../server/reality/settle-service.ts'
import { createOrganization } from '../server/people/organizations/service.ts'
import { storeClock } from '../server/platform/kit/clock.ts'
import type { Database } from '../server/platform/tables.ts'

/** A promise; the contract, server and model have defaults. */
export interface TestPromise {
  contract?: string
  server?: string
  model?: string
  platform?: string | null
  path?: readonly string[] | null
  address?: string
  isProduction?: boolean
  kind?: string
}

/** An integration with the addresses of its source, and its last good run. */
export interface TestSource {
  name: string
  platform?: string
  addresses?: readonly string[]
  /** Undefined = it has never run. */
  run?: { daysAgo?: number; scopes?: Readonly<Record<string, string>> }
  filters?: object
  isWithoutViews?: boolean
}

/** An asset; without a source clients have registered it. */
export interface TestAsset {
  id: string
  path: readonly string[]
  source?: string
  platform?: string
  type?: string
  isDeleted?: boolean
}

/** The facts that a decision depends on. */
export interface LinkWorld {
  promises: readonly TestPromise[]
  sources?: readonly TestSource[]
  assets?: readonly TestAsset[]
  choices?: readonly { model?: string; server?: string; contract?: string; asset: string | null }[]
  /** The assets that an output port names for a contract. */
  named?: readonly { contract?: string; asset: string; product?: string }[]
}

/** A link as it was decided. */
export interface DecidedLink {
  contract: string
  server: string
  model: string
  state: string
  asset: string | null
  origin: string | null
  candidates: string[]
  rules: string
}

const CONTRACT = 'contract'
const SERVER = 'production'
const MODEL = 'orders'

/** The key of a promise with its defaults. */
export function getKey({
  contract = CONTRACT,
  server = SERVER,
  model = MODEL,
}: Pick<TestPromise, 'contract' | 'server' | 'model'>): [string, string, string] {
  return [contract, server, model]
}

/** Inserts a world into a new organization and links everything. Returns the links, sorted by key. */
export async function linkWorld(db: Database, world: LinkWorld): Promise<DecidedLink[]> {
  const organizationId = await createOrganization(db, `Links ${randomUUID()}`)
  await insertWorld(db, organizationId, world)
  await settleAll(db, organizationId)
  return await listLinks(db, organizationId)
}

/** Decides about all links of an organization. */
export async function settleAll(db: Database, organizationId: string): Promise<void> {
  const change = { kind: 'address', integrationId: randomUUID() } as const
  await db.transaction().execute((db) =>
    settleReality(db, storeClock, {
      organizationId,
      principal: 'system',
      requestId: '',
      ...change,
    }),
  )
}

/** Lists the links of an organization, sorted by key. */
export async function listLinks(db: Database, organizationId: string): Promise<DecidedLink[]> {
  const { rows } = await sql<DecidedLink>`
    select contract_id as contract, server, model, state, asset_id as asset, origin, candidates,
      (
        select string_agg(concat_ws(':', entry ->> 'part', entry ->> 'rule'), ' ')
        from jsonb_array_elements(explanation) as entry
      ) as rules
    from asset_link
    where organization_id = ${organizationId}
    order by contract_id, server, model
  `.execute(db)
  return rows
}

async function insertWorld(db: Database, organizationId: string, world: LinkWorld): Promise<void> {
  const { promises, sources = [], assets = [], choices = [], named = [] } = world
  const contracts = [...new Set(promises.map((promise) => getKey(promise)[0]))]
  await sql`
    insert into data_contract (organization_id, external_id, document, media_type, format, version, digest, name, tags,
      created_at, updated_at, updated_by)
    select ${organizationId}::uuid, id, '{}', 'application/json', 'odcs', 1, '', id, '{}', now(), now(), 'system'
    from unnest(${contracts}::text[]) as contract (id)
  `.execute(db)
  const rows = promises.map((promise) => {
    const [contract, server, model] = getKey(promise)
    const { platform = 'postgres', path = ['db', 'public', model], address, kind } = promise
    const scopes = path?.slice(1).map((_, at) => lower(JSON.stringify(path.slice(0, at + 1))))
    return {
      contract,
      server,
      model,
      platform,
      path: path === null ? null : JSON.stringify(path),
      scopes: scopes ?? [],
      address: address ?? null,
      isProduction: promise.isProduction ?? true,
      kind: kind ?? null,
    }
  })
  await sql`
    insert into contract_promise (organization_id, contract_id, server, model, platform, is_production, path, scope_keys,
      address, unplaced_because, promise, digest, contract_version)
    select ${organizationId}::uuid, contract, server, model, platform, "isProduction", path,
      array(select jsonb_array_elements_text(scopes)), address, case when path is null then 'A variable.' end,
      jsonb_strip_nulls(jsonb_build_object('kind', kind, 'key', '[]'::jsonb, 'fields', '[]'::jsonb)), 'digest', 1
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (contract text, server text, model text, platform text,
      "isProduction" boolean, path text, scopes jsonb, address text, kind text)
  `.execute(db)
  const ids = new Map(sources.map(({ name }) => [name, randomUUID()]))
  for (const source of sources)
    await insertSource(db, organizationId, ids.get(source.name) ?? '', source)
  const values = assets.map(({ id, path, source, platform, type, isDeleted = false }) => ({
    id,
    path: JSON.stringify(path),
    integration: source === undefined ? null : (ids.get(source) ?? null),
    platform: platform ?? sources.find(({ name }) => name === source)?.platform ?? 'postgres',
    type: type ?? 'postgres_table',
    name: path.at(-1),
    isDeleted,
  }))
  await sql`
    insert into asset (organization_id, external_id, integration_id, path, described_path, document, media_type, version,
      digest, name, type, source, deleted_at, created_at, updated_at, updated_by)
    select ${organizationId}::uuid, id, integration, case when integration is not null then path end,
      case when integration is null then path end, '{}', 'application/json', 1, '', name, type, platform,
      case when "isDeleted" then now() end, now(), now(), 'system'
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as row (id text, path text, integration uuid, platform text,
      type text, name text, "isDeleted" boolean)
  `.execute(db)
  for (const choice of choices) {
    const [contract, server, model] = getKey(choice)
    await sql`
      insert into asset_link_choice (organization_id, contract_id, server, model, asset_id, reason, chosen_by)
      values (${organizationId}, ${contract}, ${server}, ${model}, ${choice.asset}, 'A reason', 'system')
    `.execute(db)
  }
  await insertNamed(db, organizationId, named)
}

async function insertSource(
  db: Database,
  organizationId: string,
  id: string,
  source: TestSource,
): Promise<void> {
  const { name, platform = 'postgres', addresses = [], run, filters, isWithoutViews } = source
  const configuration = {
    ...(filters && { filters }),
    ...(isWithoutViews && { includeViews: false }),
  }
  await sql`
    insert into integration (organization_id, id, external_id, name, source, configuration, schedule_time_zone, enabled,
      version, created_at, updated_at, updated_by)
    values (${organizationId}, ${id}, ${name}, ${name}, ${platform}, ${JSON.stringify(configuration)}::jsonb, 'UTC', false,
      1, now(), now(), 'system')
  `.execute(db)
  await sql`
    insert into integration_address (organization_id, integration_id, address, origin, added_by)
    select ${organizationId}::uuid, ${id}::uuid, address, 'configuration', 'system'
    from unnest(${addresses}::text[]) as given (address)
  `.execute(db)
  if (run === undefined) return
  const runId = randomUUID()
  await sql`
    insert into ingestion_run (organization_id, id, integration_id, kind, status, phase, principal, forced, started_at,
      completed_at, progressed_at)
    select ${organizationId}::uuid, ${runId}::uuid, ${id}::uuid, 'ingest', 'SUCCESS', 'publishing', 'system', false, at, at, at
    from (select now() - make_interval(days => ${run.daysAgo ?? 0}) as at) as past
  `.execute(db)
  await sql`
    insert into ingestion_scope (organization_id, run_id, scope, kind, state)
    select ${organizationId}::uuid, ${runId}::uuid, key, 'schema', value
    from jsonb_each_text(${JSON.stringify(run.scopes ?? {})}::jsonb)
  `.execute(db)
}

async function insertNamed(
  db: Database,
  organizationId: string,
  named: NonNullable<LinkWorld['named']>,
): Promise<void> {
  if (named.length === 0) return
  await sql`
    insert into team (organization_id, id, external_id, name, type, member_emails, member_roles, document, digest, version,
      created_at, updated_at, updated_by)
    values (${organizationId}, ${randomUUID()}, 'team', 'Team', 'Team', '{}', '{}', '{}', '', 1, now(), now(), 'system')
  `.execute(db)
  const products = Map.groupBy(named, ({ product = 'product' }) => product)
  for (const [product, list] of products) {
    const contracts = [...new Set(list.map(({ contract = CONTRACT }) => contract))]
    const pairs = list.map(({ contract = CONTRACT, asset }) => JSON.stringify([contract, asset]))
    await sql`
      insert into data_product (organization_id, external_id, document, media_type, format, version, digest, name,
        owner_team_id, tags, input_contracts, output_contracts, assets, output_assets, created_at, updated_at, updated_by)
      select ${organizationId}::uuid, ${product}, '{}', 'application/json', 'odps', 1, '', ${product}, team.id, '{}', '{}',
        ${contracts}::text[], ${list.map(({ asset }) => asset)}::text[], ${pairs}::text[], now(), now(), 'system'
      from team
      where organization_id = ${organizationId}
    `.execute(db)
  }
}

/** Lower case as the store folds names: of ASCII letters only. */
export function lower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}
