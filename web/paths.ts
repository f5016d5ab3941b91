import { RECORDS } from '../formats/record/kinds.ts'
import type { RecordKind } from '../formats/record/record-kind.ts'

/**
 * Every link of the pages is built here, so that an address is spelled once. Ids are encoded; a
 * query is given as values, of which those that are undefined, empty or false are left out.
 */

type QueryValue = string | number | boolean | readonly string[] | undefined

/** Puts a query behind an address. */
export function withQuery(path: string, query: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== '' && one !== false) search.append(name, String(one))
    }
  }
  const text = search.toString()
  return text === '' ? path : `${path}?${text}`
}

const part = encodeURIComponent

type Query = Readonly<Record<string, QueryValue>>

function page(path: string) {
  return (query: Query = {}): string => withQuery(path, query)
}

// A page of one thing; `rest` is the part of the address after its id.
function getPage(path: string, rest = '') {
  return (id: string, query: Query = {}): string => withQuery(`${path}/${part(id)}${rest}`, query)
}

/** The addresses of all pages. */
export const paths = {
  home: '/',
  signIn: (to?: string, query: Query = {}) => withQuery('/sign-in', { to, ...query }),
  setUp: '/set-up',
  invitation: '/invitation',
  search: page('/search'),
  dataProducts: '/search?resourceType=DATA_PRODUCT',
  newDataProduct: '/data-products/new',
  dataProduct: getPage('/data-products'),
  editDataProduct: getPage('/data-products', '/edit'),
  dataProductVersions: getPage('/data-products', '/versions'),
  dataProductLineage: getPage('/data-products', '/lineage'),
  dataContracts: '/search?resourceType=DATA_CONTRACT',
  newDataContract: page('/data-contracts/new'),
  dataContract: getPage('/data-contracts'),
  editDataContract: getPage('/data-contracts', '/edit'),
  dataContractVersions: getPage('/data-contracts', '/versions'),
  drift: page('/drift'),
  incidents: page('/incidents'),
  testResults: page('/test-results'),
  testResult: getPage('/test-results'),
  activity: page('/activity'),
  requests: page('/requests'),
  myData: page('/my-data'),
  access: getPage('/access'),
  requestAccess: page('/access/new'),
  notifications: page('/notifications'),
  domains: page('/domains'),
  domain: getPage('/domains'),
  teams: '/teams',
  teamsToJoin: '/teams?next=yes',
  newTeam: page('/teams/new'),
  team: getPage('/teams'),
  editTeam: getPage('/teams', '/edit'),
  assets: page('/assets'),
  asset: getPage('/assets'),
  integrations: '/integrations',
  newIntegration: '/integrations/new',
  integration: getPage('/integrations'),
  editIntegration: getPage('/integrations', '/edit'),
  run: (externalId: string, runId: string, query: Query = {}) =>
    withQuery(`/integrations/${part(externalId)}/runs/${part(runId)}`, query),
  connectors: '/connectors',
  newConnector: '/connectors/new',
  connector: getPage('/connectors'),
  editConnector: getPage('/connectors', '/edit'),
  apiKeys: '/api-keys',
  newApiKey: (query: Query = {}) => withQuery('/api-keys', { new: 'key', ...query }),
  settings: '/settings',
  members: '/settings/members',
  features: '/settings/features',
  teamRoles: '/settings/team-roles',
  customization: '/settings/customization',
  directory: '/settings/directory',
  scimMapping: '/settings/scim-mapping',
  signInSettings: '/settings/sign-in',
  emailTemplates: '/settings/email-templates',
  webhooks: page('/settings/webhooks'),
  webhook: getPage('/settings/webhooks'),
  profile: '/settings/profile',
  notificationSettings: '/settings/notifications',
  health: '/settings/health',
  about: '/settings/about',
  guide: (
    name:
      | 'erase-a-person'
      | 'provisioning'
      | 'first-hour'
      | 'ci'
      | 'reality'
      | 'tests-and-lineage'
      | 'usage'
      | 'webhooks'
      | 'dcat'
      | 'dps-to-odps'
      | 'dcs-to-odcs',
  ) => `/guides/${name}`,
  reference: page('/reference'),
} as const

/** Returns the addresses of the pages of a kind of record. */
export function getRecordPaths({
  pages,
  resourceType,
}: Pick<RecordKind, 'pages' | 'resourceType'>) {
  const one = (id: string): string => `/${pages}/${part(id)}`
  return {
    list: paths.search({ resourceType }),
    new: `/${pages}/new`,
    page: (id: string, query: Readonly<Record<string, QueryValue>> = {}) =>
      withQuery(one(id), query),
    edit: (id: string, query: Readonly<Record<string, QueryValue>> = {}) =>
      withQuery(`${one(id)}/edit`, query),
    versions: (id: string, query: Readonly<Record<string, QueryValue>> = {}) =>
      withQuery(`${one(id)}/versions`, query),
  }
}

/** Returns the page of something that uses another thing, by its kind; undefined = it has none. */
export function pathOfUse({ kind, id }: { kind: string; id: string }): string | undefined {
  switch (kind) {
    case 'access':
      return paths.access(id)
    case 'integration':
      return paths.integration(id)
    case 'data-product':
      return paths.dataProduct(id)
    case 'data-contract':
      return paths.dataContract(id)
    case 'asset':
      return paths.asset(id)
    case 'team':
      return paths.team(id)
    default: {
      const record = RECORDS.find((one) => one.kind === kind)
      return record && getRecordPaths(record).page(id)
    }
  }
}

/** The page of a search result or of anything else that is named by its kind. */
export function pathOfResource(resourceType: string, id: string): string {
  switch (resourceType) {
    case 'DATA_PRODUCT':
      return paths.dataProduct(id)
    case 'DATA_CONTRACT':
      return paths.dataContract(id)
    case 'DATA_ASSET':
      return paths.asset(id)
    case 'TEAM':
      return paths.team(id)
    default: {
      const record = RECORDS.find((kind) => kind.resourceType === resourceType)
      return record === undefined ? paths.search({ query: id }) : getRecordPaths(record).page(id)
    }
  }
}
