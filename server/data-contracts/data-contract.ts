import type { DataContract } from '../../formats/data-contract/data-contract.ts'
import { exportLosses, type ExportLosses } from '../../formats/data-contract/export.ts'
import { ownerPath } from '../../formats/data-contract/facts.ts'
import { readDataContract } from '../../formats/data-contract/read.ts'
import { diffDataContracts } from '../../formats/diff/contract.ts'
import type { Value } from '../../formats/text/value.ts'
import { buildFacts, toDocumentReading } from '../documents/document.ts'
import type { DocumentFacts, DocumentReader } from '../documents/document.ts'
import type { OwnColumns, ReadDocument } from '../documents/document.ts'
import type { NewEvent } from '../events/event.ts'
import { contractEntry } from '../search/entry.ts'

/** The columns of a data contract that are derived from its document, and the events of its changes. */

/** The maximum number of values in a contract: about a thousand tables of fifty columns. */
export const CONTRACT_NODES_MAX = 500_000

/** A contract as it was read from its document. */
export interface ReadContract extends ReadDocument {
  contract: DataContract
}

/** Adapts the parse result of a contract to the rules of documents. */
export function toReadContract(reading: {
  contract: DataContract
  value: Value
  canonical: string
}): ReadContract {
  const { contract, value } = reading
  let facts: DocumentFacts | undefined
  return {
    contract,
    value,
    format: contract.format,
    // Rarely needed for former versions.
    get canonical() {
      return reading.canonical
    },
    get facts() {
      return (facts ??= buildFacts(contract))
    },
  }
}

/** The columns that only contracts have. */
export function buildColumns({ contract }: ReadContract): OwnColumns {
  return { contract_version: contract.version ?? null }
}

/** Returns the events of a change: a creation if `before` is undefined, a deletion if `after` is. */
export function listChangeEvents(
  before: ReadContract | undefined,
  after: ReadContract | undefined,
): NewEvent[] {
  if (after === undefined) return [{ name: 'DataContractDeletedEvent' }]
  return [{ name: before === undefined ? 'DataContractCreatedEvent' : 'DataContractUpdatedEvent' }]
}

/** The data of a contract's change that a dry run needs. */
export interface ContractOutlook {
  exports: ExportLosses[]
}

/** Reads data contracts. */
export const CONTRACT_READER: DocumentReader<ReadContract, ContractOutlook> = {
  kind: 'data-contract',
  called: 'data contract',
  nodesMax: CONTRACT_NODES_MAX,
  read: (source, options) => toDocumentReading(readDataContract(source, options), toReadContract),
  ownerPath: ({ value }) => ownerPath(value),
  buildColumns,
  entryOf: ({ contract }) => contractEntry(contract),
  diff: diffDataContracts,
  listChangeEvents,
  outlookOf: ({ after }) => ({ exports: exportLosses(after) }),
}
