import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  describeCatalog,
  describeDataset,
  describeDomain,
  describeStatus,
  describeTeam,
  type Dataset,
} from '../../../formats/rdf/catalog.ts'
import type { GraphNode } from '../../../formats/rdf/graph.ts'
import { newIris, type Iris } from '../../../formats/rdf/iris.ts'
import { SYNTAXES } from '../../../formats/rdf/syntax.ts'
import { getFeedState } from '../../ledger/events/service.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import { splitBySize } from '../../platform/kit/batches.ts'
import { withoutSlot } from '../../platform/kit/held-slot.ts'
import { VERSION } from '../../platform/version.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { toPage } from '../../requests/http/paging.ts'
import { findContracts, type DatasetServices, type ExistingContract } from './dataset-service.ts'
import type { ProductRow, RdfRequest } from './rdf.ts'
import * as store from './store.ts'
import { writeProducts } from './task.ts'

/** The services that write RDF. */
type RdfServices = DatasetServices & Pick<Services, 'baseUrl'>

// The documents of products that are in memory for one reader at a time, unless one is larger.
const CHUNK_BYTES_MAX = 1024 * 1024
const DESCRIPTION_CHARACTERS_MAX = 10_000
const DESCRIPTIONS_BYTES_MAX = 1024 * 1024
const PROVIDERS_MAX = 100
// Beyond this, a node may be described twice on a page, which means the same.
const DESCRIBED_MAX = 100_000
const OVERLOADED_RETRIES_MAX = 30
const RETRY_MS = 1000

/** An answer that is being written. */
interface Writing extends RdfRequest {
  services: RdfServices
  iris: Iris
  /** The IRIs of the shared nodes that are described: teams, statuses, domains, contracts. */
  described: Set<string>
}

function newWriting(services: RdfServices, request: RdfRequest): Writing {
  return { ...request, services, iris: newIris(services.baseUrl), described: new Set() }
}

/** The state of a catalog. */
interface CatalogState {
  /** The name of the organization. */
  name: string
  /** A weak entity tag without quotes: equal until something changes in the organization. */
  tag: string
}

/** Returns the state of a catalog. Read it before a page: what changes in between has another one. */
export async function getCatalogState(
  { db, baseUrl }: RdfServices,
  { organizationId, mediaType }: RdfRequest,
): Promise<CatalogState> {
  const state = await getFeedState(db, organizationId)
  const name = await store.getOrganizationName(db, organizationId)
  const parts = [VERSION, organizationId, name, state, baseUrl, mediaType]
  const tag = createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
  return { name, tag }
}

/** A page of the catalog, which has not been written yet. */
interface CatalogPage {
  hasMore: boolean
  /** Writes the page, product by product as it is read. */
  write(): AsyncIterable<string>
}

/** Finds a page of the catalog, counted from 0. A page after the last one has no products. */
export async function findCatalogPage(
  services: RdfServices,
  request: RdfRequest,
  { name }: CatalogState,
  page: number,
): Promise<CatalogPage> {
  const { organizationId, mediaType } = request
  const references = await store.listProducts(services.db, organizationId, page)
  const { elements, hasMore } = toPage(references)
  return {
    hasMore,
    async *write() {
      const writing = newWriting(services, request)
      const syntax = SYNTAXES[mediaType]
      yield syntax.writeStart(describeCatalog(writing.iris, { name, page, hasMore }))
      for (const chunk of splitBySize(elements, CHUNK_BYTES_MAX, ({ bytes }) => bytes)) {
        const ids = chunk.map(({ key }) => key)
        yield* writeChunk(writing, { ids, isCatalog: true, contractId: undefined })
      }
      yield syntax.end
    },
  }
}

/** Writes a data product with its ports. Errors: not_found, document_too_costly, overloaded. */
export async function writeProduct(
  services: RdfServices,
  request: RdfRequest,
  id: string,
): Promise<string> {
  const writing = newWriting(services, request)
  const [row] = await store.loadProducts(services.db, request.organizationId, [id])
  if (row === undefined) throw notFound()
  const { end } = SYNTAXES[request.mediaType]
  const start = writeStart(writing, listShared(writing, [row]))
  const chunk = { ids: [id], isCatalog: false, contractId: undefined }
  return `${start}${await join(writeChunk(writing, chunk))}${end}`
}

/**
 * Writes a data contract as a dataset, with the distributions of the first data products that provide it. Errors:
 * not_found, document_too_costly, overloaded.
 */
export async function writeContract(
  services: RdfServices,
  request: RdfRequest,
  id: string,
): Promise<string> {
  const { db } = services
  const writing = newWriting(services, request)
  const existing = await findContracts(services, request.organizationId, [id])
  const datasets = await listDatasets(writing, [...existing.values()])
  const start = writeStart(writing, datasets)
  const limit = { afterId: '', limit: PROVIDERS_MAX }
  const ids = await store.listProviders(db, request.organizationId, id, limit)
  const providers = await join(writeChunk(writing, { ids, isCatalog: false, contractId: id }))
  return `${start}${providers}${SYNTAXES[request.mediaType].end}`
}

