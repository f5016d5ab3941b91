import * as addresses from './ingestion/integrations/address-api.ts'
import * as drift from './reality/drift/api.ts'
import { getAssetStatistics, getDataContractFreshness } from './reality/freshness/api.ts'
import * as links from './reality/links/api.ts'
import { getTableSql } from './reality/table-sql/api.ts'
import type { Route } from './requests/http/endpoint.ts'
import { route } from './requests/http/route.ts'

/** The addresses of the API that compare contracts with what exists. */
export const realityRoutes: readonly Route[] = [
  route('GET', '/api/datacontracts/{id}/drift', drift.getDrift),
  withNames(route('PUT', '/api/datacontracts/{id}/links/{server}/{model}', links.putLink)),
  withNames(route('DELETE', '/api/datacontracts/{id}/links/{server}/{model}', links.deleteLink)),
  route('GET', '/api/datacontracts/{id}/drift/sql', getTableSql),
  route('POST', '/api/datacontracts/{id}/drift/proposal', drift.postProposal),
  route('GET', '/api/datacontracts/{id}/freshness', getDataContractFreshness),
  route('GET', '/api/assets/{id}/statistics', getAssetStatistics),
  route('GET', '/api/drift', drift.listDrift),
  route('GET', '/api/drift/{id}', drift.getFinding),
  route('PUT', '/api/drift/{id}/acceptance', drift.putAcceptance),
  route('DELETE', '/api/drift/{id}/acceptance', drift.deleteAcceptance),
  route('GET', '/api/integrations/{externalId}/addresses', addresses.getAddresses),
  route('POST', '/api/integrations/{externalId}/addresses', addresses.postAddress),
  route('DELETE', '/api/integrations/{externalId}/addresses', addresses.deleteAddress),
]

// Servers and models have names of any characters.
function withNames(one: Route): Route {
  return { ...one, nameParameters: ['server', 'model'] }
}
