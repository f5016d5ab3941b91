import { getDocument } from '../../documents/read-service.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import { CONTRACTS } from '../../catalog/data-contracts/service.ts'
import type { ReadingServices, Services } from '../../requests/http/endpoint.ts'
import { findDifferingTable, type TableQuery } from './store.ts'
import type { TableSql } from './table-sql.ts'
import { writeTableSql } from './task.ts'

/**
 * Writes the statements that make the table of a model keep its contract. They are never executed. Errors: not_found,
 * invalid_state if the product of the table has no SQL, document_too_costly, overloaded.
 */
export async function createTableSql(
  { db, offload, clock }: ReadingServices & Pick<Services, 'clock'>,
  query: TableQuery,
): Promise<TableSql> {
  const { organizationId, contractId, model } = query
  const stored = await getDocument(db, CONTRACTS.kind, organizationId, contractId)
  const table = await findDifferingTable(db, clock, query)
  if (table === undefined) throw notFound()
  const { document, documentJson, mediaType } = stored
  const contract = { id: contractId, document, documentJson, mediaType }
  const texts = [stored, ...(table.asset === null ? [] : [toText(table.asset)])]
  const input = { ...table, stored: contract, model }
  const written = await offload.run(organizationId, writeTableSql, input, texts)
  if (written === undefined) {
    throw new ApiError(
      'invalid_state',
      'No SQL is written for this platform. Change the table with its own tools, or change the contract.',
    )
  }
  return written
}

function toText(document: string) {
  return { document, mediaType: 'application/json' }
}
