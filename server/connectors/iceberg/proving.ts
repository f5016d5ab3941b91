import { z } from 'zod'
import type { AssetPlace, TableProof } from '../connector.ts'
import { proveEach } from '../http/read-scopes.ts'
import { PART_SEPARATOR, type Catalog } from './catalog.ts'
import { namespaceParts } from './namespace-name.ts'

// The errors of the protocol: https://github.com/apache/iceberg/blob/main/open-api/rest-catalog-open-api.yaml. Catalogs that
// also answer 404 for tables that the account may not see, such as Lakekeeper, use other types.
const GONE = /^NoSuch(Table|View|Namespace)Exception$/
const notFound = z.object({ error: z.object({ type: z.string().regex(GONE) }) })

/**
 * Asks for tables and views. A catalog that answers with an error of the protocol distinguishes those that do not exist
 * (404) from refused ones (403); any other 404 proves nothing.
 */
export async function proveTables(
  catalog: Catalog,
  tables: readonly AssetPlace[],
): Promise<TableProof[]> {
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
