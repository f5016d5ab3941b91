/** The calls of the public Java SDK, each with the status that it needs. */

import { odcs, odps } from '../world.ts'

/** One call of a generated class. */
export interface JavaCall {
  /** The class and the method: `TagsApi.addTag`. */
  readonly name: string
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** The path; `$name` is a value that an earlier call kept. */
  readonly path: string
  readonly body?: object
  readonly status: number
  /** A part of the answer. */
  readonly answers?: object
  /** Values for later calls: the first group of each pattern, found in the answer. */
  readonly keeps?: Readonly<Record<string, RegExp>>
  /** Whether a person's key is sent. */
  readonly caller?: 'user'
}

const TEST_RESULT_ID = '8d4bd4e2-6ad2-4b38-9a4b-96a0e2f6c6a1'

/** The list, put, get and delete of a kind; `id` is encoded as the client does it. */
function crud(
  api: string,
  nouns: readonly [one: string, many: string],
  path: string,
  document: Readonly<Record<string, unknown>>,
): JavaCall[] {
  const own = `${path}/${encodeURIComponent(String(document.id))}`
  const [one, many] = nouns
  return [
    { name: `${api}.get${one}`, method: 'GET', path: own, status: 404 },
    { name: `${api}.add${one}`, method: 'PUT', path: own, body: document, status: 200 },
    { name: `${api}.get${one}`, method: 'GET', path: own, status: 200, answers: document },
    { name: `${api}.get${many}`, method: 'GET', path: `${path}?p=0`, status: 200 },
    { name: `${api}.get${many}`, method: 'GET', path, status: 200 },
    { name: `${api}.delete${one}`, method: 'DELETE', path: own, status: 200 },
    // An asset may be deleted again.
    {
      name: `${api}.delete${one}`,
      method: 'DELETE',
      path: own,
      status: api === 'AssetsApi' ? 200 : 404,
    },
  ]
}

/** Calls that are not served yet. */
function later(api: string, lines: readonly string[]): JavaCall[] {
  return lines.map((line) => {
    const [name = '', method, path = ''] = line.split(' ')
    return {
      name: `${api}.${name}`,
      method: method as JavaCall['method'],
      path,
      status: 404,
      ...(method === 'PUT' ? { body: {} } : {}),
      answers: { detail: 'Unknown address. /openapi.json lists all addresses.' },
    }
  })
}

