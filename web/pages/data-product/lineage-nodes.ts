import { pathOfResource } from '../../paths.ts'
import type { Lineage } from './product-query.ts'

/** A thing that data comes from or goes to. */
export type LineageNode = Lineage['nodes'][number]

/** A node with its distance from the product, and the contracts by which it is connected. */
export interface Neighbour {
  node: LineageNode
  steps: number
  contracts: string[]
}

/** Gives the key of the product that a lineage is drawn around. */
export function findCenter({ nodes }: Lineage, productId: string): string | undefined {
  return nodes.find(({ kind, id, exists }) => kind === 'DATA_PRODUCT' && id === productId && exists)
    ?.key
}

/** Lists what is upstream and downstream of a product, the nearest first, each thing once. */
export function listNeighbours(
  lineage: Lineage,
  productId: string,
): { upstream: Neighbour[]; downstream: Neighbour[] } {
  const middle = findCenter(lineage, productId)
  return { upstream: walk(lineage, middle, 'up'), downstream: walk(lineage, middle, 'down') }
}

/** A product with its direct neighbours, and the number of neighbours that are left out. */
export interface Neighborhood {
  lineage: Lineage
  /** The number of columns in which the nodes are drawn. */
  columnCount: number
  omittedCount: number
}

/** Reduces a lineage to a product and at most `sideMax` of its direct neighbours on each side. */
export function cutToNeighborhood(
  lineage: Lineage,
  productId: string,
  sideMax: number,
): Neighborhood {
  const middle = findCenter(lineage, productId)
  if (middle === undefined) return { lineage, columnCount: 1, omittedCount: 0 }
  const ends = lineage.edges.filter(({ from, to }) => from === middle || to === middle)
  const upstream = new Set(ends.filter(({ to }) => to === middle).map(({ from }) => from))
  const downstream = new Set(ends.filter(({ from }) => from === middle).map(({ to }) => to))
  const kept = new Set([
    middle,
    ...[upstream, downstream].flatMap((side) => [...side].slice(0, sideMax)),
  ])
  const edges = ends.filter(({ from, to }) => kept.has(from) && kept.has(to))
  const nodes = lineage.nodes.filter(({ key }) => kept.has(key))
  const columnCount = 1 + [upstream, downstream].filter(({ size }) => size > 0).length
  const omittedCount = new Set([...upstream, ...downstream, middle]).size - kept.size
  return { lineage: { ...lineage, nodes, edges }, columnCount, omittedCount }
}

function walk(
  { nodes, edges }: Lineage,
  middle: string | undefined,
  way: 'up' | 'down',
): Neighbour[] {
  if (middle === undefined) return []
  const seen = new Set([middle])
  const found: Neighbour[] = []
  let border = [middle]
  for (let steps = 1; border.length > 0; steps += 1) {
    const next = new Map<string, Set<string>>()
    for (const { from, to, contractId, contractName } of edges) {
      const [near, far] = way === 'up' ? [to, from] : [from, to]
      if (!border.includes(near) || seen.has(far)) continue
      const contracts = next.get(far) ?? new Set()
      const contract = contractName ?? contractId
      if (contract !== null) contracts.add(contract)
      next.set(far, contracts)
    }
    for (const [key, contracts] of next) {
      const node = nodes.find((one) => one.key === key)
      seen.add(key)
      if (node !== undefined) found.push({ node, steps, contracts: [...contracts] })
    }
    border = [...next.keys()]
  }
  return found
}

/** The page of a node; undefined = it has none. */
export function nodeHref({ kind, id, exists }: LineageNode): string | undefined {
  return exists ? pathOfResource(kind, id) : undefined
}

/** Returns a node as the resource that it is in lists. */
export function toResource({ kind, id, status }: LineageNode): {
  resourceType: string
  id: string
  status: string | null
} {
  return { resourceType: kind, id, status }
}

/** Lists the nodes that can have signals: data products and assets in the catalog. */
export function listTrustedNodes({ nodes }: Lineage): { resourceType: string; id: string }[] {
  return nodes.filter(({ kind, exists }) => kind !== 'SOURCE_SYSTEM' && exists).map(toResource)
}

/** Returns the short text of a node; for a data product only its owner, because it has an icon. */
export function shortText(node: LineageNode): string {
  const owner = node.ownerName ?? node.ownerId
  return node.kind === 'DATA_PRODUCT' && node.exists && owner !== null ? owner : nodeText(node)
}

/** Describes a node in a few words. */
export function nodeText({ kind, exists, ownerName, ownerId }: LineageNode): string {
  if (kind === 'SOURCE_SYSTEM')
    return exists ? 'Source system' : 'Source system, not in the catalog'
  if (kind === 'DATA_ASSET') return exists ? 'Asset' : 'Asset, not in the catalog'
  if (!exists) return 'Contract without a provider'
  const owner = ownerName ?? ownerId
  return owner === null ? 'Data product' : `Data product of ${owner}`
}

/** Lists the output ports of a node that others read from, each once. */
export function getReadPorts({ edges }: Lineage, key: string): string[] {
  return [...new Set(edges.filter(({ from }) => from === key).flatMap(({ ports }) => ports))]
}

/** Lists the contracts by which a node is connected, each once. */
export function getContracts({ edges }: Lineage, key: string): string[] {
  const ends = edges.filter(({ from, to }) => from === key || to === key)
  return [
    ...new Set(ends.flatMap(({ contractName, contractId }) => contractName ?? contractId ?? [])),
  ]
}

/** Returns the keys of a node and of its direct neighbours. */
export function getNeighborhood({ edges }: Lineage, key: string): Set<string> {
  const ends = edges.filter(({ from, to }) => from === key || to === key)
  return new Set([key, ...ends.flatMap(({ from, to }) => [from, to])])
}

/** The products that read from an output port of the product in the middle of a lineage. */
export function listPortReaders(
  lineage: Lineage,
  productId: string,
  port: { name: string; version?: string },
): LineageNode[] {
  const middle = findCenter(lineage, productId)
  const label = port.version === undefined ? port.name : `${port.name} ${port.version}`
  const readers = new Set(
    lineage.edges
      .filter(({ from, ports }) => from === middle && ports.includes(label))
      .map(({ to }) => to),
  )
  return lineage.nodes.filter(({ key }) => readers.has(key))
}
