/**
 * A generated mesh for search tests: relevance follows from its rules, not from search results. It is
 * inserted in sets, and the product's own code builds the index.
 */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Value } from '../../formats/text/value.ts'
import { documentEntry } from '../../server/search/asset-entry.ts'
import { indexEntries } from '../../server/search/index-service.ts'
import { ensureIndex } from '../../server/search/rebuild-service.ts'
import type { ResourceType } from '../../server/search/search.ts'
import type { Database } from '../../server/tables.ts'
import {
  ASPECTS,
  ENTITIES,
  LAYERS,
  PLATFORMS,
  getPlace,
  PURPOSES,
  TAGS,
  TEAMS,
  type Entity,
} from './vocabulary.ts'

/** The size of a mesh. */
export interface MeshSize {
  productsCount: number
  contractsCount: number
  assetsCount: number
}

/** The subject of a resource, which determines its relevance. */
export interface Subject {
  entity: Entity
  aspect: string
  place: string
}

/** A resource of the mesh. */
export interface MeshThing extends Subject {
  type: ResourceType
  id: string
  name: string
  team: string
  purpose: string
  tag: string | undefined
  /** The platform of an asset. */
  platform?: (typeof PLATFORMS)[number]
  qualifiedName?: string
}

/** A team of the mesh. */
export interface MeshTeam {
  id: string
  name: string
}

/** A complete mesh. */
export interface Mesh {
  organizationId: string
  teams: readonly MeshTeam[]
  things: readonly MeshThing[]
}

const ROWS_AT_ONCE = 1000
// Teams have several kinds of resources; one in every `TAGGED_EVERY` has a tag.
const TAGGED_EVERY = 23

/** Describes a mesh without writing it. */
export function describeMesh(organizationId: string, size: MeshSize): Mesh {
  const teams = TEAMS.map((name) => ({ id: `team-${name.toLowerCase()}`, name: `${name} Squad` }))
  const products = Array.from({ length: size.productsCount }, (_, at) => createProduct(at))
  const contracts = products.slice(0, size.contractsCount).map(toContract)
  const assets = Array.from({ length: size.assetsCount }, (_, at) => {
    return createAsset(
      createSubject(at % size.productsCount),
      Math.floor(at / size.productsCount),
      at,
    )
  })
  return { organizationId, teams, things: [...products, ...contracts, ...assets] }
}

/** Writes a mesh into an organization and builds the index. */
export async function writeMesh(db: Database, mesh: Mesh): Promise<void> {
  const teamIds = await writeTeams(db, mesh)
  const integrationIds = await writeIntegrations(db, mesh)
  const of = (type: ResourceType): MeshThing[] => mesh.things.filter((one) => one.type === type)
  const contracts = of('DATA_CONTRACT')
  const withContract = new Set(contracts.map(({ id }) => id))
  await writeDocuments(db, mesh, 'data_contract', contracts, teamIds, contractDocument)
  await writeDocuments(db, mesh, 'data_product', of('DATA_PRODUCT'), teamIds, (product) =>
    productDocument(product, withContract.has(toContractId(product.id))),
  )
  await settle(db, ['data_product', 'data_contract', 'team', 'integration'])
  await sql`delete from search_build`.execute(db)
  // Indexing all rows in one step takes a fraction of the time.
  await postponeSorting(db, 1_000_000)
  await ensureIndex(db)
  await indexAssets(db, mesh, of('DATA_ASSET'), integrationIds)
  await settle(db, ['search_document', 'search_word'])
  await postponeSorting(db, 256)
}

async function postponeSorting(db: Database, kilobytes: number): Promise<void> {
  for (const index of ['search_document_words', 'search_document_asset_words']) {
    await sql`
      alter index ${sql.table(index)} set (gin_pending_list_limit = ${sql.lit(kilobytes)})
    `.execute(db)
  }
}

// A store does this by itself within a minute after such a load.
async function settle(db: Database, tables: readonly string[]): Promise<void> {
  for (const table of tables) await sql`vacuum (analyze) ${sql.table(table)}`.execute(db)
}

function createSubject(at: number): Subject & { index: number } {
  const index = at % ENTITIES.length
  const rest = Math.floor(at / ENTITIES.length)
  const entity = ENTITIES[index]
  const aspect = ASPECTS[rest % ASPECTS.length]
  if (entity === undefined || aspect === undefined) throw new Error('there are not enough words')
  return { entity, aspect, place: getPlace(Math.floor(rest / ASPECTS.length)), index }
}

function createProduct(at: number): MeshThing {
  const subject = createSubject(at)
  const name = toTitleCase(getWords(subject))
  return {
    ...subject,
    type: 'DATA_PRODUCT',
    id: slug(name),
    name,
    team: TEAMS[subject.index] ?? '',
    purpose: PURPOSES[(at * 7 + 3) % PURPOSES.length] ?? '',
    tag: at % TAGGED_EVERY === 0 ? TAGS[(at / TAGGED_EVERY) % TAGS.length] : undefined,
  }
}

