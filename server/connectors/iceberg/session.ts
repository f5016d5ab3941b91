import { nameFilter } from '../filter.ts'
import type { Scope, Setup, SourceSession } from '../connector.ts'
import { readScopes } from '../http/read-scopes.ts'
import type { Wait } from '../http/transport.ts'
import { openCatalog, type Catalog } from './catalog.ts'
import { icebergConfiguration } from './configuration.ts'
import { listNamespaces } from './listing.ts'
import { isAddressable, namespaceName } from './namespace-name.ts'
import { proveTables } from './proving.ts'
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
