/** The statuses of the limited team key in the permission matrix, which follow from those of the team key. */

import { api } from '../../server/api.ts'
import { LIMIT } from '../world.ts'

const ROUTES = new Map(api.map((route) => [`${route.method} ${route.path}`, route]))
const HELD: ReadonlySet<string> = new Set(LIMIT)

/** The reads that need an Owner of the team, or a permission that the limited key lacks. */
const HIDDEN: Readonly<Record<string, string>> = {
  'GET /api/dataproducts/{id}/stargazers': '403',
  'GET /api/webhooks/{id}': '404',
  'GET /api/webhooks/{id}/deliveries': '404',
  'GET /api/webhooks/{id}/deliveries/{deliveryId}': '404',
}

/** The changes that one of several permissions allows, by resources that the requests of the matrix do not have. */
const LACKING: Readonly<Record<string, string>> = {
  // No data product of the team provides the contract.
  'POST /api/incidents/{id}/acknowledge': '403',
}

/** Returns the status of a request of the limited key, which the team key gets with another status. */
export function toLimitedStatus(name: string, ofTeamKey: string | undefined): string {
  const route = ROUTES.get(name)
  if (route === undefined || ofTeamKey === undefined) throw new Error(`${name} has no route`)
  if (route.method === 'GET') return HIDDEN[name] ?? ofTeamKey
  const { permission, limitedKey } = route.described
  if (limitedKey === 'none') return ofTeamKey
  const declared = typeof permission === 'object' ? permission.needs : []
  const needs = [...declared, ...(limitedKey ?? [])]
  return needs.some((one) => HELD.has(one)) ? (LACKING[name] ?? ofTeamKey) : '403'
}
