import { nameFilter } from '../filter.ts'
import type { Finding, Setup, SourceFailure } from '../connector.ts'
import { runCheck } from '../http/check.ts'
import { ServiceError } from '../http/transport.ts'
import { identifiersAnswer, namespacesAnswer, tableAnswer } from './answers.ts'
import { openCatalog, PART_SEPARATOR, SERVICE, type Catalog } from './catalog.ts'
import { icebergConfiguration, type IcebergConfiguration } from './configuration.ts'
import { toStatusFailure } from './listing.ts'
import { isAddressable, namespaceName } from './namespace-name.ts'

/**
 * The number of namespaces tried for a table; with configuration, token and list at most ten
 * requests.
 */
const NAMESPACES_TRIED_MAX = 3

/** Tries a catalog with a handful of requests. */
export async function checkSource(setup: Setup): Promise<Finding[]> {
  const configuration = icebergConfiguration.parse(setup.configuration)
  const found = await runCheck(
    SERVICE,
    setup,
    async (bounded, findings) => {
      const catalog = await openCatalog(configuration, bounded)
      try {
        findings.push({ state: 'ok', what: `The catalog at ${configuration.uri} answers` })
        await checkContents(catalog, bounded, configuration, findings)
      } finally {
        catalog.close()
      }
    },
    (failure) => getHint(failure, configuration),
  )
  return [...clearTextFindings(configuration), ...found]
}

function clearTextFindings({ uri, authentication }: IcebergConfiguration): Finding[] {
  if (authentication === 'none' || !uri.startsWith('http:')) return []
  const hint = 'Use https unless the network to the catalog is private'
  return [{ state: 'warning', what: 'The credentials are sent without encryption', hint }]
}

async function checkContents(
  catalog: Catalog,
  setup: Setup,
  { includeViews }: IcebergConfiguration,
  findings: Finding[],
): Promise<void> {
  const result = await catalog.get(['namespaces'], { pageToken: '' }, namespacesAnswer)
  if ('status' in result) throw toStatusFailure(result.status, 'its namespaces')
  const { namespaces, 'next-page-token': token } = result.value
  const isIncluded = nameFilter(setup.filters, 'namespace')
  const included = namespaces.filter((parts) => isIncluded(namespaceName(parts)))
  const more = token ? ' and more' : ''
  findings.push({
    state: namespaces.length > 0 || more !== '' ? 'ok' : 'error',
    what: `The catalog shows ${namespaces.length} namespaces${more}, of which ${included.length} are included`,
    ...(namespaces.length === 0 && more === ''
      ? { hint: 'Is it the right warehouse, and may this account list its namespaces?' }
      : {}),
  })
  if (includeViews && !catalog.hasViews) {
    findings.push({
      state: 'warning',
      what: 'The catalog does not support views',
      hint: 'Views are not read',
    })
  }
  for (const parts of included.filter(isAddressable).slice(0, NAMESPACES_TRIED_MAX)) {
    if (await checkTable(catalog, parts, findings)) return
  }
}

/** Loads one table; returns false if the namespace shows none. */
async function checkTable(
  catalog: Catalog,
  parts: readonly string[],
  findings: Finding[],
): Promise<boolean> {
  const namespace = namespaceName(parts)
  const path = ['namespaces', parts.join(PART_SEPARATOR), 'tables']
  const listed = await catalog.get(path, { pageToken: '' }, identifiersAnswer)
  if ('status' in listed) {
    const hint = 'Without the privilege to list its tables, this namespace will be absent'
    findings.push({
      state: 'warning',
      what: toStatusFailure(listed.status, `the tables of ${namespace}`).message,
      hint,
    })
    return false
  }
  const name = listed.value.identifiers[0]?.name
  if (name === undefined) return false
  const loaded = await catalog.get([...path, name], { snapshots: 'refs' }, tableAnswer)
  if ('value' in loaded) {
    findings.push({ state: 'ok', what: `The table ${namespace}.${name} can be read` })
  } else {
    const hint =
      'Without the privilege to read the properties of tables, their columns will be absent'
    const { message } = toStatusFailure(loaded.status, `the table ${namespace}.${name}`)
    findings.push({ state: 'warning', what: message, hint })
  }
  return true
}

function getHint({ kind, cause }: SourceFailure, { authentication }: IcebergConfiguration): string {
  if (cause instanceof ServiceError) {
    return 'The catalog reports an internal error: check the warehouse, then the log of the catalog'
  }
  switch (kind) {
    case 'auth':
      return authentication === 'none'
        ? 'This catalog requires a token, or a client and its secret'
        : 'Check the credentials and that they belong to this catalog'
    case 'unreachable':
      return 'Check host and port, and whether this server may connect to them'
    case 'permission':
      return 'Let this account list namespaces'
    case 'rate_limited':
      return 'Try again later'
    case 'protocol':
      return 'Check that the address is that of an Iceberg REST catalog, without /v1, and the warehouse'
    case 'too_large':
    case 'crashed':
    case 'cancelled':
      return 'Try again'
  }
}
