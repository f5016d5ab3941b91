import { clip } from '../../formats/text/value.ts'
import type { DocumentChange, DocumentType } from '../documents/document-type.ts'
import { ApiError } from '../errors.ts'
import type { Affected } from '../ports/port.ts'
import type { ReadingServices } from '../http/endpoint.ts'
import type { ContractUser } from '../ports/port.ts'
import { listAffected, splitContractUsers, listContractUsers } from '../ports/service.ts'
import { CONTRACT_READER, type ContractOutlook } from './data-contract.ts'
import { CONTRACT_TASKS } from './task.ts'

/** Data contracts as a type of document. */
export const CONTRACTS: DocumentType<ContractOutlook> = {
  kind: CONTRACT_READER.kind,
  table: 'data_contract',
  called: CONTRACT_READER.called,
  pages: 'data-contracts',
  bytesMax: 5 * 1024 * 1024,
  nodesMax: CONTRACT_READER.nodesMax,
  tasks: CONTRACT_TASKS,
  consequencesOf,
  refuseUse,
  listReaders,
}

// A change affects the data products that provide or consume data under the contract.
async function consequencesOf(
  work: ReadingServices,
  { organizationId, id, outlook, isUpdate }: DocumentChange<ContractOutlook>,
) {
  const users = isUpdate ? await listContractUsers(work, organizationId, [id]) : []
  return { affected: listAffected(users), exports: outlook.exports, warnings: [] }
}

// A contract that still has providers cannot be deleted, so that only its consumers are listed.
async function listReaders(
  work: ReadingServices,
  organizationId: string,
  { id }: { id: string },
): Promise<Affected[]> {
  const { consumers } = splitContractUsers(await listContractUsers(work, organizationId, [id]))
  return listAffected(consumers)
}

const PORTS_NAMED_MAX = 5

async function refuseUse(work: ReadingServices, organizationId: string, id: string): Promise<void> {
  const { providers } = splitContractUsers(await listContractUsers(work, organizationId, [id]))
  const ports = providers.flatMap(portsNamed)
  if (ports.length === 0) return
  const more = ports.length - PORTS_NAMED_MAX
  const rest = more > 0 ? ` and ${more} more` : ''
  throw new ApiError(
    'in_use',
    `The data contract cannot be deleted while ${ports.slice(0, PORTS_NAMED_MAX).join(', ')}${rest} provides data under it. Name another contract there first.`,
  )
}

function portsNamed({ id, ports }: ContractUser): string[] {
  return ports.map((port) => `output port ${clip(port.id)} of data product ${id}`)
}
