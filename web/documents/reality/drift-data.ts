import { api } from '../../api/client.ts'

/** The data that shows differences; out of date after an acceptance or another link. */
export const DRIFT_DATA = [
  '/api/datacontracts/{id}/drift',
  '/api/drift',
  '/ui/assets/{id}/promises',
  '/ui/home',
  { queryKey: ['trust'] },
  '/api/trust',
] as const

/** Returns the query for the differences of a contract. */
export function contractDriftQuery(id: string) {
  return api.queryOptions('get', '/api/datacontracts/{id}/drift', { params: { path: { id } } })
}
