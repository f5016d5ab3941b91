import { readDataContract } from '../../../formats/data-contract/read.ts'
import { checkExampleRows } from '../../../formats/data-contract/example-rows.ts'
import { asText, getField } from '../../../formats/text/value.ts'
import { readStored, type StoredText } from '../../requests/http/document.ts'
import type { Task } from '../../requests/http/offload.ts'

/** Example data and the contract that they name, both as stored. */
interface StoredExample {
  example: StoredText
  contract: StoredText & { id: string }
}

/** Compares example data with their contract. Returns a sentence for each difference. */
export const checkExampleData: Task<StoredExample, string[]> = {
  name: 'example-data/check',
  run({ example, contract }) {
    const { value } = readStored(example)
    const result = readDataContract(readStored(contract), { id: contract.id, strict: false })
    if (!result.ok) return []
    const schemaName = asText(getField(value, 'schemaName'))
    const data = getField(value, 'data') ?? null
    return checkExampleRows(result.contract.models, { schemaName, data })
  },
}
