import { z } from '@hono/zod-openapi'
import { namedAssets } from '../../../formats/asset/named-assets.ts'
import type {
  DataProduct,
  InputPort,
  OutputPort,
} from '../../../formats/data-product/data-product.ts'
import { getField, isObject, type Value } from '../../../formats/text/value.ts'
import { trustSummary } from '../trust/signal.ts'

/**
 * Lineage shows where data comes from and goes to: from source systems and assets into a product, and between
 * products through the contracts of their ports, or because one has access to a port of the other. It is computed
 * around one product and bounded by steps and nodes.
 */

/** The maximum numbers of nodes and edges. */
export const LINEAGE_NODES_MAX = 200
export const LINEAGE_EDGES_MAX = 1000

/** Steps each way at most. */
export const LINEAGE_DEPTH_MAX = 3

const node = z.object({
  key: z.string().openapi({ description: 'What edges name it by' }),
  kind: z.enum(['DATA_PRODUCT', 'SOURCE_SYSTEM', 'DATA_ASSET']),
  id: z.string(),
  name: z.string(),
  ownerId: z.string().nullable(),
  ownerName: z.string().nullable(),
  status: z.string().nullable(),
  exists: z.boolean().openapi({
    description:
      'false = a document names it, but it is not in the catalog. A DATA_PRODUCT that does not exist is the future provider of a contract, and has the id of that contract.',
  }),
  trust: trustSummary.nullable().openapi({
    description: 'The signals of a data product or an asset that exists; null for other nodes',
  }),
})

const edge = z.object({
  from: z.string().openapi({ description: 'Key of the provider' }),
  to: z.string().openapi({ description: 'Key of the consumer' }),
  contractId: z.string().nullable(),
  contractName: z.string().nullable().openapi({ description: 'null = there is no such contract' }),
  ports: z.array(z.string()).openapi({
    description:
      "Names of the provider's output ports; of the consumer's input ports when the provider is not a product",
  }),
  accessIds: z
    .array(z.string())
    .optional()
    .openapi({ description: 'The active access agreements of the consumer' }),
})

/** The resources upstream and downstream of a data product. */
export const lineage = z
  .object({ nodes: z.array(node), edges: z.array(edge), truncated: z.boolean() })
  .openapi('Lineage')

/** The resources upstream and downstream of a data product, parsed. */
export type Lineage = z.infer<typeof lineage>

/** A source, asset or product that data comes from or goes to. */
export type LineageNode = Omit<Lineage['nodes'][number], 'trust'>

/** A flow of data from a provider to a consumer. */
export type LineageEdge = Lineage['edges'][number]

/** The parts of a port that connect it. */
export interface LineagePort {
  name: string
  contractId: string | undefined
  sourceSystemId: string | undefined
  /** The assets that the port itself names. */
  assets: readonly string[]
}

/** A product with its ports. */
export interface LineageProduct {
  id: string
  name: string
  ownerId: string
  ownerName: string
  status: string | null
  inputs: readonly LineagePort[]
  outputs: readonly LineagePort[]
}

/** Returns the ports of a product with the assets that each names. */
export function listLineagePorts(
  product: DataProduct,
  value: Value,
): Pick<LineageProduct, 'inputs' | 'outputs'> {
  return {
    inputs: toLineagePorts(product.inputPorts, getField(value, 'inputPorts')),
    outputs: toLineagePorts(product.outputPorts, getField(value, 'outputPorts')),
  }
}

function toLineagePorts(
  ports: readonly (InputPort | OutputPort)[],
  list: Value | undefined,
): LineagePort[] {
  const items = Array.isArray(list) ? list.filter(isObject) : []
  return ports.map((port, at) => ({
    name: port.version === undefined ? port.name : `${port.name} ${port.version}`,
    contractId: port.contractId,
    sourceSystemId: 'sourceSystemId' in port ? port.sourceSystemId : undefined,
    assets: namedAssets({ outputPorts: items.slice(at, at + 1) }),
  }))
}

/** The key of a node by its kind and id; keys are unique among all kinds. */
export const nodeKeys = {
  product: (id: string): string => `product:${id}`,
  promise: (contractId: string): string => `contract:${contractId}`,
  source: (id: string): string => `source:${id}`,
  asset: (id: string): string => `asset:${id}`,
}

/**
 * Lists the edges between products: from an output port to every input port that names the same contract or
 * asset.
 */
export function connectProducts(products: readonly LineageProduct[]): LineageEdge[] {
  const providers = new Map<string, Map<string, string[]>>()
  for (const { id, outputs } of products) {
    for (const port of outputs) {
      for (const point of listConnections(port)) {
        const byProduct = providers.get(point) ?? new Map<string, string[]>()
        byProduct.set(id, [...(byProduct.get(id) ?? []), port.name])
        providers.set(point, byProduct)
      }
    }
  }
  const edges = new Map<string, LineageEdge>()
  for (const { id: consumer, inputs } of products) {
    for (const { point, contractId } of inputs.flatMap(listPoints)) {
      for (const [provider, ports] of providers.get(point) ?? []) {
        if (provider === consumer) continue
        const [from, to] = [nodeKeys.product(provider), nodeKeys.product(consumer)]
        edges.set(JSON.stringify([from, to, point]), {
          from,
          to,
          contractId,
          contractName: null,
          ports,
        })
      }
    }
  }
  return [...edges.values()]
}

/** An active agreement by which a data product has access to a port of another one. */
export interface ProductAccess {
  id: string
  from: string
  to: string
  port: string
  contractId: string | null
}

/**
 * Adds the agreements between products to the edges: to the edge of the same contract if there is one, and otherwise as
 * an edge of its own for each contract.
 */
export function connectByAccess(
  edges: readonly LineageEdge[],
  agreements: readonly ProductAccess[],
): LineageEdge[] {
  const toKey = (edge: Pick<LineageEdge, 'from' | 'to' | 'contractId'>): string =>
    JSON.stringify([edge.from, edge.to, edge.contractId])
  const connected = new Set(edges)
  const byKey = new Map(edges.map((edge) => [toKey(edge), edge]))
  for (const { id, from: provider, to: consumer, port, contractId } of agreements) {
    const [from, to] = [nodeKeys.product(provider), nodeKeys.product(consumer)]
    const edge = byKey.get(toKey({ from, to, contractId })) ?? {
      from,
      to,
      contractId,
      contractName: null,
      ports: [],
    }
    edge.accessIds = [...(edge.accessIds ?? []), id]
    if (!edge.ports.includes(port)) edge.ports = [...edge.ports, port]
    byKey.set(toKey(edge), edge)
    connected.add(edge)
  }
  return [...connected]
}

/** Returns the contract and the assets of a port, by which ports are connected. */
export function listConnections(port: LineagePort): string[] {
  return listPoints(port).map(({ point }) => point)
}

// A contract or an asset connects the output ports and input ports that name it.
function listPoints({
  contractId,
  assets,
}: LineagePort): { point: string; contractId: string | null }[] {
  const points = assets.map((id) => ({ point: nodeKeys.asset(id), contractId: null }))
  if (contractId === undefined) return points
  return [{ point: nodeKeys.promise(contractId), contractId }, ...points]
}
