import { createKey, deleteKey } from './api-keys/api.ts'
import * as contracts from './data-contracts/api.ts'
import { CONTRACTS } from './data-contracts/service.ts'
import * as products from './data-products/api.ts'
import { PRODUCTS } from './data-products/service.ts'
import { deleteOf, getOf, listOf, putOf } from './documents/api.ts'
import { diffDraftOf, diffOf } from './documents/diff-api.ts'
import { deprecationHeaders } from './documents/sunset.ts'
import { listEvents } from './events/api.ts'
import { getVersion, listVersions } from './history/api.ts'
import { route, type Route } from './http/endpoint.ts'
import { getSettings } from './organizations/api.ts'
import { deleteTeam, getTeamById, listTeams, putTeam } from './teams/api.ts'

const { findDataProduct, listDataProducts } = products
const { findDataContract, findDataContractYaml, listDataContracts } = contracts
const ODPS_OR_DPS = 'ODPS or DPS (deprecated)'
const ODCS_OR_DCS = 'ODCS (2.2, 3.0, 3.1, 3.2) or DCS (0.9 to 1.2.1, deprecated)'
const productVersion = getVersion('data-product', 'getDataProductVersion', deprecationHeaders)
const contractVersion = getVersion('data-contract', 'getDataContractVersion', deprecationHeaders)

/** Every address of the API. A row gives routing, checks, documentation and tests. */
export const api: readonly Route[] = [
  route('GET', '/api/dataproducts', listOf(PRODUCTS, 'listDataProducts', listDataProducts)),
  route('GET', '/api/dataproducts/{id}', getOf(PRODUCTS, 'getDataProduct', findDataProduct)),
  route('PUT', '/api/dataproducts/{id}', putOf(PRODUCTS, 'putDataProduct', ODPS_OR_DPS)),
  route('DELETE', '/api/dataproducts/{id}', deleteOf(PRODUCTS, 'deleteDataProduct')),
  route(
    'GET',
    '/api/dataproducts/{id}/versions',
    listVersions('data-product', 'listDataProductVersions'),
  ),
  route('GET', '/api/dataproducts/{id}/versions/{version}', productVersion),
  route('GET', '/api/dataproducts/{id}/diff', diffOf(PRODUCTS, 'diffDataProduct')),
  route('POST', '/api/dataproducts/{id}/diff', diffDraftOf(PRODUCTS, 'diffDataProductDraft')),
  route('GET', '/api/dataproducts/{id}/contracts', products.listPortContracts),

  route('GET', '/api/datacontracts', listOf(CONTRACTS, 'listDataContracts', listDataContracts)),
  route('GET', '/api/datacontracts/{id}', getOf(CONTRACTS, 'getDataContract', findDataContract)),
  route(
    'GET',
    '/api/datacontracts/{id}/datacontract.yaml',
    getOf(CONTRACTS, 'getDataContractYaml', findDataContractYaml),
  ),
  route('PUT', '/api/datacontracts/{id}', putOf(CONTRACTS, 'putDataContract', ODCS_OR_DCS)),
  route('DELETE', '/api/datacontracts/{id}', deleteOf(CONTRACTS, 'deleteDataContract')),
  route(
    'GET',
    '/api/datacontracts/{id}/versions',
    listVersions('data-contract', 'listDataContractVersions'),
  ),
  route('GET', '/api/datacontracts/{id}/versions/{version}', contractVersion),
  route('GET', '/api/datacontracts/{id}/diff', diffOf(CONTRACTS, 'diffDataContract')),
  route('POST', '/api/datacontracts/{id}/diff', diffDraftOf(CONTRACTS, 'diffDataContractDraft')),
  route('GET', '/api/datacontracts/{id}/model', contracts.getContractModel),
  route('GET', '/api/datacontracts/{id}/export', contracts.exportDataContract),
  route('GET', '/api/datacontracts/{id}/ports', contracts.getContractUse),

  route('GET', '/api/teams', listTeams),
  route('GET', '/api/teams/{id}', getTeamById),
  route('PUT', '/api/teams/{id}', putTeam),
  route('DELETE', '/api/teams/{id}', deleteTeam),
  route('GET', '/api/teams/{id}/versions', listVersions('team', 'listTeamVersions')),
  route('GET', '/api/teams/{id}/versions/{version}', getVersion('team', 'getTeamVersion')),

  route('GET', '/api/events', listEvents),

  route('POST', '/api/api-keys', createKey),
  route('DELETE', '/api/api-keys/{organizationApiKeyId}', deleteKey),

  route('GET', '/api/organization/settings', getSettings),
]
