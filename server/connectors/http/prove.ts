import { SourceFailure, type AssetPlace, type TableProof } from '../connector.ts'
import { mapConcurrently } from './parallel.ts'

/** Asks for one table; the message of an unknown presence is the reason. */
export type TableQuestion = (table: AssetPlace) => Promise<Omit<TableProof, 'path'>>

/** Asks for each table with a request. A request that fails proves nothing. */
export async function proveEach(
  tables: readonly AssetPlace[],
  ask: TableQuestion,
): Promise<TableProof[]> {
  return await mapConcurrently(tables, async (table): Promise<TableProof> => {
    const { path } = table
    try {
      return { path, ...(await ask(table)) }
    } catch (error) {
      if (!(error instanceof SourceFailure) || error.kind === 'cancelled') throw error
      return { path, presence: 'unknown', message: error.message }
    }
  })
}
