import { EXAMPLE_DATA } from '../../../formats/record/plain-kinds/example-data.ts'
import type { PlainRecordKind } from '../../../formats/record/plain-record-kind.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { checkExampleData } from './example-data.ts'
import type { WrittenPlainRecord } from './plain-record.ts'
import { findContract } from './store.ts'

/**
 * Returns warnings about a plain record that was just written: a sentence for each difference between example data and the
 * contract that they name. Empty for other kinds, for an unknown contract, and if the comparison would cost too much.
 */
export async function listWarnings(
  { db, offload }: Pick<Services, 'db' | 'offload'>,
  organizationId: string,
  { kind }: PlainRecordKind,
  { document, filterValues }: WrittenPlainRecord,
): Promise<string[]> {
  const contractId = filterValues['dataContractId']
  if (kind !== EXAMPLE_DATA.kind || contractId === undefined) return []
  const contract = await findContract(db, organizationId, contractId)
  if (contract === undefined) return []
  const example = { document, mediaType: 'application/json' }
  const input = { example, contract: { ...contract, id: contractId } }
  try {
    return await offload.run(organizationId, checkExampleData, input, [example, contract])
  } catch (error) {
    // The record is stored: a warning that cannot be computed is not an error.
    if (error instanceof ApiError) return []
    throw error
  }
}
