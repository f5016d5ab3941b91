import type { DataContract } from '../../../formats/data-contract/data-contract.ts'
import { isDomainPath } from '../../../formats/data-contract/contract-fields.ts'
import { listContractParts } from '../../../formats/data-contract/deprecated-parts.ts'
import { exportLosses, type ExportLosses } from '../../../formats/data-contract/export.ts'
import { ownerPath } from '../../../formats/data-contract/owner-path.ts'
import { readDataContract } from '../../../formats/data-contract/read.ts'
import { diffAsOdcs, diffDataContracts } from '../../../formats/diff/contract.ts'
import { getField } from '../../../formats/text/value.ts'
import { newDocumentReading } from '../../documents/document.ts'
import type { DocumentReader } from '../../documents/document.ts'
import type { OwnColumns, ReadDocument } from '../../documents/document.ts'
import { readEnding } from '../../ledger/history/ending.ts'
import { listPromises } from '../../../formats/reality/promise.ts'
import { fitPromises } from '../../ledger/promises/promise.ts'
import { contractEntry } from '../../documents/search/entry.ts'

import {
  listDefinitionPlaces,
  listReplacementPlaces,
  type DefinitionPlace,
  type ReplacementPlace,
} from '../deprecations/target.ts'

/** The columns of a data contract that are derived from its document. */

/** The maximum number of values in a contract: about a thousand tables of fifty columns. */
export const CONTRACT_NODES_MAX = 500_000

/** A contract as it was read from its document. */
interface ReadContract extends ReadDocument {
  contract: DataContract
}

// The columns that only contracts have.
function buildColumns({ contract }: ReadContract): OwnColumns {
  return { contract_version: contract.version ?? null }
}

/** The data of a contract's change that a dry run needs. */
export interface ContractPlanData {
  exports: ExportLosses[]
  replacements: ReplacementPlace[]
  definitions: DefinitionPlace[]
}

/** Reads data contracts. */
export const CONTRACT_READER: DocumentReader<ReadContract, ContractPlanData> = {
  kind: 'data-contract',
  nodesMax: CONTRACT_NODES_MAX,
  read(source, options) {
    const reading = readDataContract(source, options)
    if (!reading.ok) return reading
    const { contract } = reading
    return newDocumentReading({ contract }, contract, reading)
  },
  ownerPath: ({ value }) => ownerPath(value),
  isDomainPath,
  buildColumns,
  listPromises: (read) => fitPromises(listPromises(read)),
  buildFacts: ({ contract, value }) => ({ ending: readEnding(value, contract.status) }),
  listParts: ({ contract, value }) =>
    listContractParts(contract, getField(value, 'deprecated') === true),
  getEntry: ({ contract, value }) => contractEntry(contract, value),
  diff: diffDataContracts,
  standard: { kind: 'DataContract', diff: diffAsOdcs },
  getPlanData: ({ source, after }) => ({
    exports: exportLosses(after),
    replacements: listReplacementPlaces(source),
    definitions: listDefinitionPlaces(source),
  }),
}
