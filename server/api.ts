import type { z } from '@hono/zod-openapi'
import { RECORDS, type DeclaredKind } from '../formats/record/kinds.ts'
import type { PlainRecordKind } from '../formats/record/plain-record-kind.ts'
import { PLAIN_RECORDS } from '../formats/record/plain-kinds.ts'
import { describeUnused } from '../formats/settings/lookup.ts'
import { getActivitySeal, listActivityEntries } from './ledger/activity/api.ts'
import { getOutputPortConnection } from './agreements/connection-api.ts'
import * as accessPorts from './agreements/port-api.ts'
import { AGREEMENT_ROUTES } from './agreements/api.ts'
import { createKey, deleteKey } from './people/api-keys/api.ts'
import * as assets from './catalog/assets/api.ts'
import * as contracts from './catalog/data-contracts/api.ts'
import { generateFromContract } from './catalog/data-contracts/generate-api.ts'
import { CONTRACTS } from './catalog/data-contracts/service.ts'
import * as products from './catalog/data-products/api.ts'
import { PRODUCTS } from './catalog/data-products/service.ts'
import {
  createDeleteRoute,
  createGetRoute,
  createListRoute,
  createPutRoute,
  type ListParameters,
  type PutParameters,
} from './documents/api.ts'
import { createDraftDiffRoute, createDiffRoute } from './documents/diff-api.ts'
import type { DocumentLookup, DocumentType } from './documents/document-type.ts'
import {
  contractPutQuery,
  leveledPutQuery,
  ownedPutQuery,
  type ListQuery,
} from './documents/query.ts'
import { deprecationHeaders } from './documents/sunset.ts'
import { listEvents } from './ledger/events/api.ts'
import { getVersion, listVersions } from './ledger/history/api.ts'
import type { DocumentKind } from './ledger/history/revision.ts'
import type { Route } from './requests/http/endpoint.ts'
import { route } from './requests/http/route.ts'
import * as runs from './ingestion/runs/api.ts'
import * as integrations from './ingestion/integrations/api.ts'
import * as accessFindings from './reality/grants/api.ts'
import * as testAccounts from './ingestion/contract-tests/account-api.ts'
import { testContract } from './ingestion/contract-tests/test-api.ts'
import * as integrationGrants from './ingestion/integrations/grant-api.ts'
import * as organizations from './people/organizations/api.ts'
import * as lineageEvents from './reports/lineage-events/api.ts'
import {
  createGetOrganizationDocument,
  createPutOrganizationDocument,
} from './people/organization-documents/api.ts'
import { ORGANIZATION_DOCUMENTS } from './people/organization-documents/kinds.ts'
import { endAccessOfPerson } from './agreements/occasion-service.ts'
import { newDirectoryRoutes } from './people/directory/api.ts'
import { getLineage } from './ledger/ports/lineage-api.ts'
import { createPlainRecordEndpoints } from './documents/plain-records/api.ts'
import { createCatalogRoute, getCatalog } from './catalog/rdf/api.ts'
import { createRecordList, createRecordLookup } from './catalog/records/api.ts'
import { newRecordType } from './catalog/records/service.ts'
import { searchDocuments } from './documents/search/api.ts'
import { listSemanticNamespaces } from './catalog/semantics/api.ts'
import { getSchema } from './catalog/standards/api.ts'
import * as stars from './catalog/stars/api.ts'
import * as tags from './catalog/tags/api.ts'
import { deleteTeam, getTeamById, listTeams, putTeam, teamDocument } from './catalog/teams/api.ts'
import { INCIDENT_ROUTES } from './reality/incidents/api.ts'
import { listContractChecks } from './reports/test-results/check-api.ts'
import * as testResults from './reports/test-results/api.ts'
import { realityRoutes } from './reality-api.ts'
import { getTrust } from './reality/trust/api.ts'
import * as usage from './reports/usage/api.ts'
import * as webhooks from './notices/webhooks/api.ts'

const TEST_ACCOUNT = '/api/integrations/{externalId}/test-account'
const GRANTS = '/api/integrations/{externalId}/grants'
const OUTPUT_PORT = '/api/dataproducts/{id}/outputports/{portId}'
const BRANCH_RESULTS = '/api/datacontracts/{id}/branches/{branch}/test-results'
const ASSIGNED_TAG = '/api/assets/{id}/assigned-tags/{tagId}'

