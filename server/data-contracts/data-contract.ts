import type { DataContract } from '../../formats/data-contract/data-contract.ts'
import { exportLosses, type ExportLosses } from '../../formats/data-contract/export.ts'
import { ownerPath } from '../../formats/data-contract/facts.ts'
import { readDataContract } from '../../formats/data-contract/read.ts'
import { diffDataContracts } from '../../formats/diff/contract.ts'
import type { Value } from '../../formats/text/value.ts'
import { factsOf, readingOf } from '../documents/document.ts'
import type { DocumentFacts, DocumentReader } from '../documents/document.ts'
import type { OwnColumns, ReadDocument } from '../documents/document.ts'
import type { NewEvent } from '../events/event.ts'
import { contractEntry } from '../search/entry.ts'

/**
 * What the catalog keeps of a data contract besides the document itself, and what a change of it
 * has to tell. Everything here follows from the document, so it can always be made again.
 */

/** Values that a contract may hold: a thousand tables of fifty columns have about that many. */
export const CONTRACT_NODES_MAX = 500_000

/** A contract as it was read from its document. */
export interface ReadContract extends ReadDocument {
  contract: DataContract
}

/** A contract as the rules of documents want it. */
export function readOf(reading: {
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
    // Of a former version these are seldom asked for.
    get canonical() {
      return reading.canonical
    },
    get facts() {
      return (facts ??= factsOf(contract))
    },
  }
}

/** The columns that only contracts have. */
export function columnsOf({ contract }: ReadContract): OwnColumns {
  return { contract_version: contract.version ?? null }
}

/** The event of a change; before = undefined is a creation, after = undefined a deletion. */
export function eventsOf(
  before: ReadContract | undefined,
  after: ReadContract | undefined,
): NewEvent[] {
  if (after === undefined) return [{ name: 'DataContractDeletedEvent' }]
  return [{ name: before === undefined ? 'DataContractCreatedEvent' : 'DataContractUpdatedEvent' }]
}

/** What a dry run needs to know of a change of a contract. */
export interface ContractOutlook {
  exports: ExportLosses[]
}

/** Reads data contracts. */
export const CONTRACT_READER: DocumentReader<ReadContract, ContractOutlook> = {
  kind: 'data-contract',
  called: 'data contract',
  nodesMax: CONTRACT_NODES_MAX,
  read: (source, options) => readingOf(readDataContract(source, options), readOf),
  ownerPath: ({ value }) => ownerPath(value),
  columnsOf,
  entryOf: ({ contract }) => contractEntry(contract),
  diff: diffDataContracts,
  eventsOf,
  outlookOf: ({ after }) => ({ exports: exportLosses(after) }),
}
