/** A resource in a list; those without signals are ignored. */
export interface TrustedRef {
  resourceType: string
  id: string
  /** Of an output port: its data product. */
  dataProductId?: string
}

/** The query of one request for signals. */
export interface TrustQuery {
  dataProductId: string[]
  outputPortId: string[]
  dataContractId: string[]
  assetId: string[]
}

/** The maximum number of ids that the server answers at once. */
const IDS_MAX = 100

/**
 * Splits resources into requests, so that a list of any length has signals. Requests of a list that grows at its end stay
 * the same up to the last one.
 */
export function splitIntoRequests(refs: readonly TrustedRef[]): TrustQuery[] {
  const distinct = [...new Map(refs.map((ref) => [getTrustName(ref), ref])).values()]
  const ports = distinct.filter(({ resourceType }) => resourceType === 'OUTPUT_PORT')
  const products = new Set(ports.map(({ dataProductId }) => dataProductId))
  // The answer about ports has their data products.
  const documents = distinct.filter(
    ({ resourceType, id }) =>
      resourceType === 'DATA_CONTRACT' ||
      resourceType === 'DATA_ASSET' ||
      (resourceType === 'DATA_PRODUCT' && !products.has(id)),
  )
  const [product] = products
  return [
    ...(products.size === 1 && product !== undefined
      ? split(ports, IDS_MAX - 1).map((list) => newQuery({ dataProductId: [product], list }))
      : split(ports, IDS_MAX / 2).map((list) =>
          newQuery({ dataProductId: list.map(({ dataProductId = '' }) => dataProductId), list }),
        )),
    ...split(documents, IDS_MAX).map((list) => newQuery({ dataProductId: [], list })),
  ]
}

// Ports are named with their data product, or each with the data product at the same position.
function newQuery({
  dataProductId,
  list,
}: Pick<TrustQuery, 'dataProductId'> & { list: readonly TrustedRef[] }): TrustQuery {
  const listIds = (type: string): string[] =>
    list.flatMap(({ resourceType, id }) => (resourceType === type ? [id] : []))
  return {
    dataProductId: [...dataProductId, ...listIds('DATA_PRODUCT')],
    outputPortId: listIds('OUTPUT_PORT'),
    dataContractId: listIds('DATA_CONTRACT'),
    assetId: listIds('DATA_ASSET'),
  }
}

/** Returns the name of a resource, which no other resource has. */
export function getTrustName(ref: {
  resourceType: string
  id: string
  dataProductId?: string | null
}): string {
  return JSON.stringify([ref.resourceType, ref.dataProductId ?? null, ref.id])
}

function split<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size))
}
