import type { DatasetFacts } from '../../../formats/rdf/dataset.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { ByteCache } from '../../platform/kit/byte-cache.ts'
import { splitBySize } from '../../platform/kit/batches.ts'
import { listContracts, loadContracts, type ContractRow } from './store.ts'
import { readDatasets } from './task.ts'

/** The services that read what RDF needs of contracts. */
export type DatasetServices = Pick<Services, 'db' | 'offload' | 'datasetFacts'>

// The documents of contracts that are in memory at once, unless one is larger.
const BATCH_BYTES_MAX = 2 * 1024 * 1024

// The facts of about 20,000 contracts.
const CACHE_BYTES_MAX = 8 * 1024 * 1024

/** Creates the memory of a process for the facts of contracts. */
export function newDatasetFacts(): ByteCache<DatasetFacts> {
  return new ByteCache(CACHE_BYTES_MAX)
}

/** A contract that exists, with the facts of its document. */
export interface ExistingContract extends ContractRow {
  facts: DatasetFacts
}

/**
 * Finds the contracts that exist, with the facts of their documents, by id. The facts of a document are remembered by the
 * digest of its meaning: most pages of a catalog read no contract. Errors: document_too_costly, overloaded.
 */
export async function findContracts(
  services: DatasetServices,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, ExistingContract>> {
  const found = new Map<string, ExistingContract>()
  if (ids.length === 0) return found
  const { db, offload, datasetFacts } = services
  const rows = await listContracts(db, organizationId, ids)
  const unread: ContractRow[] = []
  for (const row of rows) {
    const known = datasetFacts.get(toKey(organizationId, row))
    if (known === undefined) unread.push(row)
    else found.set(row.id, { ...row, facts: known })
  }
  for (const batch of splitBySize(unread, BATCH_BYTES_MAX, ({ bytes }) => bytes)) {
    const byId = new Map(batch.map((row) => [row.id, row]))
    const loaded = await loadContracts(db, organizationId, [...byId.keys()])
    const texts = loaded.map(({ document }) => ({ document, mediaType: 'application/json' }))
    const input = loaded.map(({ id, document }) => ({ id, document }))
    const results = await offload.run(organizationId, readDatasets, input, texts)
    for (const [at, facts] of results.entries()) {
      const contract = loaded[at]
      const row = byId.get(contract?.id ?? '')
      if (contract === undefined || row === undefined) continue
      found.set(contract.id, { ...row, facts })
      const key = toKey(organizationId, contract)
      datasetFacts.set(key, facts, 2 * (key.length + JSON.stringify(facts).length))
    }
  }
  return found
}

function toKey(organizationId: string, { id, digest }: Pick<ContractRow, 'id' | 'digest'>): string {
  return JSON.stringify([organizationId, id, digest])
}
