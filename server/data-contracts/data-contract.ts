import type { DataContract } from '../../formats/data-contract/data-contract.ts'
import { exportLosses, type ExportLosses } from '../../formats/data-contract/export.ts'
import { ownerPath } from '../../formats/data-contract/facts.ts'
import { readDataContract } from '../../formats/data-contract/read.ts'
import { diffDataContracts } from '../../formats/diff/contract.ts'
import type { Value } from '../../formats/text/value.ts'
import { factsOf, readingOf } from '../documents/document.ts'
import type { DocumentFacts, DocumentReader } from '../documents/document.ts'
import type { OwnColumns, ReadDocument } from '../documents/document.ts'
import { contractEntry } from '../search/entry.ts'

/** The columns of a data contract that are derived from its document. */

/** The maximum number of values in a contract: about a thousand tables of fifty columns. */
export const CONTRACT_NODES_MAX = 500_000

/** A contract as it was read from its document. */
export interface ReadContract extends ReadDocument {
  contract: DataContract
}

/** Adapts the parse result of a contract to the rules of documents. */
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
    // Rarely needed for former versions.
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

/** The data of a contract's change that a dry run needs. */
export interface ContractOutlook {
  exports: ExportLosses[]
}

/** Reads data contracts. */
export const CONTRACT_READER: DocumentReader<ReadContract, ContractOutlook> = {
  kind: 'data-contract',
  nodesMax: CONTRACT_NODES_MAX,
  read: (source, options) => readingOf(readDataContract(source, options), readOf),
  ownerPath: ({ value }) => ownerPath(value),
  columnsOf,
  entryOf: ({ contract }) => contractEntry(contract),
  diff: diffDataContracts,
  outlookOf: ({ after }) => ({ exports: exportLosses(after) }),
}
