import { readDataContract } from '../../../formats/data-contract/read.ts'
import type { DataContract } from '../../../formats/data-contract/data-contract.ts'
import { readActual } from '../../../formats/reality/actual.ts'
import type { MeasureAnswer } from '../../../formats/reality/measure/measure.ts'
import { writeTestResult } from '../../../formats/reality/measure/outcome.ts'
import {
  listTestedModels,
  planTests,
  type ModelTable,
  type TablePlan,
} from '../../../formats/reality/measure/plan.ts'
import type { Value } from '../../../formats/text/value.ts'
import { ApiError } from '../../platform/errors.ts'
import { readStored } from '../../requests/http/document.ts'
import type { Task } from '../../requests/http/offload.ts'

/** A stored contract, as JSON or in its own media type. */
interface StoredContract {
  id: string
  document: string
  mediaType: string
}

function readContract({ id, ...stored }: StoredContract): { contract: DataContract; value: Value } {
  const reading = readDataContract(readStored(stored), { id, strict: false, isAccepted: true })
  if (!reading.ok) throw new ApiError('invalid_state', 'The contract cannot be read.')
  return { contract: reading.contract, value: reading.value }
}

/** The parts of a contract that decide what is tested. */
interface TestSubject {
  version: string | undefined
  servers: { name: string; environment: string | undefined }[]
  /** The names of the models that have rules. */
  models: string[]
}

/** Reads the servers of a contract and the models with rules. Errors: invalid_state. */
export const readTestSubject: Task<StoredContract, TestSubject> = {
  name: 'contract-test/readSubject',
  run(stored) {
    const { contract, value } = readContract(stored)
    return {
      version: contract.version,
      servers: contract.servers.map(({ name, environment }) => ({ name, environment })),
      models: listTestedModels(contract, value),
    }
  },
}

/** A contract with the tables of its models. */
interface PlanInput {
  contract: StoredContract
  tables: readonly (readonly [model: string, table: { document: string } | { reason: string }])[]
}

/** Plans the checks of a contract. Errors: invalid_state. */
export const planContractTests: Task<PlanInput, TablePlan[]> = {
  name: 'contract-test/plan',
  run({ contract: stored, tables }) {
    const { contract, value } = readContract(stored)
    const read = tables.map(([model, table]): [string, ModelTable] => [
      model,
      'reason' in table
        ? table
        : readActual(readStored({ ...table, mediaType: 'application/json' }).value),
    ])
    return planTests(contract, value, new Map(read))
  },
}

/** The plans of a test with their answers. */
type ResultInput = Parameters<typeof writeTestResult>[1] & {
  tables: { plan: TablePlan; answer: MeasureAnswer | undefined }[]
}

/** Judges the checks of a test and writes its result. */
export const writeContractTest: Task<ResultInput, string> = {
  name: 'contract-test/write',
  run: ({ tables, ...head }) => writeTestResult(tables, head),
}
