import { z } from 'zod'
import type { AssetPlace, TableProof } from '../connector.ts'
import { toUrl } from '../http/address.ts'
import { proveEach } from '../http/read-scopes.ts'
import type { Workspace } from './workspace.ts'

const existsAnswer = z.object({ table_exists: z.boolean() })

/** Asks whether tables exist. Only an account that may see the table, or browse its schema, gets an answer. */
export async function proveTables(
  { client, url, configuration }: Workspace,
  tables: readonly AssetPlace[],
): Promise<TableProof[]> {
  return await proveEach(tables, async ({ path }) => {
    const name = encodeURIComponent(path.join('.'))
    const address = toUrl(url, `api/2.1/unity-catalog/tables/${name}`)
    if (configuration.authentication === 'none') {
      // A server without accounts hides nothing, and the open-source one has no other address.
      const table = await client.ask({ url: address }, z.unknown())
      if ('value' in table) return { presence: 'present' }
      if (table.status === 404) return { presence: 'gone' }
    }
    const result = await client.ask({ url: new URL(`${address.href}/exists`) }, existsAnswer)
    if ('value' in result) return { presence: result.value.table_exists ? 'present' : 'gone' }
    if (result.status === 403) return { presence: 'refused' }
    const message = `Unity Catalog does not answer whether it exists (status ${result.status}).`
    return { presence: 'unknown', message }
  })
}
