import { checkService, pass, reject, warn, type Advice } from '../checks.ts'
import type { Finding, Setup } from '../connector.ts'
import { nameFilter } from '../filter.ts'
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
  const { uri, authentication } = configuration
  return await checkService({
    service: SERVICE,
    setup,
    addresses: { urls: authentication === 'none' ? [] : [uri], place: 'catalog' },
    open: async (bounded) => await openCatalog(configuration, bounded),
    steps: (catalog) => checkContents(catalog, setup, configuration),
    findAdvice: ({ cause }) =>
      cause instanceof ServiceError
        ? 'The catalog reports an internal error: check the warehouse, then the log of the catalog'
        : undefined,
    advice: getAdvice(configuration),
  })
}

async function* checkContents(
  catalog: Catalog,
  { filters }: Setup,
  { uri, includeViews }: IcebergConfiguration,
): AsyncGenerator<Finding> {
  yield pass(`The catalog at ${uri} answers`)
  const result = await catalog.get(['namespaces'], { pageToken: '' }, namespacesAnswer)
  if ('status' in result) throw toStatusFailure(result.status, 'its namespaces')
  const { namespaces, 'next-page-token': token } = result.value
  const isIncluded = nameFilter(filters, 'namespace')
  const included = namespaces.filter((parts) => isIncluded(namespaceName(parts)))
  const more = token ? ' and more' : ''
  const what = `The catalog shows ${namespaces.length} namespaces${more}, of which ${included.length} are included`
  yield namespaces.length > 0 || more !== ''
    ? pass(what)
    : reject(what, 'Is it the right warehouse, and may this account list its namespaces?')
  if (includeViews && !catalog.hasViews) {
    yield warn('The catalog does not support views', 'Views are not read')
  }
  for (const parts of included.filter(isAddressable).slice(0, NAMESPACES_TRIED_MAX)) {
    if (yield* checkTable(catalog, parts)) return
  }
}

/** Loads one table; returns false if the namespace shows none. */
async function* checkTable(
  catalog: Catalog,
  parts: readonly string[],
): AsyncGenerator<Finding, boolean> {
  const namespace = namespaceName(parts)
  const path = ['namespaces', parts.join(PART_SEPARATOR), 'tables']
  const listed = await catalog.get(path, { pageToken: '' }, identifiersAnswer)
  if ('status' in listed) {
    const { message } = toStatusFailure(listed.status, `the tables of ${namespace}`)
    yield warn(message, 'Without the privilege to list its tables, this namespace will be absent')
    return false
  }
  const name = listed.value.identifiers[0]?.name
  if (name === undefined) return false
  const what = `table ${namespace}.${name}`
  const loaded = await catalog.get([...path, name], { snapshots: 'refs' }, tableAnswer)
  yield 'value' in loaded
    ? pass(`The ${what} can be read`)
    : warn(
        toStatusFailure(loaded.status, `the ${what}`).message,
        'Without the privilege to read the properties of tables, their columns will be absent',
      )
  return true
}

function getAdvice({ authentication }: IcebergConfiguration): Advice {
  return {
    auth:
      authentication === 'none'
        ? 'This catalog requires a token, or a client and its secret'
        : 'Check the credentials and that they belong to this catalog',
    unreachable: 'Check host and port, and whether this server may connect to them',
    permission: 'Let this account list namespaces',
    protocol:
      'Check that the address is that of an Iceberg REST catalog, without /v1, and the warehouse',
  }
}
