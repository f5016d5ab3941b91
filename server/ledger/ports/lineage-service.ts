import { notFound } from '../../platform/errors.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import type { Database } from '../../platform/tables.ts'
import { connectByAccess, connectProducts, nodeKeys, listConnections } from './lineage.ts'
import { LINEAGE_EDGES_MAX, LINEAGE_NODES_MAX } from './lineage.ts'
import type { Lineage, LineageEdge, LineageNode, LineagePort, LineageProduct } from './lineage.ts'
import { readTrustSummaries } from '../trust/service.ts'
import type { ListedDocument } from '../trust/signal.ts'
import * as store from './lineage-store.ts'
import { listContracts } from './store.ts'
import { listLineagePortsOfEach, runOnProducts } from './task.ts'

// The maximum size of the documents that one answer reads; products are usually small.
const DOCUMENT_BYTES_MAX = 16 * 1024 * 1024

interface Walk {
  db: Database
  offload: Services['offload']
  organizationId: string
  /** Every product that was reached, by its id. */
  products: Map<string, LineageProduct>
  bytes: number
  isTruncated: boolean
}

/**
 * Returns the resources upstream and downstream of a product, up to a number of steps and 200 nodes, the
 * nearest first. Errors: not_found, document_too_costly, overloaded.
 */
export async function findLineage(
  { db, offload, clock }: Pick<Services, 'db' | 'offload' | 'clock'>,
  organizationId: string,
  id: string,
  depth: number,
): Promise<Lineage> {
  const read = { products: new Map(), bytes: 0, isTruncated: false }
  const walk: Walk = { db, offload, organizationId, ...read }
  const [root] = await load(walk, [id])
  if (root === undefined) throw notFound()
  const sourced: LineageProduct[] = []
  let [above, below] = [[root], [root]]
  for (let step = 0; step < depth; step += 1) {
    sourced.push(...above)
    ;[above, below] = await stepOn(walk, above, below)
  }
  const ids = [...walk.products.keys()]
  const access = await store.listProductAccess(db, organizationId, ids, LINEAGE_EDGES_MAX)
  const edges = connectByAccess(connectProducts([...walk.products.values()]), access)
  const nodes = [...walk.products.values()].map(nodeOfProduct)
  await addOrigins(walk, { nodes, edges }, sourced)
  await nameContracts(walk, { nodes, edges })
  const trusted = nodes.flatMap((node) => toTrusted(node) ?? [])
  const findTrust = await readTrustSummaries({ db, clock }, organizationId, trusted)
  return {
    nodes: nodes.map((node) => {
      const document = toTrusted(node)
      return { ...node, trust: document === undefined ? null : findTrust(document) }
    }),
    edges: edges.slice(0, LINEAGE_EDGES_MAX),
    truncated: walk.isTruncated || edges.length > LINEAGE_EDGES_MAX,
  }
}

// Source systems have no signals, and a future provider is not in the catalog.
function toTrusted({ kind, id, exists }: LineageNode): ListedDocument | undefined {
  if (!exists || kind === 'SOURCE_SYSTEM') return undefined
  return { kind: kind === 'DATA_ASSET' ? 'asset' : 'data-product', id }
}

// Both directions share the remaining nodes, so that a wide side does not hide the other.
async function stepOn(
  walk: Walk,
  above: readonly LineageProduct[],
  below: readonly LineageProduct[],
): Promise<[LineageProduct[], LineageProduct[]]> {
  const { db, organizationId, products } = walk
  const limit = LINEAGE_NODES_MAX - products.size
  const limits = { except: [...products.keys()], rowsMax: limit + 1 }
  const asked = toMeeting(above, ({ inputs }) => inputs)
  const offered = toMeeting(below, ({ outputs }) => outputs)
  const up = isEmpty(asked) ? [] : await store.listProviders(db, organizationId, asked, limits)
  const found = isEmpty(offered)
    ? []
    : await store.listConsumers(db, organizationId, offered, limits)
  const upIds = new Set(up.map(({ id }) => id))
  const down = found.filter(({ id }) => !upIds.has(id))
  const half = Math.floor(limit / 2)
  const upLimit = Math.max(half, limit - down.length)
  const taken = [...up.slice(0, upLimit), ...down.slice(0, limit - Math.min(up.length, upLimit))]
  if (taken.length < up.length + down.length) walk.isTruncated = true
  const loaded = await load(walk, withinBytes(walk, taken))
  // Products that are both upstream and downstream (a cycle) continue in both directions.
  const downIds = new Set(found.map(({ id }) => id))
  return [loaded.filter(({ id }) => upIds.has(id)), loaded.filter(({ id }) => downIds.has(id))]
}

function toMeeting(
  products: readonly LineageProduct[],
  listPorts: (product: LineageProduct) => LineageProduct['inputs'],
): store.Meeting {
  const ports = products.flatMap(listPorts)
  const contracts = ports.map(({ contractId }) => contractId).filter((id) => id !== undefined)
  return {
    contracts: [...new Set(contracts)],
    assets: [...new Set(ports.flatMap(({ assets }) => assets))],
    products: products.map(({ id }) => id),
  }
}

function isEmpty({ products }: store.Meeting): boolean {
  return products.length === 0
}

function withinBytes(walk: Walk, neighbours: readonly store.Neighbour[]): string[] {
  const ids: string[] = []
  for (const { id, bytes } of neighbours) {
    walk.bytes += bytes
    if (walk.bytes > DOCUMENT_BYTES_MAX) walk.isTruncated = true
    else ids.push(id)
  }
  return ids
}

