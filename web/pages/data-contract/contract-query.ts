import type { ContractFacts } from '../../../formats/data-contract/data-contract.ts'
import { api } from '../../api/client.ts'
import type { ShownDocument } from '../../documents/document-page.tsx'

/** A data contract as its page shows it. */
export type ShownContract = ShownDocument<ContractFacts>

/** Returns the query for the models of a contract. */
export function modelQuery(id: string) {
  return api.queryOptions('get', '/api/datacontracts/{id}/model', { params: { path: { id } } })
}
