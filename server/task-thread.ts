import { constants, setPriority } from 'node:os'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort } from 'node:worker_threads'
import { assessAsset } from './assets/task.ts'
import { CONTRACT_TASKS, writeExport, writeModels } from './data-contracts/task.ts'
import { PRODUCT_TASKS, writeOdps } from './data-products/task.ts'
import { convertDocument, convertDocuments, locateInDocument } from './http/document.ts'
import { replyOf, type Task, type TaskCall } from './http/offload.ts'
import { listLineagePortsOfEach, listLinkedPortsOfEach } from './ports/task.ts'

/** A thread that works on documents: it answers each call with what the task of that name returns. */

const TASKS: readonly Task<never, unknown>[] = [
  assessAsset,
  ...Object.values(CONTRACT_TASKS),
  writeExport,
  writeModels,
  ...Object.values(PRODUCT_TASKS),
  listLinkedPortsOfEach,
  listLineagePortsOfEach,
  writeOdps,
  convertDocument,
  convertDocuments,
  locateInDocument,
]

// Requests come before documents. On Linux this is the priority of this thread, elsewhere of the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

// No task reads the environment, but the YAML parser looks up a variable for every token: in a plain object that costs
// nothing.
Reflect.set(process, 'env', {})

// V8 offers its collector only to contexts that are created with this flag.
setFlagsFromString('--expose-gc')
const gc: unknown = runInNewContext('gc')
const KEPT_BYTES_MAX = 64 * 1024 * 1024

/** Frees the memory of a large document. Otherwise V8 would keep it until the thread has worked for a while. */
function collectGarbage(): void {
  const { used_heap_size: usedBytes } = getHeapStatistics()
  if (typeof gc === 'function' && usedBytes > KEPT_BYTES_MAX) {
    gc({ type: 'major', flavor: 'last-resort' })
  }
}

const byName = new Map(TASKS.map((task) => [task.name, task]))

parentPort?.on('message', ({ name, input }: TaskCall<never>) => {
  const task = byName.get(name)
  if (task === undefined) throw new Error(`there is no task ${name}`)
  parentPort?.postMessage(replyOf(task, input))
  setImmediate(collectGarbage)
})
parentPort?.postMessage('ready')