/** Writes a team. Errors: not_found. */
export async function writeTeam(
  services: RdfServices,
  request: RdfRequest,
  id: string,
): Promise<string> {
  const writing = newWriting(services, request)
  const name = await store.findTeamName(services.db, request.organizationId, id)
  const nodes = name === undefined ? [] : [describeTeam(writing.iris, { id, name })]
  return `${writeStart(writing, nodes)}${SYNTAXES[request.mediaType].end}`
}

function writeStart({ mediaType }: Writing, nodes: readonly GraphNode[]): string {
  if (nodes.length === 0) throw notFound()
  return SYNTAXES[mediaType].writeStart(nodes)
}

async function join(texts: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(texts)).join('')
}

/** Products that are written together. */
interface Chunk {
  ids: readonly string[]
  isCatalog: boolean
  /** Only what belongs to this contract is written; undefined = everything. */
  contractId: string | undefined
}

async function* writeChunk(
  writing: Writing,
  { ids, isCatalog, contractId }: Chunk,
): AsyncGenerator<string> {
  const { services, organizationId, mediaType, iris } = writing
  const { db, offload, baseUrl } = services
  const rows = await store.loadProducts(db, organizationId, ids)
  const named =
    contractId === undefined
      ? [...new Set(rows.flatMap(({ contracts }) => contracts))]
      : [contractId]
  const existing = await findContracts(services, organizationId, named)
  const input = {
    baseUrl,
    mediaType,
    isCatalog,
    contractId,
    products: rows.map(({ id, document, modifiedAt, ownerId }) => ({
      id,
      document,
      modifiedAt,
      ownerId,
    })),
    contracts: Array.from(existing, ([id, { facts }]) => ({ id, addresses: facts.addresses })),
  }
  const texts = rows.map(({ document }) => ({ document, mediaType: 'application/json' }))
  yield await whenNotOverloaded(() => offload.run(organizationId, writeProducts, input, texts))
  const syntax = SYNTAXES[mediaType]
  if (contractId === undefined) yield syntax.write(listShared(writing, rows))
  const unwritten = [...existing.values()].filter(
    ({ id }) => !writing.described.has(iris.contract(id)),
  )
  for (const batch of splitBySize(unwritten, DESCRIPTIONS_BYTES_MAX, getDatasetBytes)) {
    yield syntax.write(await listDatasets(writing, batch))
  }
}

// A dataset takes some memory even without a description.
function getDatasetBytes({ descriptionBytes }: ExistingContract): number {
  return 1024 + Math.min(descriptionBytes, DESCRIPTION_CHARACTERS_MAX)
}

/** Describes the teams, statuses and domains of products that are not described yet. */
function listShared(writing: Writing, rows: readonly ProductRow[]): GraphNode[] {
  const { iris } = writing
  const nodes = rows.flatMap(({ ownerId, ownerName, status, domain }) => [
    describeTeam(iris, { id: ownerId, name: ownerName }),
    ...(status === null ? [] : [describeStatus(iris, status)]),
    ...(domain === null ? [] : [describeDomain(iris, domain)]),
  ])
  return takeNew(writing, nodes)
}

/** Describes contracts and their standards, unless they are described already. */
async function listDatasets(
  writing: Writing,
  contracts: readonly ExistingContract[],
): Promise<GraphNode[]> {
  const { services, organizationId, iris } = writing
  const facts = new Map(contracts.map((contract) => [contract.id, contract.facts]))
  const ids = [...facts.keys()]
  const limit = DESCRIPTION_CHARACTERS_MAX
  const rows = await store.listDatasets(services.db, organizationId, ids, limit)
  const nodes = rows.flatMap(({ id, name, description, version }) => {
    const dataset: Dataset = {
      id,
      name,
      description: description ?? undefined,
      version: version ?? undefined,
      standard: facts.get(id)?.standard,
    }
    return describeDataset(iris, dataset)
  })
  return takeNew(writing, nodes)
}

function takeNew({ described }: Writing, nodes: readonly GraphNode[]): GraphNode[] {
  if (described.size > DESCRIBED_MAX) described.clear()
  return nodes.filter(({ iri }) => {
    if (described.has(iri)) return false
    described.add(iri)
    return true
  })
}

// The threads are shared with all other work on documents. An answer that has begun waits for them longer than one that
// could still be an error.
async function whenNotOverloaded<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const isOverloaded = error instanceof ApiError && error.code === 'overloaded'
      if (!isOverloaded || attempt > OVERLOADED_RETRIES_MAX) throw error
      await withoutSlot(async () => await sleep(RETRY_MS))
    }
  }
}
