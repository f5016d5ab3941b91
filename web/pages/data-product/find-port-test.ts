import type { OutputPort } from '../../../formats/data-product/data-product.ts'

/** The members of a test result that name its port. */
interface PortResult {
  dataContractId: string
  outputPortId?: string | undefined
}

/**
 * Returns the newest test result of an output port: of its contract, and of no other port. `results` are the newest
 * ones of a data product, newest first.
 */
export function findPortTest<Result extends PortResult>(
  results: readonly Result[],
  { id, name, contractId }: Pick<OutputPort, 'id' | 'name' | 'contractId'>,
): Result | undefined {
  return results.find(
    ({ dataContractId, outputPortId = id }) =>
      dataContractId === contractId && (outputPortId === id || outputPortId === name),
  )
}
