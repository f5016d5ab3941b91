import { odpsFromDps } from '../../../formats/data-product/convert.ts'
import { jsonText } from '../../../formats/text/text.ts'
import { newDocumentTasks } from '../../documents/task.ts'
import { readStored, type StoredText } from '../../requests/http/document.ts'
import type { Task, TextOutput } from '../../requests/http/offload.ts'
import { PRODUCT_READER } from './data-product.ts'

/** Reading and comparing data products. */
export const PRODUCT_TASKS = newDocumentTasks(PRODUCT_READER)

/** Writes a stored DPS document as ODPS. */
export const writeOdps: Task<StoredText & { id: string }, TextOutput> = {
  name: 'data-product/writeOdps',
  run({ id, ...stored }) {
    const text = jsonText(odpsFromDps(readStored(stored).spelled(), id))
    return { text, mediaType: 'application/json', headers: {} }
  },
}
