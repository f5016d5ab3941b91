import { api } from '../../api/client.ts'
import { TRUST_DATA } from '../trust-data.ts'

/** The data that shows differences; out of date after an acceptance or another link. */
export const DRIFT_DATA = [
  '/api/datacontracts/{id}/drift',
  '/api/drift',
  '/ui/assets/{id}/promises',
  '/api/datacontracts/{id}/freshness',
  '/api/incidents',
  ...TRUST_DATA,
] as const

/** Returns the query for the differences of a contract. */
export function contractDriftQuery(id: string) {
  return api.queryOptions('get', '/api/datacontracts/{id}/drift', { params: { path: { id } } })
}
