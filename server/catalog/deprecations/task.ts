import { listContractParts } from '../../../formats/data-contract/deprecated-parts.ts'
import { readDataContract } from '../../../formats/data-contract/read.ts'
import { listProductParts } from '../../../formats/data-product/deprecated-parts.ts'
import { readDataProduct } from '../../../formats/data-product/read.ts'
import { getField } from '../../../formats/text/value.ts'
import { buildDeprecationFacts, type RecordedPart } from '../../documents/deprecation.ts'
import { readStored, type StoredText } from '../../requests/http/document.ts'
import type { Task } from '../../requests/http/offload.ts'
import type { DocumentRef } from './deprecation.ts'

/** A stored document whose version does not record its deprecated parts: an earlier release wrote it. */
interface UnrecordedDocument extends DocumentRef, StoredText {}

/** Lists the deprecated parts of each document, as its next version will record them; none if it cannot be read. */
export const listPartsOfEach: Task<readonly UnrecordedDocument[], RecordedPart[][]> = {
  name: 'deprecations/listPartsOfEach',
  run: (documents) => documents.map(listParts),
}

function listParts({ kind, id, ...stored }: UnrecordedDocument): RecordedPart[] {
  const options = { id, strict: false, isAccepted: true }
  const source = readStored(stored)
  if (kind === 'data-product') {
    const reading = readDataProduct(source, options)
    if (!reading.ok) return []
    return buildDeprecationFacts(undefined, listProductParts(reading.product, reading.value))
      .deprecated
  }
  const reading = readDataContract(source, options)
  if (!reading.ok) return []
  const isFlagged = getField(reading.value, 'deprecated') === true
  return buildDeprecationFacts(undefined, listContractParts(reading.contract, isFlagged)).deprecated
}
