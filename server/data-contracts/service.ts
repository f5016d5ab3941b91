import { exportLosses } from '../../formats/data-contract/export.ts'
import { ownerPath, readDataContract } from '../../formats/data-contract/read.ts'
import { diffDataContracts } from '../../formats/diff/contract.ts'
import { clip } from '../../formats/value.ts'
import { readingOf } from '../documents/document.ts'
import type { DocumentChange, DocumentType } from '../documents/document.ts'
import { Refusal } from '../errors.ts'
import type { ContractUser } from '../ports/port.ts'
import { affectedAmong, useOf, usersOf } from '../ports/service.ts'
import { contractEntry } from '../search/entry.ts'
import type { Database } from '../tables.ts'
import { columnsOf, CONTRACT_NODES_MAX, eventsOf, readOf } from './data-contract.ts'
import type { ReadContract } from './data-contract.ts'

/** Data contracts, as the rules of documents see them. */
export const CONTRACTS: DocumentType<ReadContract> = {
  kind: 'data-contract',
  table: 'data_contract',
  called: 'data contract',
  pages: 'data-contracts',
  bytesMax: 5 * 1024 * 1024,
  nodesMax: CONTRACT_NODES_MAX,
  read: (source, options) => readingOf(readDataContract(source, options), readOf),
  ownerPath: ({ value }) => ownerPath(value),
  columnsOf,
  entryOf: ({ contract }) => contractEntry(contract),
  diff: diffDataContracts,
  eventsOf,
  consequencesOf,
  refuseUse,
}

// A change concerns whoever provides or consumes data under the contract.
async function consequencesOf(
  db: Database,
  { organizationId, id, before, after, isSame }: DocumentChange<ReadContract>,
) {
  const concerns = before !== undefined && !isSame
  const users = concerns ? await usersOf(db, organizationId, [id]) : []
  return { affected: affectedAmong(users), exports: exportLosses(after), warnings: [] }
}

const PORTS_NAMED_MAX = 5

async function refuseUse(db: Database, organizationId: string, id: string): Promise<void> {
  const { providers } = useOf(await usersOf(db, organizationId, [id]))
  const ports = providers.flatMap(portsNamed)
  if (ports.length === 0) return
  const more = ports.length - PORTS_NAMED_MAX
  const rest = more > 0 ? ` and ${more} more` : ''
  throw new Refusal(
    'in_use',
    `The data contract cannot be deleted while ${ports.slice(0, PORTS_NAMED_MAX).join(', ')}${rest} provides data under it. Name another contract there first.`,
  )
}

function portsNamed({ id, ports }: ContractUser): string[] {
  return ports.map((port) => `output port ${clip(port.id)} of data product ${id}`)
}
