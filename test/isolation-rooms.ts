import { LINEAGE } from './permissions/requests.ts'

/** Returns whether the probe of a route needs a document of a collection. */
export function needsRoom(route: string, room: string): boolean {
  if (route === LINEAGE) return room === 'dataproducts'
  if (route === '/api/trust') return room === 'dataproducts' || room === 'datacontracts'
  if (route.startsWith('/api/catalog.')) return room === 'dataproducts' || room === 'datacontracts'
  return (
    route.includes(room) || (/test-results|drift|incidents/.test(route) && room === 'datacontracts')
  )
}
