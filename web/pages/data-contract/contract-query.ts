import type { ContractFacts } from '../../../formats/data-contract/data-contract.ts'
import { api } from '../../api/client.ts'
import type { ShownDocument } from '../../documents/document-page.tsx'

/** A data contract as its page shows it. */
export type ShownContract = ShownDocument<ContractFacts>

/** Returns the query for the models of a contract. */
export function modelQuery(id: string) {
  return api.queryOptions('get', '/api/datacontracts/{id}/model', { params: { path: { id } } })
}

/** Returns the query for the integrations that read the servers of a contract. */
export function serverSourcesQuery(id: string) {
  const params = { path: { id } }
  return api.queryOptions('get', '/ui/datacontracts/{id}/server-sources', { params })
}

/** The views of a data contract's page. */
export const VIEWS = [
  { key: 'overview', title: 'Overview' },
  { key: 'quality', title: 'Quality' },
  { key: 'servers', title: 'Servers' },
  { key: 'reality', title: 'Reality' },
  { key: 'use', title: 'Used by' },
  { key: 'exports', title: 'Exports' },
  { key: 'history', title: 'History' },
  { key: 'source', title: 'Source' },
] as const

/** The state of a contract page in its address. */
export const CONTRACT_URL_STATE = {
  view: 'overview',
  /** The search text among fields or rules. */
  q: '',
  /** The export that is shown, and the dialect of its SQL. */
  as: 'odcs',
  dialect: '',
  /** Whether next steps are shown: `yes` after it was saved. */
  next: '',
}
