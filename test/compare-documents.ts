import { diffDataContracts } from '../formats/diff/contract.ts'
import { highestLevel } from '../formats/diff/level.ts'
import type { Levels } from './level-matrix.ts'
import { type FORMS, readDocuments, type SERVER_TYPES } from './type-documents.ts'
import type { LatticeType } from './type-lattice.ts'

/** Returns the levels of the changes between all contracts with one of the types, and the types that the form can state. */
export function compareDocuments(
  types: readonly LatticeType[],
  form: keyof typeof FORMS,
  server: (typeof SERVER_TYPES)[number],
): { levels: Levels; stated: LatticeType[] } {
  const read = readDocuments(types, form, server)
  const contracts = read.filter((contract) => contract !== undefined)
  const levels = contracts.map((before) =>
    contracts.map((after) => highestLevel(diffDataContracts(before, after))),
  )
  return { levels, stated: types.filter((_, at) => read[at] !== undefined) }
}