/** Every address of the API. A row gives routing, checks, documentation and tests. */
export const api: readonly Route[] = [
  ...documentRoutes('/api/dataproducts', ['DataProduct', 'DataProducts'], PRODUCTS, {
    list: products.listDataProducts,
    find: products.findDataProduct,
    put: {
      formats: 'ODPS or DPS (deprecated)',
      query: ownedPutQuery,
      notes: [describeUnused('data-product')],
    },
    headersFor: deprecationHeaders,
  }),
  route('GET', '/api/dataproducts/{id}/contracts', products.listPortContracts),
  route('GET', '/api/dataproducts/{id}/lineage', getLineage),
  route('GET', '/api/dataproducts/{id}/usage', usage.getDataProductUsage),
  route('GET', `${OUTPUT_PORT}/access-status`, accessPorts.getPortAccessStatus),
  route('GET', `${OUTPUT_PORT}/connection`, getOutputPortConnection),
  route('GET', `${OUTPUT_PORT}/grants`, accessFindings.getGrants),
  route('POST', `${OUTPUT_PORT}/request-access`, accessPorts.postPortRequest),
  route('GET', '/api/access-findings', accessFindings.listFindings),
  route('GET', '/api/access-findings/{id}', accessFindings.getFinding),
  route('PUT', '/api/access-findings/{id}/acceptance', accessFindings.putAcceptance),
  route('DELETE', '/api/access-findings/{id}/acceptance', accessFindings.deleteAcceptance),
  route('GET', '/api/dataproducts/{id}/star', stars.getStar),
  route('PUT', '/api/dataproducts/{id}/star', stars.putStar),
  route('DELETE', '/api/dataproducts/{id}/star', stars.deleteStar),
  route('GET', '/api/dataproducts/{id}/stargazers', stars.listStargazers),

  ...documentRoutes('/api/datacontracts', ['DataContract', 'DataContracts'], CONTRACTS, {
    list: contracts.listDataContracts,
    find: contracts.findDataContract,
    put: {
      formats: 'ODCS (2.2, 3.0, 3.1, 3.2) or DCS (0.9 to 1.2.1, deprecated)',
      query: contractPutQuery,
      notes: [describeUnused('data-contract')],
    },
    headersFor: deprecationHeaders,
  }),
  route(
    'GET',
    '/api/datacontracts/{id}/datacontract.yaml',
    createGetRoute(CONTRACTS, 'getDataContractYaml', contracts.findDataContractYaml),
  ),
  route('GET', '/api/datacontracts/{id}/model', contracts.getContractModel),
  route('GET', '/api/datacontracts/{id}/export', contracts.exportDataContract),
  route('GET', '/api/datacontracts/{id}/ports', contracts.getContractUse),
  route('POST', '/api/datacontracts/{id}/generate', generateFromContract),
  route('POST', '/api/datacontracts/{id}/test', testContract),
  ...realityRoutes,

  route('GET', '/api/teams', listTeams),
  route('GET', '/api/teams/{id}', getTeamById),
  route('PUT', '/api/teams/{id}', putTeam),
  route('DELETE', '/api/teams/{id}', deleteTeam),
  ...versionRoutes('/api/teams/{id}', 'Team', 'team', teamDocument),

  route('GET', '/api/assets', assets.listAssets),
  route('GET', '/api/assets/{id}', assets.getAssetById),
  route('PUT', '/api/assets/{id}', assets.putAsset),
  route('DELETE', '/api/assets/{id}', assets.deleteAsset),
  ...versionRoutes('/api/assets/{id}', 'Asset', 'asset', assets.assetDocument),
  route('GET', '/api/assets/{id}/model', assets.getAssetModel),
  route('GET', '/api/assets/{id}/assigned-tags', tags.getAssignedTags),
  withSlashes('tagId', route('PUT', ASSIGNED_TAG, tags.putAssignedTag)),
  withSlashes('tagId', route('DELETE', ASSIGNED_TAG, tags.deleteAssignedTag)),

  ...RECORDS.flatMap(recordRoutes),
  ...PLAIN_RECORDS.flatMap(plainRecordRoutes),

  // The routes below `ingest` come first: `ingest` is not the ID of an integration.
  route(
    'GET',
    '/api/integrations/ingest',
    integrations.createListIntegrations('listIngestIntegrations', 'all sources'),
  ),
  route(
    'GET',
    '/api/integrations/ingest/{externalId}',
    integrations.createGetIntegration('getIngestIntegration'),
  ),
  ...runRoutes('/api/integrations/ingest', 'Ingest'),
  route(
    'GET',
    '/api/integrations',
    integrations.createListIntegrations('listIntegrations', 'sources that strict clients know'),
  ),
  route(
    'GET',
    '/api/integrations/{externalId}',
    integrations.createGetIntegration('getIntegration'),
  ),
  route('GET', GRANTS, integrationGrants.getGrantSettings),
  route('PUT', GRANTS, integrationGrants.putGrantSettings),
  route('PUT', `${GRANTS}/names`, integrationGrants.putGrantName),
  route('POST', `${GRANTS}/names/remove`, integrationGrants.removeGrantName),
  route('GET', TEST_ACCOUNT, testAccounts.getTestAccount),
  route('PUT', TEST_ACCOUNT, testAccounts.putTestAccount),
  route('DELETE', TEST_ACCOUNT, testAccounts.deleteTestAccount),
  ...runRoutes('/api/integrations', ''),

  route('POST', '/api/v1/lineage', lineageEvents.postLineageEvent),
  route('POST', '/api/v1/lineage/batch', lineageEvents.postLineageBatch),
  route('GET', '/api/v1/lineage', lineageEvents.listLineageEvents),
  route('DELETE', '/api/v1/lineage', lineageEvents.deleteLineageEvents),

  route('GET', '/api/datacontracts/{id}/checks', listContractChecks),
  ...INCIDENT_ROUTES,
  ...testResults.RESULT_ROUTES,
  route('GET', '/api/trust', getTrust),
  withSlashes('branch', route('GET', BRANCH_RESULTS, testResults.listBranchTestResults)),
  withSlashes('branch', route('POST', BRANCH_RESULTS, testResults.postBranchTestResult)),

  route('POST', '/api/access/evaluation', accessPorts.postAccessEvaluation),
  ...AGREEMENT_ROUTES,

  route(
    'GET',
    '/api/catalog.jsonld',
    createCatalogRoute('application/ld+json', 'getCatalogJsonLd'),
  ),
  route('GET', '/api/catalog.ttl', createCatalogRoute('text/turtle', 'getCatalogTurtle')),

  route('GET', '/api/search', searchDocuments),
  route('GET', '/api/schemas/{file}', getSchema),
  route('GET', '/api/semantics/experimental/namespaces', listSemanticNamespaces),

  route('GET', '/api/webhooks', webhooks.listWebhooks),
  route('POST', '/api/webhooks', webhooks.createWebhook),
  route('GET', '/api/webhooks/{id}', webhooks.getWebhook),
  route('PUT', '/api/webhooks/{id}', webhooks.putWebhook),
  route('DELETE', '/api/webhooks/{id}', webhooks.deleteWebhook),
  route('POST', '/api/webhooks/{id}/rotate-secret', webhooks.rotateWebhookSecret),
  route('POST', '/api/webhooks/{id}/test', webhooks.testWebhook),
  route('POST', '/api/webhooks/{id}/replay', webhooks.replayWebhookDeliveries),
  route('GET', '/api/webhooks/{id}/deliveries', webhooks.listWebhookDeliveries),
  route('GET', '/api/webhooks/{id}/deliveries/{deliveryId}', webhooks.getWebhookDelivery),
  route(
    'POST',
    '/api/webhooks/{id}/deliveries/{deliveryId}/replay',
    webhooks.replayWebhookDelivery,
  ),

  route('GET', '/api/events', listEvents),
  route('GET', '/api/activity', listActivityEntries),
  route('GET', '/api/activity/seal', getActivitySeal),

  route('POST', '/api/v1/traces', usage.postTraces),
  route('GET', '/api/v1/traces', usage.getTraces),
  route('DELETE', '/api/v1/traces', usage.deleteTracesByFilter),

  route('POST', '/api/api-keys', createKey),
  route('DELETE', '/api/api-keys/{organizationApiKeyId}', deleteKey),

  ...newDirectoryRoutes(endAccessOfPerson),

  route('GET', '/api/organization/settings', organizations.getSettings),
  route('GET', '/api/organization/members', organizations.listOrganizationMembers),
  route('GET', '/api/organization/members/{email}', organizations.getOrganizationMember),
  ...ORGANIZATION_DOCUMENTS.flatMap((declared) => [
    route('GET', declared.address, createGetOrganizationDocument(declared)),
    route('PUT', declared.address, createPutOrganizationDocument(declared)),
  ]),
]

