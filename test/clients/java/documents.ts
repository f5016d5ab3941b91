/** The calls for data products and data contracts. */

import { odcs, odps } from '../../world.ts'
import { listCrudCalls, type JavaCall } from './java-call.ts'

const PRODUCTS: readonly JavaCall[] = [
  ...listCrudCalls(
    'DataProductsApi',
    ['DataProduct', 'DataProducts'],
    '/api/dataproducts',
    odps('java-product'),
  ),
  ...[
    'q=orders',
    'teamId=a',
    'archetype=source-aligned',
    'status=active',
    'tag=x',
    'sort=name',
  ].map((query): JavaCall => ({
    name: `DataProductsApi.getDataProducts ${query}`,
    method: 'GET',
    path: `/api/dataproducts?${query}&p=0`,
    status: 200,
  })),
  {
    name: 'DataProductsApi.addDataProduct',
    method: 'PUT',
    path: '/api/dataproducts/invalid',
    body: { id: 'invalid' },
    status: 422,
  },
  {
    name: 'DataProductsApi.starDataProduct',
    method: 'PUT',
    path: '/api/dataproducts/orders/star',
    status: 403,
  },
  {
    name: 'DataProductsApi.starDataProduct',
    method: 'PUT',
    path: '/api/dataproducts/orders/star',
    caller: 'user',
    status: 204,
  },
  {
    name: 'DataProductsApi.getDataProductStar',
    method: 'GET',
    path: '/api/dataproducts/orders/star',
    caller: 'user',
    status: 200,
    answers: { count: 1, starredByMe: true },
  },
  {
    name: 'DataProductsApi.getDataProductStargazers',
    method: 'GET',
    path: '/api/dataproducts/orders/stargazers',
    caller: 'user',
    status: 200,
  },
  {
    name: 'DataProductsApi.unstarDataProduct',
    method: 'DELETE',
    path: '/api/dataproducts/orders/star',
    caller: 'user',
    status: 204,
  },
]

const CONTRACTS: readonly JavaCall[] = [
  ...listCrudCalls(
    'DataContractsApi',
    ['DataContract', 'DataContracts'],
    '/api/datacontracts',
    odcs('java-contract'),
  ),
  ...['q=orders', 'owner=Team%20A', 'teamId=a', 'tag=x', 'status=active', 'sort=name'].map(
    (query): JavaCall => ({
      name: `DataContractsApi.getDataContracts ${query}`,
      method: 'GET',
      path: `/api/datacontracts?${query}&p=0`,
      status: 200,
    }),
  ),
  {
    name: 'DataContractsApi.generateDataContractCode',
    method: 'POST',
    path: '/api/datacontracts/orders-contract/generate',
    body: { type: 'sql-ddl' },
    status: 200,
    answers: { dataContractId: 'orders-contract', generationType: 'sql-ddl', files: [{}] },
  },
  {
    name: 'DataContractsApi.generateDataContractCode',
    method: 'POST',
    path: '/api/datacontracts/orders-contract/generate',
    body: { type: 'cobol' },
    status: 400,
  },
  {
    name: 'DataContractsApi.testDataContract',
    method: 'POST',
    path: '/api/datacontracts/orders-contract/test?server=production',
    status: 422,
  },
]

/** The calls for data products and data contracts. */
export const DOCUMENT_CALLS: readonly JavaCall[] = [...PRODUCTS, ...CONTRACTS]
