import { odpsFromDps } from '../../formats/data-product/convert.ts'
import { readDataProduct } from '../../formats/data-product/read.ts'
import { diffDataProducts } from '../../formats/diff/diff.ts'
import { NODES_MAX } from '../../formats/json-scan.ts'
import { jsonText } from '../../formats/text.ts'
import { readingOf } from '../documents/document.ts'
import type { DocumentChange, DocumentType, RegisteredDocument } from '../documents/document.ts'
import { getDocument } from '../documents/read-service.ts'
import { readStored } from '../http/document.ts'
import type { PortContract } from '../ports/port.ts'
import { productEntry } from '../search/entry.ts'
import { affectedAmong, contractsOfPorts, danglingWarnings, usersOf } from '../ports/service.ts'
import type { Database } from '../tables.ts'
import { columnsOf, contractsOf, eventsOf, readOf, touchedPorts } from './data-product.ts'
import type { ReadProduct } from './data-product.ts'

/** Data products, as the rules of documents see them. */
export const PRODUCTS: DocumentType<ReadProduct> = {
  kind: 'data-product',
  table: 'data_product',
  called: 'data product',
  pages: 'data-products',
  bytesMax: 1024 * 1024,
  nodesMax: NODES_MAX,
  read: (source, options) => readingOf(readDataProduct(source, options), readOf),
  ownerPath: ({ product }) => (product.format === 'odps' ? ['team', 'name'] : ['info', 'owner']),
  columnsOf,
  entryOf: ({ product }) => productEntry(product),
  diff: diffDataProducts,
  eventsOf,
  consequencesOf,
  refuseUse: async () => undefined,
}

// A change concerns whoever reads a contract that a changed or removed output port provides.
async function consequencesOf(
  db: Database,
  { organizationId, id, source, before, after, isSame }: DocumentChange<ReadProduct>,
) {
  const { product } = after
  const contracts = await contractsOfPorts(db, organizationId, product)
  const touched = before === undefined || isSame ? [] : touchedPorts(before.product, product)
  const users = await usersOf(db, organizationId, contractsOf(touched))
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
    warnings: danglingWarnings(source, product, contracts),
  }
}

/** The ports of a stored product that name a contract, each with the contract. Errors: not_found. */
export async function portsOf(
  db: Database,
  organizationId: string,
  id: string,
): Promise<PortContract[]> {
  const stored = await getDocument(db, PRODUCTS, organizationId, id)
  const reading = readDataProduct(readStored(stored), { id, strict: false })
  return reading.ok ? await contractsOfPorts(db, organizationId, reading.product) : []
}

/** The ODPS form of a stored product: itself, or a DPS document converted. */
export function odpsFormOf(stored: RegisteredDocument, id: string): RegisteredDocument {
  if (stored.format === 'odps') return stored
  const converted = odpsFromDps(readStored(stored).spelled(), id)
  return {
    document: jsonText(converted),
    documentJson: null,
    mediaType: 'application/json',
    format: 'odps',
    digest: `${stored.digest}.odps`,
  }
}