/** The addresses of pages that programs read and that are not those of one document. */
export const pageDocuments: readonly Route[] = [route('GET', '/catalog', getCatalog)]

/** The parameters of the routes of one kind of document. */
interface DocumentParameters<Find, List, Put> {
  list: ListParameters<List>
  find: DocumentLookup<Find>
  put: PutParameters<Put>
  headersFor?: typeof deprecationHeaders
}

/** Data products, data contracts and records have the same addresses below their lists. */
function documentRoutes<Find, List extends ListQuery, Put extends z.infer<typeof leveledPutQuery>>(
  path: `/api/${string}`,
  [named, plural]: readonly [string, string],
  type: DocumentType,
  { list, find, put, headersFor }: DocumentParameters<Find, List, Put>,
): Route[] {
  const at = `${path}/{id}` as const
  return [
    route('GET', path, createListRoute(type, `list${plural}`, list)),
    route('GET', at, createGetRoute(type, `get${named}`, find)),
    route('PUT', at, createPutRoute(type, `put${named}`, put)),
    route('DELETE', at, createDeleteRoute(type, `delete${named}`)),
    ...versionRoutes(at, named, type.kind, type.schema, headersFor),
    route('GET', `${at}/diff`, createDiffRoute(type, `diff${named}`)),
    route('POST', `${at}/diff`, createDraftDiffRoute(type, `diff${named}Draft`)),
  ]
}

