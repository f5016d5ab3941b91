import type { AssetPlace, TableProof } from '../connector.ts'
import { proveEach } from '../http/read-scopes.ts'
import { tableAnswer } from './answers.ts'
import { callGlue, type GlueCatalog } from './catalog.ts'

/** Asks for tables. AWS refuses tables that Lake Formation hides, and does not find others. */
export async function proveTables(
  catalog: GlueCatalog,
  tables: readonly AssetPlace[],
): Promise<TableProof[]> {
  return await proveEach(tables, async ({ path: [database = '', name = ''] }) => {
    const input = { DatabaseName: database, Name: name }
    const result = await callGlue(catalog, 'GetTable', input, tableAnswer)
    if ('value' in result) return { presence: 'present' }
    switch (result.error.code) {
      case 'EntityNotFoundException':
        return { presence: 'gone' }
      case 'AccessDeniedException':
        return { presence: 'refused' }
      default:
        return { presence: 'unknown', message: 'AWS Glue does not answer whether it exists.' }
    }
  })
}
