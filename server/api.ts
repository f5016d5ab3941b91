import { createKey, deleteKey } from './api-keys/api.ts'
import {
  deleteDataProduct,
  getDataProduct,
  listDataProducts,
  putDataProduct,
} from './data-products/api.ts'
import { deprecationHeaders } from './data-products/sunset.ts'
import { listEvents } from './events/api.ts'
import { getVersion, listVersions } from './history/api.ts'
import { route, type Route } from './http/endpoint.ts'
import { getSettings } from './organizations/api.ts'
import { deleteTeam, getTeamById, listTeams, putTeam } from './teams/api.ts'

const dataProductVersions = listVersions('data-product', 'listDataProductVersions')
const dataProductVersion = getVersion('data-product', 'getDataProductVersion', deprecationHeaders)
const teamVersions = listVersions('team', 'listTeamVersions')
const teamVersion = getVersion('team', 'getTeamVersion')

/** Every address of the API. A row gives routing, checks, documentation and tests. */
export const api: readonly Route[] = [
  route('GET', '/api/dataproducts', listDataProducts),
  route('GET', '/api/dataproducts/{id}', getDataProduct),
  route('PUT', '/api/dataproducts/{id}', putDataProduct),
  route('DELETE', '/api/dataproducts/{id}', deleteDataProduct),
  route('GET', '/api/dataproducts/{id}/versions', dataProductVersions),
  route('GET', '/api/dataproducts/{id}/versions/{version}', dataProductVersion),

  route('GET', '/api/teams', listTeams),
  route('GET', '/api/teams/{id}', getTeamById),
  route('PUT', '/api/teams/{id}', putTeam),
  route('DELETE', '/api/teams/{id}', deleteTeam),
  route('GET', '/api/teams/{id}/versions', teamVersions),
  route('GET', '/api/teams/{id}/versions/{version}', teamVersion),

  route('GET', '/api/events', listEvents),

  route('POST', '/api/api-keys', createKey),
  route('DELETE', '/api/api-keys/{organizationApiKeyId}', deleteKey),

  route('GET', '/api/organization/settings', getSettings),
]
