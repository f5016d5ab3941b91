/** The calls for costs, connectors, test results and Git. */

import { listCrudCalls, listLaterCalls, type JavaCall } from './java-call.ts'

const TEST_RESULT_ID = '8d4bd4e2-6ad2-4b38-9a4b-96a0e2f6c6a1'

const COSTS: readonly JavaCall[] = [
  {
    name: 'CostsApi.addCost',
    method: 'POST',
    path: '/api/costs',
    body: {
      dataProductId: 'orders',
      name: 'Compute',
      amount: 12.5,
      currency: 'EUR',
      yearMonth: '2026-01',
    },
    status: 200,
  },
  {
    name: 'CostsApi.getCosts',
    method: 'GET',
    path: '/api/costs?dataProductId=orders',
    status: 200,
    answers: [{ name: 'Compute', amount: 12.5 }],
    keeps: { cost: /"id": ?"([^"]+)"/ },
  },
  { name: 'CostsApi.deleteCost', method: 'DELETE', path: '/api/costs/$cost', status: 200 },
  { name: 'CostsApi.deleteCost', method: 'DELETE', path: '/api/costs/$cost', status: 404 },
]

const CONNECTORS: readonly JavaCall[] = listCrudCalls(
  'ConnectorsApi',
  ['Connector', 'Connectors'],
  '/api/connectors',
  { id: 'java', info: { type: 'access', description: 'Grants', connectorVersion: '1.0.0' } },
)

const TEST_RESULTS: readonly JavaCall[] = [
  {
    name: 'TestResultsApi.postTestResults',
    method: 'POST',
    path: '/api/test-results',
    body: {
      id: TEST_RESULT_ID,
      dataContractId: 'orders-contract',
      server: 'production',
      timestampStart: '2026-01-05T08:00:00Z',
      timestampEnd: '2026-01-05T08:00:04Z',
      result: 'warning',
      checks: [{ type: 'row_count', name: 'rows', result: 'warning', model: 'orders' }],
    },
    status: 200,
  },
  {
    name: 'TestResultsApi.getAllTestResults',
    method: 'GET',
    path: '/api/test-results?dataContractId=orders-contract&server=production&p=0',
    status: 200,
    answers: [{ id: TEST_RESULT_ID, result: 'warning' }],
  },
  {
    name: 'TestResultsApi.getTestResults',
    method: 'GET',
    path: `/api/test-results/${TEST_RESULT_ID}`,
    status: 200,
    answers: { result: 'warning', checks: [{ name: 'rows' }] },
  },
  {
    name: 'TestResultsApi.deleteTestResults',
    method: 'DELETE',
    path: `/api/test-results/${TEST_RESULT_ID}`,
    status: 200,
  },
  {
    name: 'TestResultsApi.getTestResults',
    method: 'GET',
    path: `/api/test-results/${TEST_RESULT_ID}`,
    status: 404,
  },
]

/** The calls for Git, which is not served yet. */
export const GIT_CALLS: readonly JavaCall[] = [
  'dataproducts/orders',
  'datacontracts/orders-contract',
].flatMap((path) =>
  listLaterCalls('GitConnectionApi', [
    `importFromGit POST /api/${path.split('/')[0]}/import/git`,
    `getGitConnection GET /api/${path}/gitconnection`,
    `putGitConnection PUT /api/${path}/gitconnection`,
    `pull POST /api/${path}/gitconnection/pull`,
    `push POST /api/${path}/gitconnection/push`,
    `pushPr POST /api/${path}/gitconnection/push-pr`,
    `deleteGitConnection DELETE /api/${path}/gitconnection`,
  ]),
)

/** The calls for costs, connectors and test results. */
export const OPERATION_CALLS: readonly JavaCall[] = [...COSTS, ...CONNECTORS, ...TEST_RESULTS]
