import { z } from 'zod'
import type { AssetPlace, Scope, Setup, SourceSession, TableProof } from '../connector.ts'
import { nameFilter } from '../filter.ts'
import { proveEach, readScopes } from '../http/read-scopes.ts'
import type { Wait } from '../http/transport.ts'
import { openCatalog, PART_SEPARATOR, type Catalog } from './catalog.ts'
import { icebergConfiguration } from './configuration.ts'
import { listNamespaces } from './listing.ts'
import { isAddressable, namespaceName, namespaceParts } from './namespace-name.ts'
import { readNamespace } from './reading.ts'

/** Opens a session; `wait` delays its requests. Errors: SourceFailure. */
export async function openSession(setup: Setup, wait?: Wait): Promise<SourceSession> {
  const configuration = icebergConfiguration.parse(setup.configuration)
  const catalog = await openCatalog(configuration, setup, wait)
  const { includeViews } = configuration
  if (includeViews && !catalog.hasViews) setup.log('info', 'The catalog offers no views')
  const hidden: (readonly string[])[] = []
  return {
    scopes: () => listScopes(catalog, setup, hidden),
    hiddenPaths: () => hidden.map((parts) => [namespaceName(parts)]),
    read: (scopes, known = new Map()) =>
      readScopes(scopes, ({ path: [namespace = ''] }) =>
        readNamespace({ catalog, setup, namespace, includeViews, known }),
      ),
    prove: async (tables) => await proveTables(catalog, tables),
    close: async () => catalog.close(),
  }
}

const UNADDRESSABLE = 'The catalog lists a namespace with an empty name, which cannot be requested.'

async function* listScopes(
  catalog: Catalog,
  setup: Setup,
  hidden: (readonly string[])[],
): AsyncGenerator<Scope> {
  const isIncluded = nameFilter(setup.filters, 'namespace')
  const onHidden = (parts: readonly string[]) => {
    const name = namespaceName(parts)
    hidden.push(parts)
    setup.log('warn', `The catalog does not show the namespaces below ${name}`)
  }
  for await (const parts of listNamespaces(catalog, onHidden)) {
    const name = namespaceName(parts)
    const scope = { path: [name], kind: 'namespace', reading: name } as const
    if (!isIncluded(name)) yield { ...scope, decision: 'excluded' }
    else if (isAddressable(parts)) yield { ...scope, decision: 'included' }
    else yield { ...scope, decision: 'denied', message: UNADDRESSABLE }
  }
}

// The errors of the protocol: https://github.com/apache/iceberg/blob/main/open-api/rest-catalog-open-api.yaml. Catalogs that
// also answer 404 for tables that the account may not see, such as Lakekeeper, use other types.
const GONE = /^NoSuch(Table|View|Namespace)Exception$/
const notFound = z.object({ error: z.object({ type: z.string().regex(GONE) }) })

/**
 * Asks for tables and views. A catalog that answers with an error of the protocol distinguishes those that do not exist
 * (404) from refused ones (403); any other 404 proves nothing.
 */
async function proveTables(catalog: Catalog, tables: readonly AssetPlace[]): Promise<TableProof[]> {
  return await proveEach(tables, async ({ kind, path: [namespace = '', name = ''] }) => {
    const parts = namespaceParts(namespace) ?? []
    const collection = kind === 'view' ? 'views' : 'tables'
    const path = ['namespaces', parts.join(PART_SEPARATOR), collection, name]
    const query: Readonly<Record<string, string>> = kind === 'view' ? {} : { snapshots: 'refs' }
    const result = await catalog.get(path, query, z.unknown())
    if ('value' in result) return { presence: 'present' }
    if (result.status === 404 && notFound.safeParse(result.body).success)
      return { presence: 'gone' }
    if (result.status === 403) return { presence: 'refused' }
    const message = `The catalog does not answer whether it exists (status ${result.status}).`
    return { presence: 'unknown', message }
  })
}
