import type { ReadingServices } from '../../requests/http/endpoint.ts'
import { listPlacesOfEach, type DefinitionUses } from './use.ts'
import * as store from './use-store.ts'

/**
 * Lists the data contracts that name a definition, with their places, by contract id after an id. The definition need
 * not exist. Errors: document_too_costly, overloaded.
 */
export async function listDefinitionUses(
  { db, offload }: ReadingServices,
  organizationId: string,
  definitionId: string,
  afterId: string,
): Promise<DefinitionUses> {
  const [contracts, total] = await Promise.all([
    store.listContractsNaming(db, organizationId, definitionId, afterId),
    store.countContractsNaming(db, organizationId, definitionId),
  ])
  const remaining = contracts[0]?.remaining ?? 0
  const documents = contracts.map(({ document }) => document)
  const texts = documents.map((document) => ({ document, mediaType: 'application/json' }))
  const input = { definitionId, documents }
  const placesByContract =
    documents.length === 0 ? [] : await offload.run(organizationId, listPlacesOfEach, input, texts)
  return {
    total,
    uses: contracts.map(({ id, name, ownerId, ownerName }, at) => ({
      contractId: id,
      contractName: name,
      ownerId,
      ownerName,
      places: placesByContract[at]?.places ?? [],
      placeCount: placesByContract[at]?.count ?? 0,
    })),
    next: remaining > contracts.length ? (contracts.at(-1)?.id ?? null) : null,
  }
}