function toContract(product: MeshThing): MeshThing {
  return {
    ...product,
    type: 'DATA_CONTRACT',
    id: toContractId(product.id),
    name: `${product.name} Agreement`,
    purpose: '',
    tag: undefined,
  }
}

function toContractId(productId: string): string {
  return `${productId}-agreement`
}

function createAsset(subject: Subject & { index: number }, round: number, at: number): MeshThing {
  const layer = LAYERS[round % LAYERS.length] ?? ''
  const platform = PLATFORMS[(at + round) % PLATFORMS.length]
  if (platform === undefined) throw new Error('the platform is missing')
  const again = Math.floor(round / LAYERS.length)
  const words = [layer, ...getWords(subject), ...(again === 0 ? [] : [`v${again + 1}`])]
  const name = slug(words.join(' ')).replaceAll('-', '_')
  return {
    ...subject,
    type: 'DATA_ASSET',
    id: `${platform.source}-${String(at).padStart(26, 'a')}`,
    name,
    team: TEAMS[PLATFORMS.indexOf(platform)] ?? '',
    purpose: '',
    tag: undefined,
    platform,
    qualifiedName: `${platform.database}.${subject.entity.domain}.${name}`,
  }
}

function getWords({ entity, aspect, place }: Subject): string[] {
  return [...entity.words, ...aspect.split(' '), ...place.split(' ')]
}

function toTitleCase(words: readonly string[]): string {
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join(' ')
}

/** Returns the id of a name: lower case without accents, with dashes. */
export function slug(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll(' ', '-')
}

const COMMON_COLUMNS = ['id', 'created_at', 'updated_at', 'source_system']

function listColumns({ entity }: Subject): string[] {
  return [`${entity.words.join('_')}_id`, ...COMMON_COLUMNS, ...entity.columns]
}

function productDocument(product: MeshThing, hasContract: boolean): object {
  const { id, name, entity, purpose, tag, team } = product
  return {
    apiVersion: 'v1.0.0',
    kind: 'DataProduct',
    id,
    name,
    status: 'active',
    domain: entity.domain,
    tags: tag === undefined ? [] : [tag],
    description: { purpose },
    team: { name: `team-${team.toLowerCase()}` },
    outputPorts: [
      { name: 'main', version: '1.0.0', ...(hasContract ? { contractId: toContractId(id) } : {}) },
    ],
  }
}

function contractDocument(contract: MeshThing): object {
  const { id, name, entity, team } = contract
  const properties = listColumns(contract).map((column) => ({
    name: column,
    logicalType: 'string',
  }))
  return {
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id,
    name,
    version: '1.0.0',
    status: 'active',
    domain: entity.domain,
    team: { name: `team-${team.toLowerCase()}` },
    schema: [{ name: entity.words.join('_'), properties }],
  }
}

function assetDocument(asset: MeshThing): Value {
  const { id, name, platform, qualifiedName } = asset
  const columns = listColumns(asset).map((column) => ({ name: column, type: 'text' }))
  const source = platform?.source ?? ''
  return {
    id,
    info: {
      source,
      type: `${source}_table`,
      name,
      qualifiedName: qualifiedName ?? name,
      status: 'active',
    },
    columns,
  }
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
  createDocument: (thing: MeshThing) => object,
): Promise<void> {
  const isProduct = table === 'data_product'
  const more = isProduct ? sql`input_contracts, output_contracts, assets,` : sql``
  const values = isProduct
    ? sql`'{}', array_remove(array[document::jsonb #>> '{outputPorts,0,contractId}'], null), '{}',`
    : sql``
  for (const part of partsOf(things)) {
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
        ${part.map((thing) => JSON.stringify(createDocument(thing)))}::text[],
        ${part.map(({ name }) => name)}::text[],
        ${part.map(({ team }) => teamIds.get(`team-${team.toLowerCase()}`))}::uuid[],
        ${part.map(({ entity }) => entity.domain)}::text[]
      ) as given (external_id, document, name, team_id, domain)
    `.execute(db)
  }
}

// A mesh consists mostly of assets: they are only added to the index, as their documents would be.
async function indexAssets(
  db: Database,
  { organizationId }: Mesh,
  assets: readonly MeshThing[],
  integrationIds: ReadonlyMap<string, string>,
): Promise<void> {
  const updatedAt = new Date().toISOString()
  for (const part of partsOf(assets)) {
    const rows = part.map((asset) => ({
      organizationId,
      entry: documentEntry(assetDocument(asset), asset.id, true),
      ownerTeamId: null,
      integrationId: integrationIds.get(asset.platform?.source ?? '') ?? null,
      updatedAt,
    }))
    await indexEntries(db, rows)
  }
}

function* partsOf<T>(things: readonly T[]): Iterable<T[]> {
  for (let from = 0; from < things.length; from += ROWS_AT_ONCE) {
    yield things.slice(from, from + ROWS_AT_ONCE)
  }
}
