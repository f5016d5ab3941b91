import { z } from '@hono/zod-openapi'
import { namedAssets } from '../../formats/asset/named-assets.ts'
import type { DataProduct, InputPort, OutputPort } from '../../formats/data-product/data-product.ts'
import { fieldOf, isObject, type Value } from '../../formats/text/value.ts'

/**
 * Lineage is where data comes from and where it goes: from source systems and assets into a product,
 * and from product to product through the contracts that their ports name. It is drawn around one
 * product, so many steps each way; whatever the mesh looks like, it has an end.
 */

/** Nodes of one answer at most, and edges. */
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
      'false = a document names it, but it is not in the catalog. A DATA_PRODUCT that does not exist stands for whoever will provide a contract, and has the id of that contract.',
  }),
})

const edge = z.object({
  from: z.string().openapi({ description: 'Key of the provider' }),
  to: z.string().openapi({ description: 'Key of the consumer' }),
  contractId: z.string().nullable(),
  contractName: z.string().nullable().openapi({ description: 'null = there is no such contract' }),
  ports: z.array(z.string()).openapi({
    description:
      "Names of the provider's output ports; of the consumer's input ports when the provider is no product",
  }),
})

/** What is upstream and downstream of a data product. */
export const lineage = z
  .object({ nodes: z.array(node), edges: z.array(edge), truncated: z.boolean() })
  .openapi('Lineage')

/** What is upstream and downstream of a data product. */
export type Lineage = z.infer<typeof lineage>

/** A thing that data comes from or goes to. */
export type LineageNode = Lineage['nodes'][number]

/** A way that data takes. */
export type LineageEdge = Lineage['edges'][number]

/** A port as lineage needs it. */
export interface LineagePort {
  name: string
  contractId: string | undefined
  sourceSystemId: string | undefined
  /** The assets that the port itself names. */
  assets: readonly string[]
}

/** A product as lineage needs it. */
export interface LineageProduct {
  id: string
  name: string
  ownerId: string
  ownerName: string
  status: string | null
  inputs: readonly LineagePort[]
  outputs: readonly LineagePort[]
}

/** The ports of a product with the assets that each names. */
export function lineagePortsOf(
  product: DataProduct,
  value: Value,
): Pick<LineageProduct, 'inputs' | 'outputs'> {
  return {
    inputs: portsIn(product.inputPorts, fieldOf(value, 'inputPorts')),
    outputs: portsIn(product.outputPorts, fieldOf(value, 'outputPorts')),
  }
}

function portsIn(
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

/** The keys of what may stand in a lineage besides each other's ids. */
export const keyOf = {
  product: (id: string): string => `product:${id}`,
  promise: (contractId: string): string => `contract:${contractId}`,
  source: (id: string): string => `source:${id}`,
  asset: (id: string): string => `asset:${id}`,
}

/** The ways between products: from an output port to every input port that names the same thing. */
export function edgesBetween(products: readonly LineageProduct[]): LineageEdge[] {
  const providers = new Map<string, Map<string, string[]>>()
  for (const { id, outputs } of products) {
    for (const port of outputs) {
      for (const point of pointsOf(port)) {
        const byProduct = providers.get(point) ?? new Map<string, string[]>()
        byProduct.set(id, [...(byProduct.get(id) ?? []), port.name])
        providers.set(point, byProduct)
      }
    }
  }
  const edges = new Map<string, LineageEdge>()
  for (const { id: consumer, inputs } of products) {
    for (const { point, contractId } of inputs.flatMap(pointsWithContract)) {
      for (const [provider, ports] of providers.get(point) ?? []) {
        if (provider === consumer) continue
        const [from, to] = [keyOf.product(provider), keyOf.product(consumer)]
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

/** What a port provides or asks for, by which it meets others: its contract, and its assets. */
export function pointsOf(port: LineagePort): string[] {
  return pointsWithContract(port).map(({ point }) => point)
}

function pointsWithContract({
  contractId,
  assets,
}: LineagePort): { point: string; contractId: string | null }[] {
  const points = assets.map((id) => ({ point: keyOf.asset(id), contractId: null }))
  if (contractId === undefined) return points
  return [{ point: keyOf.promise(contractId), contractId }, ...points]
}
