import { newTable } from '../../formats/name/table.ts'

/** The values that a parameter can have; null = any. */
type Values = readonly string[] | null

/** The parameters of a page, by their names. */
type Parameters = Readonly<Record<string, Values>>

const ANY = null

function any(...names: readonly string[]): Parameters {
  return Object.fromEntries(names.map((name) => [name, ANY]))
}

const EDITING = any('from', 'side', 'version')
const CONTRACT_EDITING = any('asset', 'from', 'id', 'side', 'team', 'version')
const VERSIONS = any('from', 'to')

/** The parameters of the pages, of which the first pattern applies; `*` is any part, such as an id. */
const PAGES: readonly (readonly [path: string, parameters: Parameters])[] = [
  ['/', {}],
  [
    '/search',
    {
      ...any('query', 'q', 'resourceType', 'teamId', 'domain', 'status', 'tag', 'source', 'format'),
      ...any('classification', 'trust', 'drift', 'custom', 'p'),
      sort: ['relevance', 'name', 'changed', 'readers'],
    },
  ],
  ['/my-data', any('view')],
  ['/requests', any('product', 'team', 'view')],
  ['/access/new', any('port', 'product', 'renews')],
  ['/access/*', {}],
  ['/activity', any('actor', 'from', 'kind', 'level', 'team', 'to')],
  ['/notifications', any('kind', 'unread')],
  ['/domains', { sort: ['products', 'name', 'changed', 'updated', 'readers'], ...any('without') }],
  ['/domains/*', { sort: ['name', 'changed', 'updated', 'readers'] }],
  ['/data-products/new', EDITING],
  ['/data-products/*', any('input', 'port', 'view')],
  ['/data-products/*/edit', EDITING],
  ['/data-products/*/lineage', { depth: ['1', '2', '3'], ...any('focus') }],
  ['/data-contracts/new', CONTRACT_EDITING],
  ['/data-contracts/*', any('as', 'dialect', 'next', 'q', 'view')],
  ['/data-contracts/*/edit', CONTRACT_EDITING],
  ['/drift', any('asset', 'contract', 'integration', 'level', 'p', 'status', 'team')],
  ['/incidents', any('dataContractId', 'dataProductId', 'p', 'status', 'teamId')],
  ['/test-results', any('branch', 'dataContractId', 'p', 'server')],
  ['/test-results/*', any('p')],
  ['/assets', any('clients', 'integration', 'open', 'query', 'source', 'tag', 'teamId', 'tree')],
  ['/assets/*', any('edit', 'filter', 'layer', 'version', 'view')],
  ['/teams', any('next', 'q', 'type')],
  ['/teams/new', any('parent')],
  ['/teams/*', {}],
  ['/teams/*/edit', any('parent')],
  ['/integrations', any('enabled', 'owner', 'p', 'shown', 'sort', 'source', 'state')],
  ['/integrations/new', any('step')],
  ['/integrations/*', any('status', 'step', 'view')],
  ['/integrations/*/edit', any('step')],
  ['/integrations/*/runs/*', any('action', 'state', 'view')],
  ['/api-keys', any('expired', 'like', 'new', 'scope', 'sort', 'team')],
  ['/reference', any('op', 'q')],
  ['/settings', any('new')],
  ['/settings/members', any('new', 'q', 'sort')],
  ['/settings/customization', any('as')],
  ['/settings/webhooks', any('new', 'sort', 'team')],
  ['/settings/webhooks/*', any('delivery', 'dialog', 'p', 'state')],
  ['/settings/*', {}],
  ['/guides/*', {}],
  ['/sign-in', any('again', 'organization', 'password', 'provider', 'to')],
  ['/sign-in/*/callback', {}],
  // The pages of records.
  ['/*/new', any('side', 'version')],
  ['/*/*', any('view')],
  ['/*/*/edit', any('side', 'version')],
  ['/*/*/versions', VERSIONS],
  ['/*', {}],
]

// Programs that follow links add these; nothing is lost without them.
const TRACKING = /^(?:utm_\w+|fbclid|gclid|msclkid|mc_[ce]id|_ga|ref)$/

/** Lists what a page does not read of its address: names of parameters, and `name=value` for values that it cannot have. */
export function listIgnored(path: string, query: string): string[] {
  const [, parameters] = PAGES.find(([pattern]) => matchesPath(pattern, path)) ?? []
  if (parameters === undefined) return []
  const known = newTable<Values>(parameters)
  const ignored = [...new URLSearchParams(query)].flatMap(([name, value]) => {
    if (TRACKING.test(name)) return []
    const values = known[name]
    if (values === undefined) return [name]
    return values === null || value === '' || values.includes(value) ? [] : [`${name}=${value}`]
  })
  return [...new Set(ignored)]
}

function matchesPath(pattern: string, path: string): boolean {
  const [expected, parts] = [pattern.split('/'), path.split('/')]
  return (
    expected.length === parts.length &&
    expected.every((part, at) => part === parts[at] || (part === '*' && parts[at] !== ''))
  )
}