async function load(walk: Walk, ids: readonly string[]): Promise<LineageProduct[]> {
  if (ids.length === 0) return []
  const rows = await store.loadProducts(walk.db, walk.organizationId, ids)
  const { offload, organizationId } = walk
  const ports = await runOnProducts(offload, organizationId, listLineagePortsOfEach, rows)
  const loaded = rows.map((row, at): LineageProduct => {
    const { id, name, ownerId, ownerName, status } = row
    const { inputs, outputs } = ports[at] ?? { inputs: [], outputs: [] }
    return { id, name, ownerId, ownerName, status, inputs, outputs }
  })
  for (const product of loaded) walk.products.set(product.id, product)
  return loaded
}

function nodeOfProduct({ id, name, ownerId, ownerName, status }: LineageProduct): LineageNode {
  return {
    key: nodeKeys.product(id),
    kind: 'DATA_PRODUCT',
    id,
    name,
    ownerId,
    ownerName,
    status,
    exists: true,
  }
}

interface Graph {
  nodes: LineageNode[]
  edges: LineageEdge[]
}

// The other inputs of upstream products: source systems, assets that no product provides, and contracts
// without a provider.
async function addOrigins(
  walk: Walk,
  graph: Graph,
  sourced: readonly LineageProduct[],
): Promise<void> {
  const named = await loadOrigins(
    walk,
    sourced.flatMap(({ inputs }) => inputs),
  )
  const outputs = [...walk.products.values()].flatMap((product) => product.outputs)
  const provided = new Set(outputs.flatMap(listConnections))
  const keys = new Set(graph.nodes.map(({ key }) => key))
  const ways = new Map<string, LineageEdge>()
  for (const { id, inputs } of sourced) {
    const to = nodeKeys.product(id)
    for (const port of inputs) {
      for (const node of getOrigins(walk, port, provided, named)) {
        const way = JSON.stringify([node.key, to, port.contractId])
        const known = ways.get(way)
        if (known !== undefined) known.ports.push(port.name)
        else if (keys.has(node.key) || graph.nodes.length < LINEAGE_NODES_MAX) {
          ways.set(way, getEdge(node.key, to, port))
          if (!keys.has(node.key)) graph.nodes.push(node)
          keys.add(node.key)
        } else walk.isTruncated = true
      }
    }
  }
  graph.edges.push(...ways.values())
}

function getOrigins(
  walk: Walk,
  { contractId, sourceSystemId, assets }: LineagePort,
  provided: ReadonlySet<string>,
  named: NamedOrigins,
): LineageNode[] {
  const free = assets.filter((id) => !provided.has(nodeKeys.asset(id)))
  const nodes = free.map((id) => toNode('DATA_ASSET', id, named.assets.get(id)))
  if (contractId !== undefined && provided.has(nodeKeys.promise(contractId))) return nodes
  if (sourceSystemId !== undefined) {
    return [...nodes, toNode('SOURCE_SYSTEM', sourceSystemId, named.systems.get(sourceSystemId))]
  }
  // If the lineage is cut, a product beyond the limit may provide it.
  const isPromised = contractId !== undefined && nodes.length === 0 && !walk.isTruncated
  return isPromised ? [toNode('DATA_PRODUCT', contractId)] : nodes
}

function getEdge(from: string, to: string, { contractId, name }: LineagePort): LineageEdge {
  return { from, to, contractId: contractId ?? null, contractName: null, ports: [name] }
}

/** The assets and source systems in the catalog, by id. */
interface NamedOrigins {
  assets: ReadonlyMap<string, store.NamedOrigin>
  systems: ReadonlyMap<string, store.NamedOrigin>
}

async function loadOrigins(walk: Walk, ports: readonly LineagePort[]): Promise<NamedOrigins> {
  const systemIds = ports.map(({ sourceSystemId }) => sourceSystemId)
  const [assets, systems] = await Promise.all([
    loadNamed(walk, store.listAssets, new Set(ports.flatMap((port) => port.assets))),
    loadNamed(walk, store.listSourceSystems, new Set(systemIds.filter((id) => id !== undefined))),
  ])
  return { assets, systems }
}

async function loadNamed(
  { db, organizationId }: Walk,
  list: typeof store.listAssets,
  ids: ReadonlySet<string>,
): Promise<Map<string, store.NamedOrigin>> {
  if (ids.size === 0) return new Map()
  const rows = await list(db, organizationId, [...ids].slice(0, LINEAGE_NODES_MAX))
  return new Map(rows.map((row) => [row.id, row]))
}

const ORIGIN_KEYS = {
  SOURCE_SYSTEM: nodeKeys.source,
  DATA_ASSET: nodeKeys.asset,
  DATA_PRODUCT: nodeKeys.promise,
}

// Without a row, only the id of the origin is known.
function toNode(kind: LineageNode['kind'], id: string, row?: store.NamedOrigin): LineageNode {
  const key = ORIGIN_KEYS[kind](id)
  if (row !== undefined) return { ...row, key, kind, exists: true }
  return { key, kind, id, name: id, ownerId: null, ownerName: null, status: null, exists: false }
}

async function nameContracts({ db, organizationId }: Walk, { nodes, edges }: Graph): Promise<void> {
  const ids = [...new Set(edges.map(({ contractId }) => contractId).filter((id) => id !== null))]
  if (ids.length === 0) return
  const contracts = await listContracts(db, organizationId, ids)
  const names = new Map(contracts.map(({ id, name }) => [id, name]))
  for (const edge of edges) edge.contractName = names.get(edge.contractId ?? '') ?? null
  for (const node of nodes) {
    if (node.kind === 'DATA_PRODUCT' && !node.exists) node.name = names.get(node.id) ?? node.id
  }
}