const TEAMS = crud('TeamsApi', ['Team', 'Teams'], '/api/teams', {
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

const SOURCE_SYSTEMS = crud(
  'SourceSystemsApi',
  ['SourceSystem', 'SourceSystems'],
  '/api/sourcesystems',
  { id: 'erp-core', name: 'ERP', owner: 'a' },
)

const DEFINITIONS = crud('DefinitionsApi', ['Definition', 'Definitions'], '/api/definitions', {
  id: 'checkout/order_id',
  owner: 'a',
  title: 'Order id',
  type: 'string',
})

const TAGS = crud('TagsApi', ['Tag', 'Tags'], '/api/tags', {
  id: 'Governance/PII',
  info: { owner: 'a', description: 'People' },
})

const ASSETS: readonly JavaCall[] = [
  ...crud('AssetsApi', ['Asset', 'Assets'], '/api/assets', {
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
    name: 'AssetsApi.addAssignedTag',
    method: 'PUT',
    path: '/api/assets/orders-table/assigned-tags/Data%2FOpen',
    status: 200,
  },
  {
    name: 'AssetsApi.getAssignedTags',
    method: 'GET',
    path: '/api/assets/orders-table/assigned-tags',
    status: 200,
    answers: ['Data/Open'],
  },
  {
    name: 'AssetsApi.deleteAssignedTag',
    method: 'DELETE',
    path: '/api/assets/orders-table/assigned-tags/Data%2FOpen',
    status: 200,
  },
  {
    name: 'AssetsApi.addAssignedTag',
    method: 'PUT',
    path: '/api/assets/orders-table/assigned-tags/No%2FTag',
    status: 422,
  },
]

const PRODUCTS: readonly JavaCall[] = [
  ...crud(
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
    name: 'DataProductsApi.getStargazers',
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
  ...crud(
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
    name: 'DataContractsApi.generate',
    method: 'POST',
    path: '/api/datacontracts/orders-contract/generate',
    body: { type: 'sql-ddl' },
    status: 200,
    answers: { dataContractId: 'orders-contract', generationType: 'sql-ddl', files: [{}] },
  },
  {
    name: 'DataContractsApi.generate',
    method: 'POST',
    path: '/api/datacontracts/orders-contract/generate',
    body: { type: 'cobol' },
    status: 400,
  },
  {
    name: 'DataContractsApi.test',
    method: 'POST',
    path: '/api/datacontracts/orders-contract/test?server=production',
    status: 422,
  },
]

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

const CONNECTORS: readonly JavaCall[] = crud(
  'ConnectorsApi',
  ['Connector', 'Connectors'],
  '/api/connectors',
  { id: 'java', info: { type: 'access', description: 'Grants', connectorVersion: '1.0.0' } },
)

const TEST_RESULTS: readonly JavaCall[] = [
  {
    name: 'TestResultsApi.addTestResults',
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
    name: 'TestResultsApi.getTestResults',
    method: 'GET',
    path: '/api/test-results?dataContractId=orders-contract&server=production&p=0',
    status: 200,
    answers: [{ id: TEST_RESULT_ID, result: 'warning' }],
  },
  {
    name: 'TestResultsApi.getTestResult',
    method: 'GET',
    path: `/api/test-results/${TEST_RESULT_ID}`,
    status: 200,
    answers: { result: 'warning', checks: [{ name: 'rows' }] },
  },
  {
    name: 'TestResultsApi.deleteTestResult',
    method: 'DELETE',
    path: `/api/test-results/${TEST_RESULT_ID}`,
    status: 200,
  },
  {
    name: 'TestResultsApi.getTestResult',
    method: 'GET',
    path: `/api/test-results/${TEST_RESULT_ID}`,
    status: 404,
  },
]

const AGREEMENT = {
  id: 'r1',
  info: { purpose: 'Reports', startDate: '2026-01-01' },
  provider: { dataProductId: 'orders', outputPortId: 'current' },
  consumer: { teamId: 'a' },
}

const REPORT = {
  platform: 'snowflake',
  executor: 'connector',
  reference: 'SALES_READ',
  diagnostics: null,
  customProperties: [{ property: 'role', value: 'reader' }],
  links: {},
}

// Connectors grant access when it is activated, report it, and add tags to what they have read.
const ACCESS: readonly JavaCall[] = [
  ...accessCalls('getAccess GET /api/access/r1 404'),
  ...accessCalls('addAccess PUT /api/access/r1 200', AGREEMENT, {
    info: { status: 'requested', active: false },
  }),
  ...accessCalls(
    'getAllAccess GET /api/access?p=0&pageSize=1000&consumerType=team 200',
    undefined,
    [AGREEMENT],
  ),
  ...accessCalls('approveAccess POST /api/access/r1/approve 200'),
  ...accessCalls('getAccess GET /api/access/r1 200', undefined, {
    info: { status: 'approved', active: true },
  }),
  ...accessCalls('getAccessProvisioning GET /api/access/r1/provisioning 404'),
  ...(['provisioning', 'deprovisioning'] as const).flatMap((way) =>
    (['started', 'failed', 'succeeded'] as const).flatMap((end) =>
      accessCalls(`${way}${end} POST /api/access/r1/provisioning/${way}-${end} 200`, REPORT, {
        status: { started: way, failed: `${way}-failed`, succeeded: `${way.slice(0, -3)}ed` }[end],
        platform: 'snowflake',
      }),
    ),
  ),
  ...accessCalls('putAccessProvisioning PUT /api/access/r1/provisioning 200', {
    status: 'provisioned',
    platform: 'snowflake',
  }),
  ...accessCalls('getAccessProvisioning GET /api/access/r1/provisioning 200', undefined, {
    status: 'provisioned',
  }),
  ...accessCalls('addAccess PUT /api/access/r1 200', {
    ...AGREEMENT,
    info: { ...AGREEMENT.info, status: 'approved', active: true },
    tags: ['granted'],
    provisioning: { status: 'provisioned' },
  }),
  ...accessCalls('cancelAccess POST /api/access/r1/cancel 200'),
  ...accessCalls('addAccess PUT /api/access/r2 200', { ...AGREEMENT, id: 'r2' }),
  ...accessCalls('rejectAccess POST /api/access/r2/reject 200'),
  ...accessCalls('rejectAccess POST /api/access/none/reject 404'),
  ...accessCalls('deleteAccess DELETE /api/access/r1 200'),
  ...accessCalls('deleteAccess DELETE /api/access/r1 404'),
]

function accessCalls(line: string, body?: object, answers?: object): JavaCall[] {
  const [name = '', method, path = '', status] = line.split(' ')
  return [
    {
      name: `AccessApi.${name}`,
      method: method as JavaCall['method'],
      path,
      status: Number(status),
      ...(body === undefined ? {} : { body }),
      ...(answers === undefined ? {} : { answers }),
    },
  ]
}

const GIT = ['dataproducts/orders', 'datacontracts/orders-contract'].flatMap((path) =>
  later('GitConnectionApi', [
    `importFromGit POST /api/${path.split('/')[0]}/import/git`,
    `getGitConnection GET /api/${path}/gitconnection`,
    `putGitConnection PUT /api/${path}/gitconnection`,
    `pull POST /api/${path}/gitconnection/pull`,
    `push POST /api/${path}/gitconnection/push`,
    `pushPr POST /api/${path}/gitconnection/push-pr`,
    `deleteGitConnection DELETE /api/${path}/gitconnection`,
  ]),
)

/** All calls in an order in which each can succeed. */
export const JAVA_CALLS: readonly JavaCall[] = [
  ...TEAMS,
  TEAMS_OF_A_MEMBER,
  ...SOURCE_SYSTEMS,
  ...DEFINITIONS,
  ...TAGS,
  ...ASSETS,
  ...PRODUCTS,
  ...CONTRACTS,
  ...COSTS,
  ...CONNECTORS,
  ...TEST_RESULTS,
  ...ACCESS,
  ...GIT,
]
