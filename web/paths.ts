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

/** The addresses of all pages. */
export const paths = {
  home: '/',
  signIn: (to?: string) => withQuery('/sign-in', { to }),
  setUp: '/set-up',
  invitation: '/invitation',
  search: (query: Readonly<Record<string, QueryValue>> = {}) => withQuery('/search', query),
  dataProducts: '/search?resourceType=DATA_PRODUCT',
  newDataProduct: '/data-products/new',
  dataProduct: (id: string, query: Readonly<Record<string, QueryValue>> = {}) =>
    withQuery(`/data-products/${part(id)}`, query),
  editDataProduct: (id: string, query: Readonly<Record<string, QueryValue>> = {}) =>
    withQuery(`/data-products/${part(id)}/edit`, query),
  dataProductVersions: (id: string, query: Readonly<Record<string, QueryValue>> = {}) =>
    withQuery(`/data-products/${part(id)}/versions`, query),
  dataProductLineage: (id: string, query: Readonly<Record<string, QueryValue>> = {}) =>
    withQuery(`/data-products/${part(id)}/lineage`, query),
  dataContracts: '/search?resourceType=DATA_CONTRACT',
  newDataContract: (query: Readonly<Record<string, QueryValue>> = {}) =>
    withQuery('/data-contracts/new', query),
  dataContract: (id: string, query: Readonly<Record<string, QueryValue>> = {}) =>
    withQuery(`/data-contracts/${part(id)}`, query),
  editDataContract: (id: string, query: Readonly<Record<string, QueryValue>> = {}) =>
    withQuery(`/data-contracts/${part(id)}/edit`, query),
  dataContractVersions: (id: string, query: Readonly<Record<string, QueryValue>> = {}) =>
    withQuery(`/data-contracts/${part(id)}/versions`, query),
  activity: (query: Readonly<Record<string, QueryValue>> = {}) => withQuery('/activity', query),
  domains: (query: Readonly<Record<string, QueryValue>> = {}) => withQuery('/domains', query),
  domain: (id: string, query: Readonly<Record<string, QueryValue>> = {}) =>
    withQuery(`/domains/${part(id)}`, query),
  teams: '/teams',
  newTeam: (query: Readonly<Record<string, QueryValue>> = {}) => withQuery('/teams/new', query),
  team: (id: string) => `/teams/${part(id)}`,
  editTeam: (id: string) => `/teams/${part(id)}/edit`,
  assets: (query: Readonly<Record<string, QueryValue>> = {}) => withQuery('/assets', query),
  asset: (id: string) => `/assets/${part(id)}`,
  integrations: '/integrations',
  newIntegration: '/integrations/new',
  integration: (externalId: string) => `/integrations/${part(externalId)}`,
  editIntegration: (externalId: string) => `/integrations/${part(externalId)}/edit`,
  run: (externalId: string, runId: string, query: Readonly<Record<string, QueryValue>> = {}) =>
    withQuery(`/integrations/${part(externalId)}/runs/${part(runId)}`, query),
  apiKeys: '/api-keys',
  newApiKey: (query: Readonly<Record<string, QueryValue>> = {}) =>
    withQuery('/api-keys', { new: 'key', ...query }),
  settings: '/settings',
  members: '/settings/members',
  profile: '/settings/profile',
  about: '/settings/about',
  guide: (name: 'first-hour' | 'ci' | 'dps-to-odps' | 'dcs-to-odcs') => `/guides/${name}`,
  reference: (query: Readonly<Record<string, QueryValue>> = {}) => withQuery('/reference', query),
} as const

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
    default:
      return paths.search({ query: id })
  }
}
