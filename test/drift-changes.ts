/** Tables of contracts in a real database, each with a change that is made to it. */

import { listPromises } from '../formats/reality/promise.ts'
import { listExampleContracts } from './drift-contracts.ts'
import type { DriftDatabase } from './drift-databases.ts'
import { CHANGES, type Mutation } from './drift-mutations.ts'
import { createContracts, listDrift, listTables, type SingleTable } from './drift-tables.ts'
import type { Random } from './random.ts'

// The export to MariaDB writes fewer tables exactly, and only those are changed.
const TABLES = { postgresql: 310, mysql: 570 }

type Tables = Awaited<ReturnType<DriftDatabase['read']>>

/** A table in a schema of its own, with the change that is made to it. */
export interface ChangedTable extends SingleTable {
  schema: string
  mutation?: Mutation
  /** Why a statement was rejected: a check, a key that is too long. */
  rejection?: string
}

/** Chooses tables of the example mesh and of random contracts; about 250 of them can be changed. */
export function chooseTables(
  database: DriftDatabase,
  random: Random,
  count = TABLES[database.dialect],
): ChangedTable[] {
  const contracts = [...listExampleContracts(), ...createContracts(60, database.dialect, random)]
  return Array.from({ length: count }).flatMap((_, at) => {
    const contract = contracts[Math.floor(random() * contracts.length)]
    const schema = `changed_${at}`
    const tables = contract === undefined ? [] : listTables(contract, schema, database)
    const table = tables[Math.floor(random() * tables.length)]
    return table === undefined ? [] : [{ ...table, schema }]
  })
}

/**
 * Chooses a change of a table; undefined for one that the export could not write exactly: it has findings from the start, and
 * stays as it is. Different values of `at` give different kinds of changes.
 */
export function chooseMutation(
  { read, schema }: ChangedTable,
  at: number,
  tables: Tables,
  { dialect }: DriftDatabase,
  random: Random,
): Mutation | undefined {
  const [listed] = listPromises(read)
  const actual = tables.get(JSON.stringify(listed?.path))
  const table = listed?.path?.at(-1)
  if (listed === undefined || actual === undefined || table === undefined) return undefined
  if (listDrift(read, tables).length > 0) return undefined
  const changes = Object.values(CHANGES)
  for (let more = 0; more < changes.length; more += 1) {
    const change = changes[(at + more) % changes.length]
    const { promise } = listed
    const mutation = change?.({ dialect, schema, table, promise, actual }, random)
    if (mutation !== undefined) return mutation
  }
  return undefined
}
