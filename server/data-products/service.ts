import type { DocumentChange, DocumentType, RegisteredDocument } from '../documents/document.ts'
import { getDocument } from '../documents/read-service.ts'
import type { ReadingServices, Services } from '../http/endpoint.ts'
import type { PortContract } from '../ports/port.ts'
import { affectedAmong, contractsOfPorts, danglingWarnings, usersOf } from '../ports/service.ts'
import { listLinkedPortsOfEach, runOnProducts } from '../ports/task.ts'
import { PRODUCT_READER, type ProductOutlook } from './data-product.ts'
import { PRODUCT_TASKS, writeOdps } from './task.ts'

/** Data products, as the rules of documents see them. */
export const PRODUCTS: DocumentType<ProductOutlook> = {
  kind: PRODUCT_READER.kind,
  table: 'data_product',
  called: PRODUCT_READER.called,
  pages: 'data-products',
  bytesMax: 1024 * 1024,
  nodesMax: PRODUCT_READER.nodesMax,
  tasks: PRODUCT_TASKS,
  consequencesOf,
  refuseUse: async () => undefined,
}

// A change concerns whoever reads a contract that a changed or removed output port provides.
async function consequencesOf(
  work: ReadingServices,
  { organizationId, id, outlook }: DocumentChange<ProductOutlook>,
) {
  const contracts = await contractsOfPorts(work.db, organizationId, outlook.ports)
  const users = await usersOf(work, organizationId, outlook.touchedContracts)
  const consumers = users
    .filter((user) => user.id !== id)
    .map((user) => ({
      ...user,
      ports: user.ports.filter(({ direction }) => direction === 'input'),
    }))
    .filter(({ ports }) => ports.length > 0)
  return {
    affected: affectedAmong(consumers),
    contracts,
    warnings: danglingWarnings(outlook.places, contracts),
  }
}

/** The ports of a stored product that name a contract, each with the contract. Errors: not_found. */
export async function portsOf(
  { db, offload }: ReadingServices,
  organizationId: string,
  id: string,
): Promise<PortContract[]> {
  const stored = await getDocument(db, PRODUCTS, organizationId, id)
  const product = { id, document: stored.documentJson ?? stored.document }
  const [ports] = await runOnProducts(offload, organizationId, listLinkedPortsOfEach, [product])
  return await contractsOfPorts(db, organizationId, ports ?? [])
}

/** The ODPS form of a stored product: itself, or a DPS document converted. */
export async function odpsFormOf(
  offload: Services['offload'],
  organizationId: string,
  stored: RegisteredDocument,
  id: string,
): Promise<RegisteredDocument> {
  if (stored.format === 'odps') return stored
  const { document, mediaType } = stored
  const input = { document, mediaType, id }
  const converted = await offload.runOnce(organizationId, writeOdps, input, stored, id)
  return {
    document: converted.text,
    documentJson: null,
    mediaType: 'application/json',
    format: 'odps',
    digest: `${stored.digest}.odps`,
    ownerId: stored.ownerId,
  }
}
