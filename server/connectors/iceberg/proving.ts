import { z } from 'zod'
import type { AssetPlace, TableProof } from '../connector.ts'
import { proveEach } from '../http/prove.ts'
import { PART_SEPARATOR, type Catalog } from './catalog.ts'
import { namespaceParts } from './namespace-name.ts'

/** Asks for tables and views. The protocol distinguishes those that do not exist (404) from refused ones (403). */
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
    if (result.status === 404) return { presence: 'gone' }
    if (result.status === 403) return { presence: 'refused' }
    const message = `The catalog does not answer whether it exists (status ${result.status}).`
    return { presence: 'unknown', message }
  })
}
