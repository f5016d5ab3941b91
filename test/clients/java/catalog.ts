/** The calls for teams, records and assets. */

import { listCrudCalls, type JavaCall } from './java-call.ts'

const TEAMS = listCrudCalls('TeamsApi', ['Team', 'Teams'], '/api/teams', {
  id: 'java',
  name: 'Java',
  type: 'Team',
  description: 'Connectors',
})

const TEAMS_OF_A_MEMBER: JavaCall = {
  name: 'TeamsApi.getTeams email',
  method: 'GET',
  path: '/api/teams?email=nobody%40example.test&p=0',
  status: 200,
}

const SOURCE_SYSTEMS = listCrudCalls(
  'SourceSystemsApi',
  ['SourceSystem', 'SourceSystems'],
  '/api/sourcesystems',
  { id: 'erp-core', name: 'ERP', owner: 'a' },
)

const DEFINITIONS = listCrudCalls(
  'DefinitionsApi',
  ['Definition', 'Definitions'],
  '/api/definitions',
  {
    id: 'checkout/order_id',
    owner: 'a',
    title: 'Order id',
    type: 'string',
  },
)

const TAGS = listCrudCalls('TagsApi', ['Tag', 'Tags'], '/api/tags', {
  id: 'Governance/PII',
  info: { owner: 'a', description: 'People' },
})

const ASSETS: readonly JavaCall[] = [
  ...listCrudCalls('AssetsApi', ['Asset', 'Assets'], '/api/assets', {
    id: 'shop-sales',
    info: { name: 'sales', type: 'schema', source: 'postgres', owner: 'a' },
  }),
  {
    name: 'TagsApi.addTag',
    method: 'PUT',
    path: '/api/tags/Data%2FOpen',
    body: { id: 'Data/Open', info: {} },
    status: 200,
  },
  {
    name: 'AssetsApi.putAssetTag',
    method: 'PUT',
    path: '/api/assets/orders-table/assigned-tags/Data%2FOpen',
    status: 200,
  },
  {
    name: 'AssetsApi.getAssetTags',
    method: 'GET',
    path: '/api/assets/orders-table/assigned-tags',
    status: 200,
    answers: ['Data/Open'],
  },
  {
    name: 'AssetsApi.deleteAssetTag',
    method: 'DELETE',
    path: '/api/assets/orders-table/assigned-tags/Data%2FOpen',
    status: 200,
  },
  {
    name: 'AssetsApi.putAssetTag',
    method: 'PUT',
    path: '/api/assets/orders-table/assigned-tags/No%2FTag',
    status: 422,
  },
]

/** The calls for teams, records and assets, in an order in which each can succeed. */
export const CATALOG_CALLS: readonly JavaCall[] = [
  ...TEAMS,
  TEAMS_OF_A_MEMBER,
  ...SOURCE_SYSTEMS,
  ...DEFINITIONS,
  ...TAGS,
  ...ASSETS,
]