/** The addresses of a kind of record: `/api/sourcesystems`. */
function recordRoutes(record: DeclaredKind): Route[] {
  const { collection, event, label, hasSlashIds = false } = record
  const routes = documentRoutes(collection, [event, toOperation(label)], newRecordType(record), {
    list: createRecordList(record),
    find: createRecordLookup(record),
    put: { formats: label, query: leveledPutQuery },
  })
  if (!hasSlashIds) return routes
  return routes.map((one) => (one.path === collection ? one : withSlashes('id', one)))
}

/** Lets the ids of a parameter have slashes. */
function withSlashes(slashParameter: string, one: Route): Route {
  return { ...one, slashParameter }
}

// `Source systems` → `SourceSystems`.
function toOperation(label: string): string {
  return label.replaceAll(/(?:^| )(\w)/g, (_, first: string) => first.toUpperCase())
}

/** The addresses of a kind of plain record: `/api/connectors`, or below a team. */
function plainRecordRoutes(kind: PlainRecordKind): Route[] {
  const { collection, holder, id } = kind
  const isOfTeam = holder.by === 'team'
  const list = `/api/${isOfTeam ? 'teams/{id}/' : ''}${collection}` as const
  const one = `${list}/${isOfTeam ? '{channelId}' : '{id}'}` as const
  const endpoints = createPlainRecordEndpoints(kind)
  const own =
    id === 'of the server'
      ? [route('POST', list, endpoints.post)]
      : [route('GET', one, endpoints.get), route('PUT', one, endpoints.put)]
  return [route('GET', list, endpoints.list), ...own, route('DELETE', one, endpoints.remove)]
}

/** Every kind of document has the same addresses for its versions. */
function versionRoutes(
  at: `/api/${string}/{id}`,
  named: string,
  kind: DocumentKind,
  schema: z.ZodType,
  headersFor?: typeof deprecationHeaders,
): Route[] {
  return [
    route('GET', `${at}/versions`, listVersions(kind, `list${named}Versions`)),
    route(
      'GET',
      `${at}/versions/{version}`,
      getVersion(kind, `get${named}Version`, schema, headersFor),
    ),
  ]
}

/** Runs have the same addresses below both lists of integrations. */
function runRoutes(base: `/api/integrations${'' | '/ingest'}`, named: string): Route[] {
  const at = `${base}/{externalId}` as const
  return [
    route('GET', `${at}/runs`, runs.createListRuns(`list${named}Runs`)),
    route('GET', `${at}/runs/latest`, runs.createGetLatestRun(`getLatest${named}Run`)),
    route('GET', `${at}/runs/{ingestionRunId}`, runs.createGetRun(`get${named}Run`)),
    route('POST', `${at}/run`, runs.createTriggerRun(`trigger${named}Run`)),
    route('POST', `${at}/cancel`, runs.createCancelRun(`cancel${named}Run`)),
  ]
}
